"""Builds the wheel of forewarp (PEP 517): `pip install .`, or `pip wheel --no-deps .`, here.

Meson builds the shared library in ../build-wheel.  It and the libraries that it needs, but for those of glibc, go into
the wheel under names of their own (patchelf), so that it runs where none of them is installed and no other package's
copies are met.  The wheel holds Python that is the same for all versions, so that it is tagged py3-none-PLATFORM."""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, "build-wheel")
OF_GLIBC = re.compile(r"^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread)\.so")
DATA = {"profiles": "profiles", "models": "models", "data/generators": "generators", "data/compile": "compile"}
REQUIRES = ["cffi >= 1.15"]


def get_requires_for_build_wheel(config_settings=None):
    """meson and ninja come from PyPI where the system has none."""
    return [tool for tool in ("meson", "ninja") if not shutil.which(tool)]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([^']*)'", file.read()).group(1)


def build_library():
    """The path of the shared library."""
    options = ["--buildtype=release", "-Ddefault_library=shared", "-Dc_link_args=-Wl,-Bsymbolic-functions"]
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        subprocess.run(["meson", "setup", BUILD, ROOT, *options], check=True, stdout=sys.stderr)
    subprocess.run(["meson", "compile", "-C", BUILD, "src/forewarp:shared_library"], check=True, stdout=sys.stderr)
    found = [os.path.join(BUILD, "src", name) for name in os.listdir(os.path.join(BUILD, "src"))
             if re.fullmatch(r"libforewarp\.so[.0-9]*", name)]
    return next(path for path in found if not os.path.islink(path))


def needed(path):
    """Libraries outside of glibc, name to path, of a library and of those that it needs."""
    rows = re.findall(r"^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$", run("ldd", path), flags=re.M)
    missing = [name for name, where in rows if where == "not found"]
    if missing:
        raise RuntimeError(f"{path} needs {', '.join(missing)}, which are not installed")
    return {name: where for name, where in rows if not OF_GLIBC.match(name)}


def bundle(folder):
    """The library and what it needs, into the folder; gives the paths that the latter have on this machine."""
    library = build_library()
    others = needed(library)
    names = {}
    for name, path in others.items():
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:8]
        stem, rest = name.split(".so", 1)
        names[name] = f"{stem}-{digest}.so{rest}"
    for name, path in [("libforewarp.so", library), *others.items()]:
        target = os.path.join(folder, names.get(name, name))
        shutil.copyfile(path, target)
        os.chmod(target, 0o755)
        changes = [part for old, new in names.items() for part in ("--replace-needed", old, new)]
        run("patchelf", "--set-soname", os.path.basename(target), "--set-rpath", "$ORIGIN", *changes, target)
    run("strip", "--strip-unneeded", os.path.join(folder, "libforewarp.so"))
    return list(others.values())


def platform_tag(folder):
    """manylinux by the newest version of glibc that a symbol of the libraries asks for."""
    newest = 17
    for name in os.listdir(folder):
        for minor in re.findall(r"GLIBC_2\.(\d+)", run("readelf", "-V", os.path.join(folder, name))):
            newest = max(newest, int(minor))
    return f"manylinux_2_{newest}_{os.uname().machine}"


def licences(paths):
    """Name to text, of this project and of Debian's packages that the bundled libraries are from."""
    with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
        texts = {"LICENSE": file.read()}
    for path in paths if shutil.which("dpkg") else []:
        # The package knows the library by the path before /lib became a link.
        for known in {path, os.path.realpath(path), os.path.realpath(path).replace("/usr/lib/", "/lib/", 1)}:
            found = subprocess.run(["dpkg", "-S", known], capture_output=True, text=True)
            package = found.stdout.split(":")[0]
            about = f"/usr/share/doc/{package}/copyright"
            if package and os.path.exists(about):
                with open(about, encoding="utf-8") as file:
                    texts[f"{package}.copyright"] = file.read()
    return texts


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: forewarp", f"Version: {version()}",
             "Summary: Predicts how long a GPU kernel takes, and what limits it, before it runs", "License: Apache-2.0",
             "Requires-Python: >=3.9", *[f"Requires-Dist: {one}" for one in REQUIRES]]
    return "\n".join(lines) + "\n"


def files_under(folder):
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for name in sorted(names):
            yield os.path.join(base, name)


def stage(folder):
    """All that the wheel holds, but for what describes it; gives the paths of the bundled libraries."""
    package = os.path.join(folder, "forewarp")
    shutil.copytree(os.path.join(HERE, "forewarp"), package, ignore=shutil.ignore_patterns("__pycache__", "_abi.py"))
    sys.path.insert(0, HERE)
    import cdef
    cdef.write(os.path.join(ROOT, "include", "forewarp.h"), os.path.join(package, "_abi.py"))
    for source, target in DATA.items():
        shutil.copytree(os.path.join(ROOT, source), os.path.join(package, "data", target),
                        ignore=shutil.ignore_patterns("__pycache__"))
    os.mkdir(os.path.join(package, "lib"))
    return bundle(os.path.join(package, "lib"))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: the name of the wheel, which is written to the folder."""
    with tempfile.TemporaryDirectory() as folder:
        bundled = stage(folder)
        tag = f"py3-none-{platform_tag(os.path.join(folder, 'forewarp', 'lib'))}"
        about = os.path.join(folder, f"forewarp-{version()}.dist-info")
        os.makedirs(os.path.join(about, "licenses"))
        texts = {"METADATA": metadata(),
                 "WHEEL": f"Wheel-Version: 1.0\nGenerator: forewarp\nRoot-Is-Purelib: false\nTag: {tag}\n"}
        texts.update({os.path.join("licenses", name): text for name, text in licences(bundled).items()})
        for name, text in texts.items():
            with open(os.path.join(about, name), "w", encoding="utf-8") as file:
                file.write(text)
        wheel = f"forewarp-{version()}-{tag}.whl"
        record = f"forewarp-{version()}.dist-info/RECORD"
        lines = []
        with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files_under(folder):
                name = os.path.relpath(path, folder)
                with open(path, "rb") as file:
                    content = file.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines.append(f"{name},sha256={digest},{len(content)}")
                entry = zipfile.ZipInfo(name)  # of 1980: the same bytes whenever the contents are the same
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = os.stat(path).st_mode << 16
                archive.writestr(entry, content)
            entry = zipfile.ZipInfo(record)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, "\n".join([*lines, f"{record},,"]) + "\n")
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("sources are the repository as a whole: build the wheel alone (pip wheel, build --wheel)")
