#!/usr/bin/env python3
"""Inputs that are at fault, through every command: whatever fails says so in at least one line of an
error with a code, whatever succeeds has none, and no byte that a terminal obeys comes out.
usage: faults.py FOREWARP SOURCE"""
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile

forewarp, source = map(os.path.abspath, sys.argv[1:3])
here = tempfile.mkdtemp(prefix="forewarp-faults-")
runs = failed = 0
environment = {**os.environ, "FOREWARP_DATA": source, "NO_COLOR": "1", "LC_ALL": "C",
               "XDG_CACHE_HOME": here + "/cache"}
error = re.compile(rb'^.*: error: .* \[[A-Z]{3,4}[0-9]{3}\]$|^\{"severity": "error", "code": "[A-Z]{3,4}[0-9]{3}", ', re.M)
# C0 but newline and tab, DEL; C1, bidirectional controls and line separators in UTF-8
control = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa6-\xaf]")


def printable(output):
    try:
        output.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not control.search(output)


def run(*arguments, status=None, code=False, stdout=subprocess.PIPE):
    """One run; `code`: what it prints are bytes of the input."""
    global runs, failed
    runs += 1
    try:
        done = subprocess.run([forewarp, *arguments], stdout=stdout, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, env=environment, timeout=60, cwd=here)
    except subprocess.TimeoutExpired:
        failed += 1
        print("FAILED: it does not end:", arguments)
        return
    told = bool(error.search(done.stderr))
    shown = done.stdout or b""
    why = None
    if done.returncode not in (0, 1, 2, 3):
        why = "exit status %d" % done.returncode
    elif status is not None and done.returncode != status:
        why = "exit status %d, not %d" % (done.returncode, status)
    elif told != (done.returncode != 0):
        why = "exit status %d and %s" % (done.returncode, "an error" if told else "no error")
    elif b"[API008]" in done.stderr or b"[CLI008]" in done.stderr:
        why = "a failure without its reason"
    elif not printable(done.stderr) or not (code or printable(shown)):
        why = "control characters"
    elif "--json" in arguments and done.returncode == 0:
        try:
            json.loads(shown)
        except ValueError as wrong:
            why = "no JSON: %s" % wrong
    if why:
        failed += 1
        print("FAILED: %s:" % why, arguments, "\n", done.stderr[-600:], shown[-200:])


def write(name, content):
    path = os.path.join(os.fsencode(here), os.fsencode(name))
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return os.fsdecode(path)


def all_commands(path, *more):
    launch = ["-g", "2", "-b", "32", *more]
    run("count", path, *launch)
    run("count", path, *launch, "--json", "--numbers")
    run("predict", path, *launch, "-d", "h200", "--ptxas=never")
    run("traffic", path, *launch, "-d", "h200")
    run("emulate", path, *launch)
    run("rank", path, "-g", "2", "--vary", "block=32,64", "-d", "h200", *more)
    run("predict", path, *launch, "-d", "h200,a100:l2_bytes=2x", "-m", "roofline")
    run("diff", path, path, *launch, "-d", "h200", "-m", "roofline")


# ---- inputs that others found, or made ----
corpora = source + "/tests/fuzz/corpus-"
for path in sorted(glob.glob(corpora + "ptx/*"))[:8]:
    all_commands(path, "-x", "ptx")
for path in sorted(glob.glob(corpora + "addresses/*"))[:6]:
    run("predict", path, "-x", "json", "-d", "h200")
    run("count", path, "-x", "json", "--json", "--numbers")
for path in sorted(glob.glob(source + "/tests/golden/knl/*.knl")) + sorted(
        glob.glob(corpora + "knl/*"))[:10]:
    run("emit", path, "-x", "knl", "--target", "c", code=True)
    run("strip", path, "-x", "knl", code=True)
    run("count", path, "-x", "knl", "--numbers")
for path in glob.glob(corpora + "set/*")[:8]:
    run("count", path, "-x", "set")
for kind in ("launches", "counters", "profile", "store", "probe"):
    for path in glob.glob(corpora + kind + "/*"):
        saxpy = source + "/tests/golden/kernels/saxpy.ptx"
        run("count", saxpy, "--launches", path)
        run("traffic", saxpy, "-g", "2", "-b", "32", "-s", "3=9", "-d", "h200", "--volumes", path)
        profile = shutil.copy(path, here + "/profile.json")
        run("predict", saxpy, "-g", "2", "-b", "32", "-s", "3=9", "-d", profile)
        run("measure", "import", path, "--store", here + "/import.db")
        run("device", "probe", "--replay", path)
        run("measure", path, "--store", here + "/none.db")

