#!/usr/bin/env python3
"""train, predict -m forest and evaluate on a few launches: the same file from the same data, an interval only
where families suffice, and files that are damaged, foreign or of another version.
usage: forest.py FOREWARP SOURCE"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

forewarp, source = map(os.path.abspath, sys.argv[1:3])
checks = failed = 0
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
os.makedirs("data/models/forest")
os.symlink(source + "/profiles", "data/profiles")
bundle = "data/models/forest/h200.forest"


def run(*arguments):
    return subprocess.run([forewarp, *arguments], capture_output=True, text=True,
                          env={**os.environ, "FOREWARP_DATA": os.path.abspath("data"), "NO_COLOR": "1"})


def check(what, good, shown=""):
    global checks, failed
    checks += 1
    failed += not good
    if not good:
        print("FAILED:", what, "\n", shown)


# Medium launches of kernels that are quick to predict, 26 files; one of which gathers.
data = source + "/data/h200/"
files, picked = set(), []
for line in open(data + "forest/examples.jsonl"):
    launch = json.loads(line)
    if launch["name"].endswith("medium") and launch["file"] not in files and (
            len(files) < 25 or launch["name"] == "gather gather medium"):
        files.add(launch["file"])
        launch["file"] = os.path.normpath(os.path.join(data, "forest", launch["file"]))
        picked.append(launch)
with open("few.jsonl", "w") as out:
    out.writelines(json.dumps(launch) + "\n" for launch in picked)
with open("two.jsonl", "w") as out:
    out.writelines(json.dumps(launch) + "\n" for launch in picked[:2])
with open("one.jsonl", "w") as out:
    out.write(json.dumps(picked[0]) + "\n")
given = ["--launches", "few.jsonl", "--measured", data + "times.txt," + data + "power.txt", "-d", "h200", "--trees", "8"]
kernel = [source + "/tests/golden/kernels/saxpy.ptx", "-g", "131073", "-b", "256", "-s", "3=33554437", "-d", "h200", "--json"]

done = run("predict", *kernel, "-m", "forest")
check("no forest yet", done.returncode == 1 and "FOR003" in done.stderr, done)
for name in (bundle, "again"):
    done = run("train", *given, "-o", name)
    check("train", done.returncode == 0 and not done.stdout and not done.stderr, done)
check("the same file", open(bundle, "rb").read() == open("again", "rb").read())
done = run("predict", *kernel, "-m", "forest,traffic,trace")
answers = {p["model"]: p for p in json.loads(done.stdout)["predictions"]}
forest, traffic, trace = answers["forest"], answers["traffic"], answers["trace"]
basis = (traffic["seconds"] * trace["seconds"]) ** 0.5
check("seconds", 0.5 < forest["seconds"] / basis < 2 and forest["seconds"] != basis, forest)
check("interval", forest["interval"] and forest["interval"][0] < forest["seconds"] < forest["interval"][1], forest)
check("power", abs(forest["watts"] * forest["seconds"] / forest["joules"] - 1) < 1e-9, forest)
shown = run("predict", *kernel[:-1], "-m", "forest").stdout
check("interval as text", " (90 %: " in shown and "model forest" in shown, shown)
cold = json.loads(run("predict", *kernel, "-m", "forest", "--cache", "cold").stdout)["predictions"][0]
check("no interval for cold caches", cold["interval"] is None and cold["seconds"] > 0, cold)

# On a similar device nothing was measured, not even the launch that trees know: its interval is wider.
like = json.loads(run("predict", *kernel[:kernel.index("h200")], "h100", *kernel[kernel.index("h200") + 1:], "-m", "forest").stdout)
wide, narrow = (p["interval"][1] / p["interval"][0] for p in (like["predictions"][0], forest))
check("wider on a similar device", wide > narrow ** 1.3, (wide, narrow))

# An interval needs 20 families.
done = run("train", *given[:1], "two.jsonl", *given[2:], "-o", bundle)
check("two files", done.returncode == 0, done)
few = json.loads(run("predict", *kernel, "-m", "forest").stdout)["predictions"][0]
check("no interval from two files", few["interval"] is None, few)
done = run("train", *given[:1], "one.jsonl", *given[2:], "-o", "none")
check("one file", done.returncode == 1 and "FOR006" in done.stderr and not os.path.exists("none"), done)

# Trees that predict seconds and watts themselves: no model is asked, and blend, which corrects by trees, refuses them.
done = run("train", *given, "--absolute", "-o", bundle)
check("train --absolute", done.returncode == 0 and open(bundle, "rb").read(18) == b"forewarp forest 5\n", done)
itself = json.loads(run("predict", *kernel, "-m", "forest").stdout)["predictions"][0]
check("seconds themselves", itself["seconds"] > 0 and itself["interval"][0] < itself["seconds"] < itself["interval"][1] and
      itself["watts"] > 0 and not itself["terms"] and itself["seconds"] != forest["seconds"], itself)
large = json.loads(run("predict", *kernel[:2], "10000000", *kernel[3:6], "3=2560000000", *kernel[7:], "-m", "forest").stdout)
check("no size beyond those of training", large["predictions"][0]["seconds"] < 10 * itself["seconds"], large)
shown = run("predict", *kernel[:-1], "-m", "forest").stdout
check("as text", "counted features alone" in shown and "model forest" in shown, shown)
check("as C", b"The logarithm of the seconds" in (run("train", *given, "--absolute", "-o", "itself.c"), open("itself.c", "rb").read())[1])
os.makedirs("data/models/blend")
os.symlink(source + "/models/blend/h200.blend", "data/models/blend/h200.blend")
done = run("predict", *kernel, "-m", "blend")
os.remove("data/models/blend/h200.blend")
os.rmdir("data/models/blend")
check("blend refuses them", done.returncode == 1 and "FOR008" in done.stderr, done)

# Trees that correct the roofline and what warps wait for: neither traffic nor trace is asked, and sizes beyond those of
# training are predicted, because the basis grows with them.  Companions do not change what they say.
done = run("train", *given, "--ratio-to", "roofline", "-o", bundle)
check("train --ratio-to roofline", done.returncode == 0 and open(bundle, "rb").read(18) == b"forewarp forest 6\n", done)
quick = json.loads(run("predict", *kernel, "-m", "forest").stdout)["predictions"][0]
check("quick seconds", 0.5 < quick["seconds"] / basis < 2 and quick["interval"][0] < quick["seconds"] < quick["interval"][1] and
      quick["watts"] > 50 and quick["seconds"] not in (forest["seconds"], itself["seconds"]), quick)
terms = {term["name"] for term in quick["terms"]}
check("terms of the roofline", "dram" in terms and "latency" not in terms, terms)
beside = json.loads(run("predict", *kernel, "-m", "traffic,trace,forest").stdout)["predictions"]
check("the same beside other models", [p["seconds"] for p in beside if p["model"] == "forest"] == [quick["seconds"]], beside)
large = json.loads(run("predict", *kernel[:2], "10000000", *kernel[3:6], "3=2560000000", *kernel[7:], "-m", "forest").stdout)
check("a size beyond those of training", 50 < large["predictions"][0]["seconds"] / quick["seconds"] < 110, large)
ragged = [source + "/tests/golden/kernels/spmv_csr.ptx", "-g", "1024", "-b", "256", "-d", "h200", "-s", "5=262144", "--json"]
unknown = [{u["name"]: u["value"] for u in json.loads(run("predict", *ragged, "-m", model).stdout)["unknowns"]}
           for model in ("roofline", "forest")]
check("rows of the same lengths in brief", unknown[0] == unknown[1] and len(unknown[0]) > 4, unknown)
shown = run("predict", *kernel[:-1], "-m", "forest").stdout
check("quick as text", "Trees correct what the model roofline and waits of warps give" in shown, shown)
check("quick as C", b"the quick basis of the seconds is multiplied by" in (
    run("train", *given, "--ratio-to", "roofline", "-o", "quick.c"), open("quick.c", "rb").read())[1])
swapped = open(bundle, "rb").read().replace(b"forest 6\n", b"forest 5\n", 1)
kept = open(bundle, "rb").read()
open(bundle, "wb").write(swapped)
done = run("predict", *kernel, "-m", "forest")
check("not as counted alone", done.returncode == 1 and "FOR002" in done.stderr, done)
open(bundle, "wb").write(kept)
for wrong in (["--ratio-to", "traffic"], ["--ratio-to", "roofline", "--absolute"]):
    done = run("train", *given, *wrong, "-o", "none")
    check("no " + " ".join(wrong), done.returncode == 2 and "API083" in done.stderr and not os.path.exists("none"), done)

# What only the model forest has is not left out silently for blend.
for command, option in ((["train", "-o", "none"], ["--absolute"]), (["train", "-o", "none"], ["--ratio-to", "roofline"]), (["evaluate"], ["--rows", "none"]), (["evaluate"], ["--plot", "none"])):
    done = run(*command[:1], *given, "-m", "blend", *command[1:], *option)
    check("blend has no " + option[0], done.returncode == 2 and "API082" in done.stderr and not os.path.exists("none"), done)

# Below 10 us the profiler's duration is what was measured, unless it is longer than launches back to back are apart.
for duration, wanted in ((3e-6, 3e-6), (9e-6, 5e-6)):
    with open("short.txt", "w") as out:
        for line in open(data + "times.txt"):
            record = json.loads(line)
            if record.get("name") == picked[0]["name"] and record["record"] == "measurement":
                record["pipelined"]["median_seconds"] = 5e-6
            if record.get("name") == picked[0]["name"] and record["record"] == "counters":
                record["counters"]["gpu__time_duration.sum"] = duration
            out.write(json.dumps(record) + "\n")
    done = run("evaluate", *given[:2], "--measured", "short.txt", *given[4:], "--rows", "rows.csv")
    rows = list(csv.DictReader(open("rows.csv"))) if done.returncode == 0 else []
    seen = [float(row["measured_seconds"]) for row in rows if row["name"] == picked[0]["name"]]
    check("a duration of %g" % duration, seen and abs(seen[0] / wanted - 1) < 1e-9, (seen, rows[:1], done))

# Files at fault.
good = open("again", "rb").read()
end = good.index(b"data\n") + 5
faults = {"cut in its forest": (good[:-3], "FOR002"), "cut in its lines": (good[:60], "FOR002"),
          "empty": (b"", "FOR001"), "another version": (good.replace(b"forest 4\n", b"forest 7\n", 1), "FOR001"),
          "features of models, for the quick basis": (good.replace(b"forest 4\n", b"forest 6\n", 1), "FOR002"),
          "features that are not counted, without a basis": (good.replace(b"forest 4\n", b"forest 5\n", 1), "FOR002"),
          "other coordinates": (good.replace(b"forest 4\n", b"forest 3\n", 1), "FOR001"),
          "another device": (good.replace(b"device h200", b"device a100", 1), "FOR004"),
          "a flipped bit": (good[:-5] + bytes([good[-5] ^ 1]) + good[-4:], "FOR002"),
          "bytes behind": (good + b"x", "FOR002"), "no lines": (good[:18] + b"data\n", "FOR002"),
          "an unknown feature": (good.replace(b",seconds,", b",secouds,", 1), "FOR002"),
          "a line of its own": (good.replace(b"target", b"tarqet", 1), "FOR002"),
          "bounds the wrong way round": (good.replace(b" low -", b" low 9", 1), "FOR002"),
          "bounds in another unit": (good.replace(b" deviations 0.02 0.7 0.5 0.1\n", b" deviations 0.02 0.7 0.5\n", 1), "FOR002"),
          "an energy below 0": (good.replace(b"energies idle:", b"energies idle:-1,idle:", 1), "FOR002"),
          "an unknown energy": (good.replace(b"energies idle:", b"energies idol:", 1), "FOR002"),
          "an energy without end": (good.replace(b"energies idle:", b"energies idle:inf", 1), "FOR002"),
          "fewer features": (good.replace(b"features arithmetic,", b"features ", 1), "FOR002")}
for what, (content, code) in faults.items():
    open(bundle, "wb").write(content)
    done = run("predict", *kernel, "-m", "forest")
    check(what, done.returncode == 1 and code in done.stderr, done)

# The model blend: from the same launches; with and without a forest; files at fault.
os.makedirs("data/models/blend")
joined = "data/models/blend/h200.blend"
open(bundle, "wb").write(good)
done = run("predict", *kernel)
plain = json.loads(done.stdout)["predictions"][0] if done.stdout else {}
check("a device without a blend", plain.get("model") == "blend" and plain["interval"] is None
      and plain["seconds"] == traffic["seconds"] and "Nothing was trained for h200" in plain["left_out"][-1], done)
for name in (joined, "twice"):
    done = run("train", *given, "-m", "blend", "-o", name)
    check("train blend", done.returncode == 0 and not done.stdout and not done.stderr, done)
written = open(joined, "rb").read()
check("the same blend", written == open("twice", "rb").read())
one = json.loads(run("predict", *kernel).stdout)["predictions"][0]
members = [model["seconds"] for model in (forest, traffic, trace)]
check("between the models", one["model"] == "blend" and min(members) <= one["seconds"] <= max(members), one)
check("its interval", one["interval"] and one["interval"][0] < one["seconds"] < one["interval"][1], one)
check("its account", abs(sum(part["seconds"] for part in one["account"]) / one["seconds"] - 1) < 1e-9, one)
if_clock = json.loads(run("predict", *kernel, "--clock", "1000").stdout)["predictions"][0]
check("no interval at a stated clock", if_clock["interval"] is None and "watts_interval" not in if_clock, if_clock)
# A device without models of its own is answered by those of the device that its profile is like; a changed one is not.
profile = json.load(open(os.path.join(source, "profiles/h200.json")))
for name, extra in (("similar", {"like": "h200"}), ("lone", {})):
    json.dump({**profile, "name": name, **extra}, open(name + ".json", "w"))
on = lambda device: json.loads(run("predict", *[device if word == "h200" else word for word in kernel]).stdout)["predictions"][0]
similar, lone, changed = on("similar.json"), on("lone.json"), on("similar.json:l2_bytes=2x")
check("a similar device", similar["seconds"] == one["seconds"] and similar["interval"][0] < one["interval"][0]
      and similar["interval"][1] > one["interval"][1]
      and any("those of h200, a similar device" in line for line in similar["left_out"]), similar)
check("a device like no other", lone["interval"] is None and "Nothing was trained for lone" in lone["left_out"][-1], lone)
check("a device that there is not", changed["interval"] is None, changed)
os.rename(bundle, "kept")
alone = json.loads(run("predict", *kernel).stdout)["predictions"][0]
check("without a forest", alone["model"] == "blend" and alone["seconds"] > 0, alone)
os.rename("kept", bundle)
for what, (content, code) in {"cut": (written[:-3], "BLD002"), "empty": (b"", "BLD001"),
                              "version": (written.replace(b"blend 1", b"blend 2", 1), "BLD001"),
                              "a digit": (written.replace(b"0.9", b"0.8", 1), "BLD002")}.items():
    open(joined, "wb").write(content)
    done = run("predict", *kernel, "-m", "blend")
    check("blend: " + what, done.returncode == 1 and code in done.stderr, done)
os.remove(joined)
done = run("evaluate", *given, "-m", "blend", "--judged", "two.jsonl", "--json")
tables = {row["table"] for row in json.loads(done.stdout)["rows"]} if done.returncode == 0 else {}
check("evaluate blend", tables == {"seconds", "watts", "kinds", "intervals"}, done)
done = run("train", *given, "-m", "trace", "-o", "x")
check("no such training", done.returncode == 2 and "API037" in done.stderr, done)

# As C
done = run("train", *given, "-o", "forest.c")
code = open("forest.c").read() if done.returncode == 0 else ""
check("C", "double forest_seconds(const double *row)" in code and "double forest_watts(" in code
      and "double forest_watts_basis(const double *draws)" in code, done)
if shutil.which("cc"):
    check("C compiles", subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "-c", "forest.c"]).returncode == 0)

# evaluate, and what is asked wrongly
done = run("evaluate", *given, "--judged", "two.jsonl", "--json")
answer = json.loads(done.stdout) if done.returncode == 0 else {}
rows = answer.get("rows", [])
check("evaluate", answer.get("families") == 26 and {r["target"] for r in rows} == {"seconds", "watts"}
      and {"physical models alone", "forest", "intervals"} <= {r["by"] for r in rows}
      and any(r["of"] == "judged" and r["rows"] == 2 for r in rows), done)
done = run("evaluate", *given, "--nested", "1", "--rows", "rows.csv", "--plot", "plot.svg", "--json")
nested = [r for r in json.loads(done.stdout)["rows"] if r["by"].startswith("nested")] if done.returncode == 0 else []
check("nested folds", len(nested) == 14 and all(r["rows"] == 5 and 0 < r["median"] for r in nested), done)
done = run("evaluate", *given, "--nested", "1", "--nested-only", "--json")
check("nested folds alone", done.returncode == 0 and json.loads(done.stdout)["rows"] == nested, done)
done = run("evaluate", *given, "--nested-only")
check("which folds", done.returncode == 2 and "CLI002" in done.stderr, done)
table = list(csv.DictReader(open("rows.csv")))
names = [launch["name"] for launch in picked]
check("a row a launch", [r["name"] for r in table] == names and len({r["family"] for r in table}) == 26
      and all(float(r["measured_seconds"]) > 0 and float(r["predicted_seconds"]) > 0 for r in table), table[:1])
classes = {r["name"].split()[1]: (r["class"], r["blend_class"], r["kind"]) for r in table}
check("addresses that data decide", classes["gather"] == ("random",) * 3 and classes["copy"][:2] == ("known",) * 2
      and "random" not in classes["copy"], classes)
errors = sorted(abs(float(r["predicted_seconds"]) / float(r["measured_seconds"]) - 1) for r in table)
stated = next(r for r in rows if r["target"] == "seconds" and r["by"] == "forest" and r["of"] == "all")
check("rows are what the tables tell", abs(sum(errors) / len(errors) / stated["mean"] - 1) < 1e-4, stated)
shares = [float(r.get("draw_" + unit, -1)) for r in table for unit in ("dram", "l1", "l2", "f32", "integer", "issue")]
check("shares of the time of levels of the memory and of units", all(0 <= share <= 1 for share in shares)
      and all(any(float(r["draw_" + level]) > 0.3 for r in table) for level in ("dram", "l1", "l2")), sorted(shares)[::50])
check("instructions by group", all(abs(float(r["draw_" + group]) - float(r[group]) * float(r["draw_instructions"]))
                                   <= 1e-6 * float(r["draw_instructions"]) for r in table for group in ("arithmetic", "logic", "control")), table[:1])
check("watts within the board's limit", all(float(r["predicted_watts"] or 1) <= 700 for r in table))
plot = xml.etree.ElementTree.parse("plot.svg").getroot()
points = [e for e in plot.iter() if e.tag.endswith("circle")]
shown = len(table) + sum(1 for r in table if r["predicted_watts"] and r["measured_watts"])
check("a point a prediction", len(points) == shown, (len(points), shown))
for option, value in (("--nested", "0"), ("--nested", "101")):
    done = run("evaluate", *given, option, value)
    check(option + " " + value, done.returncode == 2 and "CLI003" in done.stderr, done)
done = run("evaluate", *given, "--plot", "absent/plot.svg")
check("a folder that is absent", done.returncode == 3 and "CLI005" in done.stderr, done)
text = run("evaluate", *given)
check("evaluate as text", text.returncode == 0 and "## Time" in text.stdout and "## Power" in text.stdout, text)
for arguments, code in ((["train", *given], "CLI002"), (["evaluate"], "CLI002"),
                        (["train", "-o", "x", *given[:-1], "0"], "CLI003"),
                        (["evaluate", *given, "file.cu"], "CLI002")):
    done = run(*arguments)
    check(" ".join(arguments[:1]), done.returncode == 2 and code in done.stderr, done)
done = run("train", "--launches", "absent.jsonl", *given[2:], "-o", "x")
check("no such list", done.returncode == 3, done)
print(checks - failed, "passed,", failed, "failed")
sys.exit(1 if failed else 0)
