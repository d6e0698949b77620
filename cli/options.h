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
    X(PREDICT, 2, "predict", "FILE", "how long a launch takes on a device, and what limits it")    \
    X(TRAFFIC, 32, "traffic", "FILE", "bytes and sectors at each level of the memory hierarchy")   \
    X(RANK, 64, "rank", "FILE", "a kernel over many block shapes, sizes or variants, best first")  \
    X(EMULATE, 8, "emulate", "FILE", "run the kernel's PTX on this CPU and count what executed")   \
    X(DEVICE, 4, "device", "show DEVICE | ...",                                                    \
      "profiles: what is known of each device; a probe finds it out")                              \
    X(EMIT, 512, "emit", "FILE.knl", "code from the kernel language: OpenCL C, CUDA C++, plain C") \
    X(STRIP, 1024, "strip", "FILE.knl",                                                            \
      "the work remover: what is left is the memory traffic asked for")                            \
    X(MEASURE, 16, "measure", "FOLDER | ...", "time and power on a real device, into a store")

enum subcommand {
#define X(name, bit, ...) ON_##name = (bit),
    SUBCOMMANDS(X)
#undef X
        ON_DEVICES = ON_PREDICT | ON_TRAFFIC,
    ON_KERNELS = ON_COUNT | ON_DEVICES | ON_EMULATE,
    ON_SOURCES = ON_KERNELS | ON_RANK, /* those that read a source */
    ON_PREDICTING = ON_DEVICES | ON_RANK,
    ON_STATIC = ON_COUNT | ON_PREDICT,
    ON_LOOPS = ON_EMIT | ON_STRIP,
    ON_ALL = ON_SOURCES | ON_DEVICE | ON_MEASURE | ON_LOOPS
};

