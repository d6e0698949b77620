#!/usr/bin/env python3
"""What cffi needs of include/forewarp.h: declarations without the preprocessor's lines.

usage: cdef.py HEADER [OUTPUT]    prints them, or writes OUTPUT, the module forewarp._abi

The module is cffi's out-of-line ABI mode: tables that are loaded in a millisecond, no parser and no compiler."""
import re
import sys


def declarations(header: str) -> str:
    """The declarations of the text of forewarp.h."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    text = re.sub(r"\\\n", " ", text)  # macros over several lines
    text = re.sub(r'^#ifdef __cplusplus\n.*?^#endif', "", text, flags=re.S | re.M)  # extern "C"
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    return re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


def write(header: str, output: str) -> None:
    """Writes the module; needs cffi."""
    import cffi
    builder = cffi.FFI()
    with open(header, encoding="utf-8") as file:
        # What C calls back: a message, and a feature of the caller's own.
        builder.cdef(declarations(file.read()))
    builder.set_source("forewarp._abi", None)
    builder.emit_python_code(output)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write(sys.argv[1], sys.argv[2])
    else:
        with open(sys.argv[1], encoding="utf-8") as header_file:
            print(declarations(header_file.read()), end="")
