"""Runs the functions test_... of a module; one that raises Skip says so and fails nothing."""
import importlib.metadata
import os
import sys
import traceback

SOURCE = os.environ["FOREWARP_SOURCE"]


class Skip(Exception):
    pass


def need(*names):
    """The versions of packages; Skip without one."""
    try:
        return {name: importlib.metadata.version(name) for name in names}
    except importlib.metadata.PackageNotFoundError as missing:
        raise Skip(f"the package {missing} is missing") from missing


def raises(kind, function, *arguments, **more):
    try:
        function(*arguments, **more)
    except kind as problem:
        return problem
    raise AssertionError(f"{function} did not raise {kind.__name__}")


def main(module):
    failed = 0
    for name, function in list(vars(module).items()):
        if not name.startswith("test_"):
            continue
        try:
            function()
            print("ok     ", name, flush=True)
        except Skip as why:
            print("SKIPPED", name, "-", why, flush=True)
        except Exception:
            failed += 1
            print("FAILED ", name, flush=True)
            traceback.print_exc()
    sys.exit(1 if failed else 0)
