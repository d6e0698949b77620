/* The command line: one table of subcommands and one of options, from which parsing, --help, the
 * manual page and completion all come. */
#ifndef FW_OPTIONS_H
#define FW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* X(NAME, letter, text, operands, summary) */
#define SUBCOMMANDS(X)                                                                             \
    X(COUNT, 1, "count", "FILE", "operations, memory accesses and barriers of a launch")           \
    X(PREDICT, 2, "predict", "FILE", "time of a launch on a device, and what limits it")           \
    X(TRAFFIC, 32, "traffic", "FILE", "bytes and sectors at each level of the memory hierarchy")   \
    X(RANK, 64, "rank", "FILE",                                                                    \
      "one kernel over many block shapes, sizes or variants, the fastest first")                   \
    X(DIFF, 32768, "diff", "A B...",                                                               \
      "what changed between variants, launches, devices or recorded answers, by line")             \
    X(REPORT, 262144, "report", "FILE...",                                                         \
      "one HTML page: what the time goes to, memory, roofline, occupancy, advice, a ranking")      \
    X(SERVE, 524288, "serve", "",                                                                  \
      "a local web page: paste a kernel, or drop a file, and get its report")                      \
    X(EMULATE, 8, "emulate", "FILE", "run the kernel's PTX on this CPU and count what executed")   \
    X(DEVICE, 4, "device", "list|show|probe", "device profiles; a probe measures one")             \
    X(EMIT, 512, "emit", "FILE.knl", "generate OpenCL C, CUDA C++ or C from the kernel language")  \
    X(STRIP, 1024, "strip", "FILE.knl",                                                            \
      "the work remover: keep only chosen memory traffic of a kernel")                             \
    X(FEATURES, 8192, "features", "[FILE]",                                                        \
      "features of a kernel by name, for cost models; without FILE, which there are")              \
    X(TRACE, 16384, "trace", "FILE",                                                               \
      "what a warp executes, in order, and which warps do the same")                               \
    X(GENERATE, 2048, "generate", "TAG...", "measurement kernels by tags, for forewarp measure")   \
    X(CALIBRATE, 4096, "calibrate", "MODEL",                                                       \
      "fit a cost model's parameters to a table of measurements")                                  \
    X(TRAIN, 65536, "train", "--launches LIST", "train the model forest on measured launches")     \
    X(EVALUATE_FOREST, 131072, "evaluate", "--launches LIST",                                      \
      "what the model forest is off by for kernels that it has not seen")                          \
    X(MEASURE, 16, "measure", "FOLDER | ...",                                                      \
      "measure time and power on a real device, into a store")

enum subcommand {
#define X(name, bit, ...) ON_##name = (bit),
    SUBCOMMANDS(X)
#undef X
        ON_DEVICES = ON_PREDICT | ON_TRAFFIC,
    ON_EMULATING = ON_DEVICES | ON_EMULATE | ON_DIFF,
    ON_KERNELS = ON_COUNT | ON_DEVICES | ON_EMULATE | ON_FEATURES | ON_TRACE,
    ON_SOURCES = ON_KERNELS | ON_RANK | ON_DIFF | ON_REPORT, /* those that read a source */
    ON_PREDICTING = ON_DEVICES | ON_RANK | ON_DIFF | ON_REPORT,
    ON_STATIC = ON_COUNT | ON_PREDICT,
    ON_LOOPS = ON_EMIT | ON_STRIP,
    ON_TRAINING = ON_TRAIN | ON_EVALUATE_FOREST,
    ON_ALL = ON_SOURCES | ON_DEVICE | ON_MEASURE | ON_LOOPS | ON_GENERATE | ON_CALIBRATE |
             ON_TRAINING | ON_SERVE
};