/* X(NAME, short letter or 0, long name, argument or NULL, subcommands, help) */
#define OPTIONS(X)                                                                                 \
    X(KERNEL, 'k', "kernel", "KERNEL", ON_SOURCES | ON_LOOPS, "the kernel, when FILE has several") \
    X(GRID, 'g', "grid", "X[,Y[,Z]]", ON_SOURCES, "blocks of the grid")                            \
    X(BLOCK, 'b', "block", "X[,Y[,Z]]", ON_SOURCES, "threads of a block")                          \
    X(GLOBAL, 0, "global", "X[,Y[,Z]]", ON_KERNELS, "OpenCL's global size, instead of -g")         \
    X(SHARED, 0, "shared", "BYTES", ON_SOURCES, "dynamic shared memory of a block")                \
    X(SET, 's', "set", "NAME=VALUE", ON_SOURCES | ON_LOOPS,                                        \
      "an argument by name or position (-s n=4096, -s 3=4K), an alignment (-s p.align=16), over "  \
      "how many bytes of an array addresses that depend on data are drawn (-s p.spread=4M), or "   \
      "what "                                                                                      \
      "is not known before the kernel runs (-s taken@f.cu:12=0.3, -s trips@f.cu:12=80)")           \
    X(LAUNCHES, 0, "launches", "FILE", ON_STATIC,                                                  \
      "many launches, JSON lines with file, kernel, grid, block, arguments, defines (variants of " \
      "a source, compiled side by side) and repeats; their total")                                 \
    X(DEVICE, 'd', "device", "DEVICE", ON_PREDICTING | ON_MEASURE | ON_DEVICE,                     \
      "the device: a profile's name, or a file; for measure and probe, which one, from 0")         \
    X(MODEL, 'm', "model", "MODEL[,MODEL]", ON_PREDICT | ON_RANK, "the models to ask; the first of these that can answer if nothing is said:") \
    X(CACHE, 0, "cache", "warm|cold", ON_PREDICTING | ON_MEASURE,                                  \
      "caches as an identical launch before left them (warm, the default), or flushed")            \
    X(CLOCK, 0, "clock", "MHZ", ON_PREDICTING, "another clock of the multiprocessors")             \
    X(VOLUMES, 0, "volumes", "FILE", ON_DEVICES,                                                   \
      "measured counters of this launch for the traffic model's limiters, in place of its "        \
      "volumes: a JSON object by Nsight Compute's names, or its CSV (--csv --page raw)")           \
    X(VARY, 0, "vary", "NAME=VALUE,VALUE", ON_RANK,                                                \
      "what varies, each with all others: block=256x1x1,32x8x1, threads=256,512 (all block "       \
      "shapes "                                                                                    \
      "of so many threads, in powers of two), an argument (n=1K,2K), a macro or a constant of the "\
      "kernel language (-DTILE=16,32), "                                                           \
      "coarsening=1x1x1,1x2x1 (address expressions); threads=256,512,1024 if nothing is said")     \
    X(DOMAIN, 0, "domain", "X[,Y[,Z]]", ON_RANK,                                                   \
      "points of the domain, that the grid follows from: numbers or arguments (640, nx, nx-8)")    \
    X(COARSENING, 0, "coarsening", "X[,Y[,Z]]", ON_SOURCES,                                        \
      "points of a thread: of address expressions, instead of what they say; of code, for the "    \
      "grids of rank")                                                                             \
    X(TOP, 0, "top", "N", ON_RANK, "how many are shown; 20. JSON has all")                         \
    X(ARG, 0, "arg", "NAME=CONTENT", ON_EMULATE,                                                   \
      "what a pointer points to: --arg p=f32[1M]:random, s32[4K]:index, u8[100]:value(7), "        \
      "f64[N]:random(LOW,HIGH), :permutation, :ones, :file:PATH; options ,seed=N ,align=BYTES")    \
    X(EVERY, 0, "every", "N", ON_EMULATE, "run every N-th block only, and scale the counts up")    \
    X(LIMIT, 0, "limit", "N", ON_EMULATE, "stop after N warp instructions")                        \
    X(SEED, 0, "seed", "N", ON_EMULATE, "seed of random contents; 1")                              \
    X(LANGUAGE, 'x', "language", "LANGUAGE", ON_SOURCES | ON_LOOPS,                                \
      "ptx, cu, cl, knl or json (address expressions, for code generators), else the suffix of "   \
      "FILE tells; count also takes set, a set in isl's notation")                                 \
    X(DEFINE, 'D', "define", "NAME[=VALUE]", ON_SOURCES | ON_LOOPS,                                \
      "a macro, for the compiler; of the kernel language, the constant that 'let NAME = ...' "     \
      "declares: -DTILE=32")                                                                       \
    X(INCLUDE, 'I', "include", "FOLDER", ON_SOURCES, "a folder of headers, for the compiler")      \
    X(STANDARD, 0, "std", "STANDARD", ON_SOURCES, "the language's standard, for the compiler")     \
    X(COMPILER, 0, "compiler", "PROGRAM", ON_SOURCES, "nvcc or clang, instead of the best found")  \
    X(PTXAS, 0, "ptxas", "auto|always|never", ON_STATIC | ON_RANK,                                 \
      "registers, spills and static shared memory from ptxas when there is one: auto, for "        \
      "sources that are compiled (for PTX only what an earlier run left in the cache: ptxas "      \
      "takes tens of milliseconds); always, for PTX, too; never, the same estimate everywhere. "   \
      "The answer names its source")                                                               \
    X(DUMP, 0, "dump", "WHAT[,WHAT]", ON_STATIC,                                                   \
      "show what a step left instead: cfg, ssa, loops, uniformity, record, domains, ptx")          \
    X(NUMBERS, 0, "numbers", NULL, ON_COUNT,                                                       \
      "no formulas in JSON: quicker for kernels with many conditions")                             \
    X(ASSUME, 0, "assume", "CONDITION", ON_COUNT,                                                  \
      "what is known of arguments and grid sizes, for simpler formulas: --assume "                 \
      "'n mod 16 = 0 and n >= 16', --assume 'gridDim_x = ceil(n/256)'")                            \
    X(STORE, 0, "store", "FILE", ON_MEASURE,                                                       \
      "the store; else $FOREWARP_STORE, else forewarp.db here")                                    \
    X(CAMPAIGN, 0, "campaign", "NAME", ON_MEASURE,                                                 \
      "the campaign, whose configurations are measured once; named after device and backend")      \
    X(BACKEND, 0, "backend", "NAME", ON_MEASURE | ON_DEVICE,                                       \
      "cuda, opencl or replay; else cuda, and opencl without a CUDA device")                       \
    X(SIZES, 0, "sizes", "SIZE[,SIZE]", ON_MEASURE, "only launches of these sizes")                \
    X(KERNELS, 0, "kernels", "KERNEL[,KERNEL]", ON_MEASURE, "only launches of these kernels")      \
    X(TRIALS, 0, "trials", "N", ON_MEASURE, "single launches of each; 60")                         \
    X(SETTLE, 0, "settle", "SECONDS", ON_MEASURE, "of warming up; 0.1")                            \
    X(ENERGY, 0, "energy", "SECONDS", ON_MEASURE, "measure power, over so long")                   \
    X(TIME_LIMIT, 0, "time-limit", "SECONDS", ON_MEASURE, "for one configuration; 120")            \
    X(MOST_BYTES, 0, "most-bytes", "BYTES", ON_MEASURE, "leave launches with larger buffers out")  \
    X(RESTORE, 0, "restore", NULL, ON_MEASURE,                                                     \
      "give buffers that a kernel reads and writes their content back before each trial")          \
    X(RETRY, 0, "retry", NULL, ON_MEASURE, "measure again what failed")                            \
    X(PTX, 0, "ptx", "FOLDER", ON_MEASURE,                                                         \
      "take NAME.ptx from there instead of compiling NAME.cu")                                     \
    X(PLAN, 0, "plan", "FILE", ON_MEASURE | ON_DEVICE,                                             \
      "write the plan there (probe: into that folder), its sources beside it, and measure "        \
      "nothing: for another machine")                                                              \
    X(RECORDING, 0, "recording", "FILE", ON_MEASURE, "what the backend replay answers from")       \
    X(ORDER, 0, "order", "FILE", ON_MEASURE,                                                       \
      "for counters: JSON lines with the name of each launch that was profiled")                   \
    X(OUTPUT, 'o', "output", "RECORDS", ON_DEVICE,                                                 \
      "probe: measure, into this file; what it holds is not measured again")                       \
    X(REPLAY, 0, "replay", "RECORDS", ON_DEVICE,                                                   \
      "probe: take what these records say, and measure nothing")                                   \
    X(COMPARE, 0, "compare", "DEVICE", ON_DEVICE,                                                  \
      "probe: each figure beside that profile's, and their ratio")                                 \
    X(NAME, 0, "name", "NAME", ON_DEVICE, "probe: of the profile; else made of the device's own")  \
    X(QUICK, 0, "quick", NULL, ON_DEVICE, "probe: few trials, small sizes, no power")              \
    X(SUBSCRIPTS, 0, "subscripts", NULL, ON_COUNT,                                                 \
      "kernel language: count arithmetic in subscripts, too")                                      \
    X(CONTRACT, 0, "contract", NULL, ON_COUNT,                                                     \
      "kernel language: an add that takes a product is one madd with it")                          \
    X(TARGET, 0, "target", "LANGUAGE", ON_LOOPS,                                                   \
      "opencl, cuda, c, or knl: the kernel itself, as its transformations left it; emit: opencl, " \
      "strip: knl")                                                                                \
    X(REMOVE, 0, "remove", "ARRAY[,ARRAY]", ON_STRIP,                                              \
      "arrays whose accesses go, too; the others' accesses of global memory stay")                 \
    X(JSON, 0, "json", NULL, ON_ALL, "the answer as JSON, for programs")                           \
    X(HELP, 'h', "help", NULL, ON_ALL, "this text")                                                \
    X(VERSION, 0, "version", NULL, ON_ALL, "the version")

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
        *contents[MOST_VALUES], *varied[MOST_VALUES];
    size_t set_count, define_count, include_count, content_count, varied_count;
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
