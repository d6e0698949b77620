#!/usr/bin/env python3
"""The commands of docs/tutorial-cost-models.md run, in order, in an empty folder, and print what the page shows.

usage: test_tutorial.py FOREWARP MEASURE SOURCE [--accept]
A block whose first line is "# FILE" is that file; "$ " begins a command, and what follows is its output.
Numbers are those of another device: every line of the page must be there in its shape, with any number where
the page has one.  "..." stands for any lines, or the rest of one.  Without an OpenCL device it is skipped, loudly
(77).  --accept writes the numbers that are printed here into the page.
"""
import os
import re
import subprocess
import sys
import tempfile

FOREWARP, MEASURE, SOURCE = map(os.path.abspath, sys.argv[1:4])
PAGE = SOURCE + "/docs/tutorial-cost-models.md"
NUMBER = r"[-+<]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?"


def shape(line):
    """A regular expression: any number for a number with its unit of time, any spaces for spaces."""
    pattern, at = "", 0
    for match in re.finditer(rf"(?<![\w.]){NUMBER}( (ns|us|ms|s)\b)?(?![\w.])|\s+|\.\.\.$", line):
        pattern += re.escape(line[at:match.start()])
        at = match.end()
        if match.group() == "...":
            pattern += ".*"
        elif match.group().isspace():
            pattern += r"\s+"
        else:
            pattern += NUMBER + (r" (ns|us|ms|s)" if match.group(4) else "")
    return pattern + re.escape(line[at:])


def fault(shown, printed):
    """What of the page is not there; None: all is, and the lines are as they are printed."""
    at, anywhere = 0, False
    for index, line in enumerate(shown):
        if line == "...":
            anywhere = True
            continue
        found = next((n for n in range(at, len(printed)) if re.fullmatch(shape(line.strip()), printed[n].strip())), None)
        if found is None or (found != at and not anywhere):
            return line
        ends = re.search(r"\s*\.\.\.$", line)
        text = re.match(r"\s*" + shape(line[:ends.start()].strip()), printed[found]).group() if ends else printed[found]
        shown[index] = text + (ends.group() if ends else "")
        at, anywhere = found + 1, False
    return None if at == len(printed) or anywhere else "the end of the output"


def commands(block):
    """Pairs of a command and the lines that it shows."""
    pairs = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        else:
            pairs[-1][1].append(line)
    return pairs


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/bin")
        os.mkdir(folder + "/here")
        os.symlink(FOREWARP, folder + "/bin/forewarp")
        environment = {**os.environ, "FOREWARP_MEASURE": MEASURE, "FOREWARP_DATA": SOURCE, "NO_COLOR": "1",
                       "PATH": folder + "/bin:" + os.environ["PATH"], "XDG_CACHE_HOME": folder + "/cache",
                       "POCL_MAX_PTHREAD_COUNT": "1", "POCL_CPU_MAX_CU_COUNT": "1"}
        text = open(PAGE).read()
        blocks = re.findall(r"^```\n(.*?)^```$", text, re.S | re.M)
        ran = 0
        for block in blocks:
            if block.startswith("# "):
                with open(folder + "/here/" + block.split()[1], "w") as file:
                    file.write(block)
                continue
            made = ""
            for command, shown in commands(block):
                done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=200,
                                      cwd=folder + "/here", env=environment)
                if "no OpenCL platform" in done.stderr or "no OpenCL loader" in done.stderr:
                    print("SKIPPED: there is no OpenCL platform here: THE TUTORIAL WAS NOT RUN:", done.stderr)
                    sys.exit(77)
                missing = fault(shown, done.stdout.splitlines())
                if done.returncode or missing:
                    sys.exit(f"$ {command}\nstatus {done.returncode}; not as the page shows it: {missing}\n"
                             f"{done.stdout}{done.stderr}")
                made += "".join(line + "\n" for line in ["$ " + command, *shown])
                ran += 1
            text = text.replace("```\n" + block + "```", "```\n" + made + "```")
    if "--accept" in sys.argv:
        with open(PAGE, "w") as file:
            file.write(text)
    print(ran, "commands of the tutorial run")


main()