/* X(NAME, short letter or 0, long name, argument or NULL, subcommands, help) */
#define OPTIONS(X)                                                                                 \
    X(KERNEL, 'k', "kernel", "KERNEL", ON_SOURCES | ON_LOOPS | ON_CALIBRATE,                       \
      "name of the kernel, if FILE has several")                                                   \
    X(GRID, 'g', "grid", "X[,Y[,Z]]", ON_SOURCES, "blocks of the grid")                            \
    X(BLOCK, 'b', "block", "X[,Y[,Z]]", ON_SOURCES, "threads of a block")                          \
    X(GLOBAL, 0, "global", "X[,Y[,Z]]", ON_KERNELS | ON_DIFF | ON_REPORT,                          \
      "OpenCL's global size; replaces -g")                                                         \
    X(SHARED, 0, "shared", "BYTES", ON_SOURCES, "dynamic shared memory of a block")                \
    X(REGISTERS, 0, "registers", "N", ON_PREDICTING,                                               \
      "registers of a thread, instead of what the compiler or the estimate says: occupancy "       \
      "follows, and what is estimated to need more counts as spilled")                             \
    X(STATIC_SHARED, 0, "static-shared", "BYTES", ON_PREDICTING,                                   \
      "static shared memory of a block, instead of what the kernel declares")                      \
    X(SET, 's', "set", "NAME=VALUE", ON_SOURCES | ON_LOOPS | ON_CALIBRATE,                         \
      "value of an argument, by name or position (-s n=4096, -s 3=4K); alignment of a "            \
      "pointer (-s p.align=16); size of an array of which data choose what is accessed (-s "       \
      "p.bytes=64M); working set and order of an array that is accessed "                          \
      "through an index (-s p.spread=4M, -s p.kind=neighbours, sorted or random); mean length of " \
      "the rows or lists that an array tells (-s p.length=300); elements that data move places "   \
      "in an array from threads' own (-s p.displacement=4); value of an unknown, a branch or "     \
      "a trip count that depends on data (-s taken@f.cu:12=0.3, -s trips@f.cu:12=80)")             \
    X(LAUNCHES, 0, "launches", "FILE",                                                             \
      ON_STATIC | ON_FEATURES | ON_CALIBRATE | ON_TRAINING | ON_REPORT,                            \
      "answer for many launches, and their total. FILE has JSON lines with file, kernel, grid, "   \
      "block, arguments, defines (variants of a source, compiled side by side) and repeats")       \
    X(SERVE, 0, "serve", NULL, ON_PREDICT,                                                         \
      "answer requests, a line of JSON each, from standard input with a line of JSON each on "     \
      "standard output, as they come, and their totals at the end; FILE, -d and other options "    \
      "are those that a request does not state (docs/serving.md)")                                 \
    X(SOCKET, 0, "socket", "PATH", ON_PREDICT,                                                     \
      "with --serve: from and to clients of this UNIX socket, which is made, until a signal ends " \
      "the program")                                                                               \
    X(FEATURE, 'f', "feature", "NAME", ON_FEATURES,                                                \
      "feature to show, by its identifier; may be given several times; the default is all that "   \
      "the kernel has")                                                                            \
    X(WARP, 0, "warp", "X[,Y[,Z]],WARP", ON_TRACE,                                                 \
      "warp to trace: block index, and the number of the warp in the block; the default is the "   \
      "first warp of the largest class")                                                           \
    X(ADVICE, 0, "advice", NULL, ON_PREDICT,                                                       \
      "what to change about the kernel or its launch, with the time that the model predicts then") \
    X(ISSUE_ORDERS, 0, "issue-orders", NULL, ON_PREDICT,                                           \
      "also the time under each order in which warps may issue, by the model trace: how much it "  \
      "depends on the device's issue_order")                                                       \
    X(LINES, 0, "lines", NULL, ON_PREDICT,                                                         \
      "show all lines of the source that take time, not the first ones")                           \
    X(METRICS, 0, "metrics", NULL, ON_PREDICT,                                                     \
      "show percentages of peak, achieved occupancy and hit rates by Nsight Compute's names")      \
    X(TIMELINE, 0, "timeline", NULL, ON_TRACE,                                                     \
      "show what the warps of one multiprocessor of -d do over time, by the model trace")          \
    X(SVG, 0, "svg", "FILE", ON_TRACE, "draw the timeline into FILE, as SVG")                      \
    X(DEVICE, 'd', "device", "DEVICE",                                                             \
      ON_PREDICTING | ON_MEASURE | ON_DEVICE | ON_CALIBRATE | ON_FEATURES | ON_TRACE |             \
          ON_TRAINING,                                                                             \
      "device profile: a name, or a file; changes may stand behind it, by value or by factor: "    \
      "h200:dram_copy_bandwidth=2x,multiprocessors=66 (what if; nothing checks it)")               \
    X(MODEL, 'm', "model", "MODEL[,MODEL]",                                                        \
      ON_PREDICT | ON_RANK | ON_DIFF | ON_REPORT | ON_TRAINING,                                    \
      "models that answer; the default is the first of these that can answer:")                    \
    X(CALIBRATION, 0, "calibration", "FILE", ON_PREDICT | ON_RANK | ON_DIFF | ON_REPORT,           \
      "calibration of a cost model, by which the model cost answers; -d may then be left out: "    \
      "the device is a black box")                                                                 \
    X(CACHE, 0, "cache", "STATE", ON_PREDICTING | ON_MEASURE | ON_FEATURES,                        \
      "state of the caches: as an identical launch before left them (warm, the default), "         \
      "or flushed (cold)")                                                                         \
    X(CLOCK, 0, "clock", "CLOCK", ON_PREDICTING,                                                   \
      "SM clock in MHz, or with its unit: 1500, 1.5GHz; the default is the profile's. No "         \
      "measurement checks answers at another")                                                     \
    X(VOLUMES, 0, "volumes", "FILE", ON_DEVICES | ON_REPORT,                                       \
      "measured counters of this launch, which replace the traffic model's volumes: a "            \
      "JSON object with Nsight Compute's names, or its CSV (--csv --page raw)")                    \
    X(VARY, 0, "vary", "NAME=VALUE,VALUE", ON_RANK | ON_REPORT,                                    \
      "values that vary; all combinations are predicted: block=256x1x1,32x8x1; "                   \
      "block=TILExROWS (sides by other values); "                                                  \
      "threads=256,512 (all block shapes of this many threads, with sides that are "               \
      "powers of two); an argument (n=1K,2K); a macro, or a constant of the kernel "               \
      "language (-DTILE=16,32); coarsening=1x1x1,1x2x1 (address expressions). The "                \
      "default is threads=256,512,1024")                                                           \
    X(WHERE, 0, "where", "CONDITION", ON_RANK | ON_REPORT,                                         \
      "only combinations that meet a condition on what varies and on what -s and -D state: "       \
      "--where 'TILE*ROWS <= 1024', --where 'threads % 32 == 0'; may be given several times")      \
    X(BEST_FOR, 0, "best-for", "NAME[,NAME]", ON_RANK | ON_REPORT,                                 \
      "the fastest configuration for each value of an argument or macro that varies")              \
    X(JOURNAL, 0, "journal", "FILE", ON_RANK,                                                      \
      "add configurations to FILE as they are done, and take those that are there: the same "      \
      "command goes on where it was ended")                                                        \
    X(PART, 0, "part", "I/N", ON_RANK,                                                             \
      "predict the I-th of N parts of the configurations, into --journal; --merge joins them")     \
    X(MERGE, 0, "merge", "FILE", ON_RANK,                                                          \
      "take the configurations of this journal; may be given several times; the others are "       \
      "predicted")                                                                                 \
    X(DOMAIN, 0, "domain", "X[,Y[,Z]]", ON_RANK | ON_REPORT,                                       \
      "points of the domain, from which the grid follows: numbers or arguments (640, nx, "         \
      "nx-8)")                                                                                     \
    X(COARSENING, 0, "coarsening", "X[,Y[,Z]]", ON_SOURCES,                                        \
      "points of a thread: replaces what address expressions state")                               \
    X(TOP, 0, "top", "N", ON_RANK,                                                                 \
      "number of configurations to show; the default is 20. JSON has all")                         \
    X(EMULATE, 0, "emulate", NULL, ON_DEVICES | ON_DIFF,                                           \
      "first run a few blocks of PTX on this CPU, with contents of arrays by --arg, and "          \
      "take shares of branches, trip counts and working sets that depend on data from "            \
      "them, instead of defaults")                                                                 \
    X(ARG, 0, "arg", "NAME=CONTENT", ON_EMULATING,                                                 \
      "content of a pointer argument: --arg p=@FILE.npy (an array that NumPy saved), "             \
      "f32[1M]:random, s32[4K]:index, u8[100]:value(7), f64[N]:random(LOW,HIGH), "                 \
      "s32[N]:ramp(LOW,STEP,JITTER), :permutation, :ones, :file:PATH; options ,seed=N "            \
      ",align=BYTES, of random ,position=N (as forewarp-measure fills argument N)")                \
    X(EVERY, 0, "every", "N", ON_EMULATE, "run only every N-th block, and scale the counts")       \
    X(BLOCKS, 0, "blocks", "N", ON_EMULATING,                                                      \
      "with --emulate: run N blocks: the first, the last, and others spread over the grid; the "   \
      "default is 64, fewer where they take long")                                                 \
    X(INSTRUCTIONS, 0, "instructions", "N", ON_EMULATING,                                          \
      "with --emulate: stop after N warp instructions, with an error; the default is 100 M")       \
    X(SEED, 0, "seed", "N", ON_EMULATING, "seed of random contents; the default is 1")             \
    X(LANGUAGE, 'x', "language", "LANGUAGE", ON_SOURCES | ON_LOOPS,                                \
      "language of FILE: ptx, cu, cl, knl or json (address expressions, for code "                 \
      "generators). The default follows from the suffix of FILE")                                  \
    X(DEFINE, 'D', "define", "NAME[=VALUE]", ON_SOURCES | ON_LOOPS,                                \
      "define a macro for the compiler, or replace a constant of the kernel language "             \
      "that 'let NAME = ...' declares: -DTILE=32")                                                 \
    X(INCLUDE, 'I', "include", "FOLDER", ON_SOURCES, "folder of headers, for the compiler")        \
    X(STANDARD, 0, "std", "STANDARD", ON_SOURCES, "language standard, for the compiler")           \
    X(COMPILER, 0, "compiler", "PROGRAM", ON_SOURCES,                                              \
      "nvcc or clang; the default is the best that is found")                                      \
    X(PTXAS, 0, "ptxas", "auto|always|never", ON_STATIC | ON_RANK | ON_DIFF | ON_REPORT,           \
      "whether ptxas gives registers, spills and static shared memory: auto, for sources "         \
      "that are compiled (not for PTX, because ptxas takes tens of milliseconds); always, also "   \
      "for PTX; never, the same estimate on every machine. The answer names the source")           \
    X(DUMP, 0, "dump", "WHAT[,WHAT]", ON_STATIC,                                                   \
      "show the result of a step instead: cfg, ssa, loops, uniformity, record, domains, "          \
      "ptx")                                                                                       \
    X(NUMBERS, 0, "numbers", NULL, ON_COUNT,                                                       \
      "leave formulas out of JSON: faster for kernels with many conditions")                       \
    X(ASSUME, 0, "assume", "CONDITION", ON_COUNT,                                                  \
      "condition on arguments and grid sizes, for simpler formulas: --assume 'n mod 16 = "         \
      "0 and n >= 16', --assume 'gridDim_x = ceil(n/256)'")                                        \
    X(STORE, 0, "store", "FILE", ON_MEASURE | ON_FEATURES | ON_CALIBRATE,                          \
      "the store; the default is $FOREWARP_STORE, or forewarp.db here")                            \
    X(CAMPAIGN, 0, "campaign", "NAME", ON_MEASURE | ON_FEATURES | ON_CALIBRATE,                    \
      "name of the campaign, in which each configuration is measured once; the default "           \
      "follows from device and backend")                                                           \
    X(BACKEND, 0, "backend", "NAME", ON_MEASURE | ON_DEVICE,                                       \
      "cuda, opencl or replay; the default is cuda, or opencl without a CUDA device")              \
    X(SIZES, 0, "sizes", "SIZE[,SIZE]", ON_MEASURE, "measure only launches of these sizes")        \
    X(KERNELS, 0, "kernels", "KERNEL[,KERNEL]", ON_MEASURE,                                        \
      "measure only launches of these kernels")                                                    \
    X(TRIALS, 0, "trials", "N", ON_MEASURE,                                                        \
      "number of single launches of each configuration; the default is 60")                        \
    X(SETTLE, 0, "settle", "SECONDS", ON_MEASURE,                                                  \
      "warm-up time of each configuration; the default is 0.1")                                    \
    X(ENERGY, 0, "energy", "SECONDS", ON_MEASURE, "measure power, for at least this time")         \
    X(TIME_LIMIT, 0, "time-limit", "SECONDS", ON_MEASURE,                                          \
      "time limit of one configuration; the default is 120")                                       \
    X(MOST_BYTES, 0, "most-bytes", "BYTES", ON_MEASURE, "leave out launches with larger buffers")  \
    X(RESTORE, 0, "restore", NULL, ON_MEASURE,                                                     \
      "restore buffers that a kernel reads and writes before each trial")                          \
    X(RETRY, 0, "retry", NULL, ON_MEASURE, "measure failed configurations again")                  \
    X(PTX, 0, "ptx", "FOLDER", ON_MEASURE,                                                         \
      "take NAME.ptx from this folder instead of compiling NAME.cu")                               \
    X(PLAN, 0, "plan", "FILE", ON_MEASURE | ON_DEVICE,                                             \
      "write the plan into this file, with its sources beside it, and measure nothing: for "       \
      "another machine")                                                                           \
    X(RECORDING, 0, "recording", "FILE", ON_MEASURE,                                               \
      "recording that the backend replay answers from")                                            \
    X(ORDER, 0, "order", "FILE", ON_MEASURE,                                                       \
      "for counters: JSON lines with the name of each profiled launch")                            \
    X(OUTPUT, 'o', "output", "PATH",                                                               \
      ON_DEVICE | ON_GENERATE | ON_CALIBRATE | ON_TRAIN | ON_REPORT,                               \
      "write the answer into this file")                                                           \
    X(MATCH, 0, "match", "CONDITION", ON_GENERATE,                                                 \
      "how a generator's tags must stand to those that are given: superset (it has all of "        \
      "them, the default), subset (it has no others), identical, intersect (it has one)")          \
    X(GENERATORS, 0, "generators", "FOLDER", ON_GENERATE,                                          \
      "folder of further generators, each NAME.tags and NAME.knl")                                 \
    X(LIST, 0, "list", NULL, ON_GENERATE,                                                          \
      "describe the generators that match, their tags, and the values of their arguments")         \
    X(COST, 0, "cost", "MODEL", ON_FEATURES,                                                       \
      "with --launches: the features that this cost model asks for, and its output")               \
    X(MEASURED, 0, "measured", "RECORDS", ON_FEATURES | ON_CALIBRATE | ON_TRAINING,                \
      "what was measured of the launches: records of forewarp-measure, or an exported campaign; "  \
      "the default is the store's")                                                                \
    X(JUDGED, 0, "judged", "FILE[,FILE]", ON_EVALUATE_FOREST,                                      \
      "lists of launches that are predicted and never trained on")                                 \
    X(ROWS, 0, "rows", "FILE", ON_EVALUATE_FOREST,                                                 \
      "write each launch, what it was measured with and predicted without its family, and its "    \
      "features into this file, as CSV")                                                           \
    X(PLOT, 0, "plot", "FILE", ON_EVALUATE_FOREST,                                                 \
      "draw predicted over measured, the distribution of errors and the importance of features "   \
      "into this file, as SVG")                                                                    \
    X(NESTED, 0, "nested", "N", ON_EVALUATE_FOREST,                                                \
      "also N iterations of nested cross-validation, and each launch left out alone")              \
    X(NESTED_ONLY, 0, "nested-only", NULL, ON_EVALUATE_FOREST,                                     \
      "with --nested: its folds, and nothing else")                                                \
    X(ABSOLUTE, 0, "absolute", NULL, ON_TRAIN,                                                     \
      "trees that predict seconds and watts themselves, from counted features alone: answers in "  \
      "microseconds, and off by far more")                                                         \
    X(RATIO_TO, 0, "ratio-to", "roofline", ON_TRAIN,                                               \
      "trees that correct the model roofline and what warps wait for, in place of the models "     \
      "traffic and trace: answers in tens of microseconds")                                        \
    X(TREES, 0, "trees", "N", ON_TRAINING, "trees of a forest; the default is 64")                 \
    X(TABLE, 0, "table", "FILE", ON_CALIBRATE,                                                     \
      "table of measurements, CSV or JSON: a row a kernel, a column a feature")                    \
    X(HOLD_OUT, 0, "hold-out", "NAME", ON_CALIBRATE,                                               \
      "row that is predicted but not fitted; * and ? stand for other characters; may be "          \
      "given several times")                                                                       \
    X(OVERLAP, 0, "overlap", "none|full|partial|auto", ON_CALIBRATE,                               \
      "how memory and on-chip costs overlap; the default is what MODEL states, or auto: the "      \
      "data choose")                                                                               \
    X(NON_NEGATIVE, 0, "non-negative", NULL, ON_CALIBRATE,                                         \
      "no parameter is below 0, unless MODEL states bounds of it")                                 \
    X(STARTS, 0, "starts", "N", ON_CALIBRATE,                                                      \
      "starts of the search, where MODEL is not linear in its parameters; the default is as "      \
      "many as it takes for three to agree, at most 8")                                            \
    X(FOR, 0, "for", "FILE.knl", ON_CALIBRATE,                                                     \
      "make measurement kernels for the accesses of this kernel that the features of MODEL do "    \
      "not count, at the sizes that -s states (-s n=2K,3K), in the new folder -o")                 \
    X(WHOLE, 0, "whole", NULL, ON_CALIBRATE,                                                       \
      "with --for: also the whole kernel and all of its memory traffic without the rest, which "   \
      "tell a later calibration how much on-chip work is hidden")                                  \
    X(EVALUATE, 0, "evaluate", "CALIBRATION", ON_CALIBRATE,                                        \
      "predict the rows of the table by this calibration, instead of fitting")                     \
    X(REPLAY, 0, "replay", "RECORDS", ON_DEVICE, "probe: use these records, and measure nothing")  \
    X(COMPARE, 0, "compare", "DEVICE", ON_DEVICE,                                                  \
      "probe: show each property beside that of this profile, and their ratio")                    \
    X(LIKE, 0, "like", "DEVICE", ON_DEVICE,                                                        \
      "probe: take properties that no recording tells from this profile, of a device of the same " \
      "compute capability")                                                                        \
    X(NAME, 0, "name", "NAME", ON_DEVICE,                                                          \
      "probe: name of the profile; the default follows from the device's name")                    \
    X(QUICK, 0, "quick", NULL, ON_DEVICE, "probe: few trials, small sizes, no power")              \
    X(SUBSCRIPTS, 0, "subscripts", NULL, ON_COUNT,                                                 \
      "kernel language: also count arithmetic in subscripts")                                      \
    X(CONTRACT, 0, "contract", NULL, ON_COUNT,                                                     \
      "kernel language: count an addition of a product as one madd")                               \
    X(TARGET, 0, "target", "LANGUAGE", ON_LOOPS,                                                   \
      "opencl, cuda, c, or knl: the kernel itself, as its transformations left it. The "           \
      "default is opencl for emit and knl for strip")                                              \
    X(REMOVE, 0, "remove", "ARRAY[,ARRAY]", ON_STRIP,                                              \
      "arrays whose accesses are removed too; accesses of other arrays in global memory "          \
      "stay")                                                                                      \
    X(PORT, 0, "port", "NUMBER", ON_SERVE,                                                         \
      "port of 127.0.0.1 to listen at; the default is 8470, and 0 takes a free one")               \
    X(LIMIT, 0, "limit", "SECONDS", ON_ALL,                                                        \
      "wall time that the command may take, compilers included; then it ends with an error. "      \
      "Without it, the analysis of one kernel ends after 10 s of processor time; emulation, "      \
      "measuring and rankings as a whole have no limit")                                           \
    X(JSON, 0, "json", NULL, ON_ALL, "give the answer as JSON, for programs")                      \
    X(HELP, 'h', "help", NULL, ON_ALL, "show this text")                                           \
    X(VERSION, 0, "version", NULL, ON_ALL, "show the version")

