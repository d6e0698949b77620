"""The examples of docs/python.md, in their order, as one program; those whose packages are missing say so."""
import os
import re
import shutil
import sys
import traceback

import testing
from testing import SOURCE


def main():
    page = open(SOURCE + "/docs/python.md").read()
    for path in ("tests/golden/kernels/saxpy.ptx", "docs/examples/star25.json", "tests/python/inductor_output.py"):
        shutil.copy(os.path.join(SOURCE, path), ".")
    names, failed, skipped, done = {"__name__": "page"}, 0, 0, 0
    for match in re.finditer(r"^```python\n(.*?)^```", page, flags=re.S | re.M):
        code, line = match.group(1), page[:match.start()].count("\n") + 1
        path = f"example{line}.py"
        with open(path, "w") as file:  # Triton and Numba read the source of functions
            file.write("\n" * line + code)
        try:
            exec(compile(open(path).read(), os.path.abspath(path), "exec"), names)
            done += 1
        except ModuleNotFoundError as missing:
            skipped += 1
            print(f"SKIPPED docs/python.md:{line} - {missing}")
        except Exception:
            failed += 1
            print(f"FAILED docs/python.md:{line}")
            traceback.print_exc()
    print(f"docs/python.md: {done} examples ran, {skipped} skipped, {failed} failed")
    sys.exit(1 if failed or not done else 0)


main()