# ---- recorded answers ----
for path in sorted(glob.glob(corpora + "answer/*")):
    for number, part in enumerate(open(path, "rb").read().split(b"\n%%\n")):
        write("part%d.json" % number, part)
    run("diff", here + "/part0.json", here + "/part1.json")
    run("diff", here + "/part1.json", here + "/part0.json", "--json")

# ---- kernels that cannot be made code ----
domain = "domain [n] -> {[i]: 0 <= i < n}\n"
silent = {
    "number_as_condition.knl": domain + "array x: f64[2*n]\narray flag: s32\nif i\n"
                                        "    z[flag[i]] = reduce(max, (j), x[j])\nend\n",
    "unroll.knl": domain + "array x: f32[n]\nx[i] = 1.0\ntag i: unroll\n",
    "thread.knl": domain + "array x: f32[n]\nx[i] = 1.0\ntag i: l.0\n",
    "nothing.knl": domain}
for name, text in silent.items():
    for target in ("c", "opencl", "cuda", "knl"):
        run("emit", write(name, text), "--target", target)
    run("predict", here + "/" + name, "-s", "n=64", "-d", "h200")

# ---- names and words that a terminal obeys ----
head = ".version 8.0\n.target sm_90\n.address_size 64\n"
body = ".visible .entry k(.param .u64 p) {\n%s\nret;\n}\n"
obeyed = ["a\x1b[31mb", "a\x07b", "a\nb", "a\x7fb", "a\u009bb", "a\u202eb", b"a\xff\xfeb", "a\r"]
for word in obeyed:
    word = word if isinstance(word, bytes) else word.encode()
    name = os.fsdecode(word)
    path = write(name + ".ptx", head + body % "")
    all_commands(path)
    all_commands(os.path.join(here, name, "missing.ptx"))
    run("count", write("f.ptx", head.encode() + b'.file 1 "' + word + b'"\n' + body.encode() % b".loc 1 3 0\n@%p bra X;"))
    run("count", write("f.ptx", head.encode() + b".visible .entry " + word + b"() { ret; }\n"), "-g", "1", "-b", "1")
    run("count", write("f.ptx", (head + body).encode() % (b"add.s32 " + word + b", 1, 2; // " + word)), "-g", "1", "-b", "1")
    run("count", write("f.knl", domain.encode() + word + b"[i] = 1.0\n"))
    run("emit", here + "/f.knl", "--target", name)
    run("predict", saxpy, "-g", "2", "-b", "32", "-s", "3=9", "-d", "h200:" + name + "=2x", status=2)
    run("predict", saxpy, "-g", "2", "-b", "32", "-s", "3=9", "-d", "h200:l2_bytes=" + name, status=2)
    run("diff", write("recorded.json", json.dumps(
        {"forewarp": "0", "kernel": {"name": os.fsdecode(word).encode("utf-8", "replace").decode()}, "launch": {},
         "predictions": [], "device": "d"}).encode()), path + " -g 2 -b 32", "-d", "h200", "-m", "roofline")
    run("diff", path + " -b " + name, path, "-g", "2")
    run("count", path, "-k", name, status=2)
    run("count", path, "-g", name, "-b", "1", status=2)
    run("count", path, "-g", "1", "-b", "1", "-s", name + "=1", status=2)
    run("count", path, "-g", "1", "-b", "1", "-D", name, status=2)
    run("count", path, "--dump", name, status=2)
    run("count", "[" + name + "] -> { [i] : 0 <= i < " + name + " }", "-x", "set")
    run("predict", path, "-g", "1", "-b", "1", "-d", name)
    run("predict", path, "-g", "1", "-b", "1", "-d", "h200", "-m", name, status=2)
    run("rank", path, "-g", "1", "-d", "h200", "--vary", name + "=1,2")
    run(name, status=2)
    run("count", "--" + name, status=2)
    run("device", "show", name)
    run("measure", "list", "--store", here + "/" + name, status=3)
    run("measure", here, "--store", here + "/s.db", "--campaign", name, status=2)
    profile = {"forewarp_profile": 1, "name": "b", "title": "T", "about": "A", "figures": {}}
    for key in ("name", "title", "about"):
        text = word.decode(errors="replace")
        write("word.json", json.dumps({**profile, key: text}))
        run("device", "show", here + "/word.json")
        run("device", "show", here + "/word.json", "--json")
    write("l.json", json.dumps({"file": path, "kernel": word.decode(errors="replace"), "grid": [1, 1, 1], "block": [1, 1, 1]}))
    run("count", "--launches", here + "/l.json")