/* What an option means to some subcommands alone, in place of its help above:
 * X(NAME, subcommands, help) */
#define OPTION_MEANINGS(X)                                                                         \
    X(GRID, ON_RANK | ON_REPORT,                                                                   \
      "blocks of the grid; for a ranking also expressions: --grid 'ceil(n/TILE),m'")               \
    X(SET, ON_LOOPS, "value of an argument, by name (-s n=4096)")                                  \
    X(SET, ON_CALIBRATE, "with --for: sizes of the measurement kernels (-s n=2K,3K)")              \
    X(LAUNCHES, ON_REPORT,                                                                         \
      "the launches of this list, each with its account, in place of FILE. It has JSON lines "     \
      "with file, kernel, grid, block, arguments and defines")                                     \
    X(LAUNCHES, ON_FEATURES | ON_CALIBRATE,                                                        \
      "a table of the launches of this list, or of a folder's launches.json, a row a launch; may " \
      "be given several times")                                                                    \
    X(LAUNCHES, ON_TRAINING,                                                                       \
      "the measured launches: a list of JSON lines, or a folder's launches.json; may be given "    \
      "several times")                                                                             \
    X(DEVICE, ON_PREDICT | ON_DIFF,                                                                \
      "device profile: a name, or a file; changes may stand behind it, by value or by factor: "    \
      "h200:dram_copy_bandwidth=2x,multiprocessors=66 (what if; nothing checks it). Several, "     \
      "h200,a100, are compared: predict gives a row for each, the fastest first")                  \
    X(DEVICE, ON_MEASURE | ON_DEVICE, "number of the device, from 0")                              \
    X(DEVICE, ON_CALIBRATE, "name of the device, which the calibration states")                    \
    X(MODEL, ON_TRAINING, "what is trained: forest (the default), or blend")                       \
    X(CACHE, ON_PREDICT,                                                                           \
      "state of the caches: as an identical launch before left them (warm, the default), or "      \
      "flushed (cold); with --launches also as the launches before have left them, by the names "  \
      "of their arrays (sequence; docs/applications.md)")                                          \
    X(CACHE, ON_MEASURE, "caches before each launch: warm (the default), or flushed (cold)")       \
    X(COARSENING, ON_RANK | ON_REPORT,                                                             \
      "points of a thread: replaces what address expressions state; for code, the grid of a "      \
      "ranking follows from it")                                                                   \
    X(BLOCKS, ON_EMULATE,                                                                          \
      "run only N blocks: the first, the last, and others spread over the grid")                   \
    X(INSTRUCTIONS, ON_EMULATE,                                                                    \
      "stop after N warp instructions, with an error; the default is 20 G")                        \
    X(LANGUAGE, ON_COUNT,                                                                          \
      "language of FILE: ptx, cu, cl, knl, json (address expressions, for code generators) or "    \
      "set (a set in isl's notation). The default follows from the suffix of FILE")                \
    X(LANGUAGE, ON_LOOPS, "language of FILE: knl, as which standard input (-) is to be read")      \
    X(PLAN, ON_DEVICE,                                                                             \
      "probe: write the plan into this folder, with its sources beside it, and measure nothing: "  \
      "for another machine")                                                                       \
    X(OUTPUT, ON_DEVICE, "probe: measure into this file; what it holds is not measured again")     \
    X(OUTPUT, ON_GENERATE,                                                                         \
      "write kernels and launches.json to this new folder; without it, nothing is written")        \
    X(OUTPUT, ON_CALIBRATE,                                                                        \
      "write the calibration into this file; with --for, kernels into this new folder")            \
    X(OUTPUT, ON_TRAIN, "write the forest into this file; where it ends in .c, as C")              \
    X(OUTPUT, ON_REPORT, "write the page into this file")                                          \
    X(MEASURED, ON_TRAINING,                                                                       \
      "what was measured of the launches: records of forewarp-measure, or exported campaigns, "    \
      "separated by commas")

enum option_index {
#define X(name, ...) OPTION_##name,
    OPTIONS(X)
#undef X
        OPTION_COUNT
};

enum { MOST_VALUES = 256 };

/* What the command line asked for. */
struct request {
    const struct subcommand_row *subcommand;
    const char *values[OPTION_COUNT]; /* the last one given; "" for options without an argument */
    const char *set[MOST_VALUES], *defines[MOST_VALUES], *includes[MOST_VALUES],
        *contents[MOST_VALUES], *varied[MOST_VALUES], *generators[MOST_VALUES],
        *held_out[MOST_VALUES], *features[MOST_VALUES], *launches[MOST_VALUES],
        *conditions[MOST_VALUES], *merged[MOST_VALUES];
    double limit; /* of --limit, in seconds; 0: none is given */
    size_t set_count, define_count, include_count, content_count, varied_count, generator_count,
        held_out_count, feature_count, launch_count, condition_count, merged_count;
    const struct fw_launch_item *compiled; /* what it states of the compiler counts; NULL: none */
    char **operands;
    int operand_count;
};

struct subcommand_row {
    enum subcommand bit;
    const char *text;
    const char *operands;
    const char *summary;
};

extern const struct subcommand_row subcommands[];
extern const size_t subcommand_count;

/* Reads the arguments; false, with a sentence on standard error, when they make no sense. */
bool options_read(struct request *request, int count, char **arguments);

/* Further arguments on top of those that were read, as behind the subcommand; likewise. */
bool options_add(struct request *request, int count, char **arguments);

/* Help for one subcommand, or for the program when it is NULL. */
void options_help(FILE *out, const struct subcommand_row *subcommand);

/* The manual page (roff) and bash completion. */
void options_manual(FILE *out);
void options_completion(FILE *out);

/* "X[,Y[,Z]]" or "XxYxZ", K, M and G allowed, missing ones 1; false when it is something else. */
bool options_triple(uint32_t at[3], const char *text);

/* A whole number, K, M or G allowed. */
bool options_bytes(uint64_t *bytes, const char *text);

#endif