# ---- names of campaigns, and stores that are none ----
for name in ("", "../../evil", "/evil", "a//b", "a/", ".", "..", "-x", ".hidden", "x" * 300):
    for verb in (["import", source + "/LICENSE"], ["export", here], ["counters", source + "/LICENSE"], [here]):
        run("measure", *verb, "--store", here + "/s.db", "--campaign=" + name, status=2)
if os.path.exists(here + "/s.db"):
    failed += 1
    print("FAILED: a store was made for a campaign whose name is refused")
pipe, folder, bound = here + "/pipe", here + "/folder", here + "/socket"
os.mkfifo(pipe)
os.mkfifo(here + "/pipe.json")
os.mkdir(folder)
listener = socket.socket(socket.AF_UNIX)
os.chdir(here)
listener.bind("socket")
saxpy = [source + "/tests/golden/kernels/saxpy.ptx", "-g", "2", "-b", "32", "-s", "3=9"]
for odd in (pipe, folder, bound, here + "/missing"):
    run("measure", "list", "--store", odd, status=3)
    run("measure", "import", odd if odd != folder else pipe, "--store", here + "/new.db", status=3)
    run("measure", "counters", odd, "--store", here + "/import.db", "--campaign", "c", status=3)
    run("emulate", *saxpy, "--arg", "0=f32[32]:file:" + odd, status=3)
    run("device", "probe", "--replay", odd, status=3) if odd != pipe else None
    run("count", odd, "-x", "ptx", status=3) if odd != pipe else None
    run("count", "--launches", odd, status=3) if odd != pipe else None
    run("predict", *saxpy, "-d", "h200", "--volumes", odd, "-m", "traffic", status=3) if odd != pipe else None
# A plan has sources beside it: what is no regular file is refused, and stays what it is.
for odd in (pipe, folder, bound):
    before = sorted(os.listdir(here))
    run("measure", source + "/kernels", "--plan", odd, "--backend", "opencl", "--sizes", "small", status=3)
    if sorted(os.listdir(here)) != before or os.path.isfile(odd):
        failed += 1
        print("FAILED: a plan was written in place of what is no file, or its sources beside it:", odd)
# /dev/stdout is among devices, also where it leads to a regular file.
with open(here + "/redirected", "wb") as out:
    ended = subprocess.run([forewarp, "measure", source + "/kernels", "--plan", "/dev/stdout", "--backend", "opencl",
                            "--sizes", "small"], stdout=out, stderr=subprocess.PIPE, text=True, env=environment)
if ended.returncode != 3 or "CAM002" not in ended.stderr or os.path.getsize(here + "/redirected"):
    failed += 1
    print("FAILED: a plan went to /dev/stdout, and its sources into /dev:", ended.returncode, ended.stderr[:300])
run("count", pipe, "-x", "ptx", status=3)  # waits for a writer, and not for ever
run("predict", *saxpy, "-d", here + "/pipe.json", status=3)
run("measure", here + "/missing", "--store", here + "/new.db")

# ---- answers that cannot be written ----
for arguments in (["--help"], ["--version"], ["count", "--help"], ["--manual-page"],
                  ["--completion-script"], ["device", "list"], ["device", "show", "h200"],
                  ["count", *saxpy], ["count", *saxpy, "--json"], ["count", saxpy[0], "--dump", "cfg"],
                  ["predict", *saxpy, "-d", "h200"],
                  ["emit", source + "/tests/golden/knl/matmul.knl"],
                  ["count", "{ [i] : 0 <= i < 4 }", "-x", "set"],
                  ["measure", "import", corpora + "store/none", "--store", here + "/import.db"]):
    with open("/dev/full", "wb") as full:
        run(*arguments, stdout=full, status=3)

# ---- no room for temporary files ----
write("list.json", json.dumps({"kernel": "saxpy", "grid": [1, 1, 1], "block": [32, 1, 1]}))
for base in ("/proc", write("plain", "")):
    environment["TMPDIR"] = base
    run("count", saxpy[0], "--launches", here + "/list.json", status=3)
    run("device", "probe", "--output", here + "/records", status=3)

shutil.rmtree(here)
print("%d runs, %d failed" % (runs, failed))
sys.exit(failed != 0)
