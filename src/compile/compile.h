/* Compiling: CUDA C++ and OpenCL C to PTX, by nvcc or clang as a confined child process.
 *
 * Takes a source (a file, or text), options and limits; gives PTX, the compiler and flags that made
 * it, the files that it depends on, and the kernels' signatures as the source wrote them.  Sources
 * come from anybody: the compiler runs without a shell, under limits of time, memory, processes and
 * file size, in a folder of its own that is removed afterwards, and the operating system forbids it
 * (confinement.h) every file but its toolchain's, those of the source's own folder and of the
 * stated include folders, and the network; whether another file is there it can learn
 * (__has_include). Where the system forbids nothing, the text is preprocessed once, the files that
 * were opened are checked, and what is compiled holds no directive.  Results are cached by content.
 * Runs no compiled code, needs no CUDA toolkit for self-contained kernels when clang is there,
 * never writes beside the source.
 */
#ifndef FW_COMPILE_H
#define FW_COMPILE_H

#include "arena.h"
#include "diagnostic.h"
#include "signature.h"
#include "status.h"

#include <stdbool.h>
#include <stdint.h>

enum fw_language { FW_LANGUAGE_CUDA, FW_LANGUAGE_OPENCL };

enum fw_compiler_kind { FW_COMPILER_NVCC, FW_COMPILER_CLANG };

/* A compiler of this machine. */
struct fw_compiler {
    enum fw_compiler_kind kind;
    enum fw_language language; /* what it was found for */
    const char *path;
    const char *version;  /* "13.0.88" */
    unsigned major;       /* 13 */
    const char *identity; /* version; path, size and date of its programs: others differ in it */
    const char *library;  /* OpenCL: libclc's bitcode; and its path, size and date, "" without */
    const char *library_identity;
    const char *const *system_folders; /* where its own headers are, real paths */
    size_t system_folder_count;
    const char *const *programs; /* real paths, its own first; `path` may be a wrapper of another */
    size_t program_count;
};

struct fw_compile_options {
    enum fw_language language;
    const char *const *defines; /* "NAME" or "NAME=VALUE" (-D) */
    size_t define_count;
    const char *const *includes; /* folders (-I) */
    size_t include_count;
    const char *standard; /* "c++17", "CL1.2"; NULL: the compiler's own */
    unsigned target;      /* compute capability as 10 major + minor: 90; 0: 90.  Clang takes the
                             highest that it knows when that is less */
    const char *compiler; /* a path, or a name to be looked for in $PATH; NULL: the best there is */
    const char
        *data; /* folder that holds forewarp_cuda.h and forewarp_opencl.h for clang; NULL: none */
    const char *cache; /* folder of the cache (fw_compile_cache_folder); NULL: no cache */
    unsigned seconds;  /* 0: 60 */
    uint64_t memory;   /* bytes a process; 0: 4 GiB (nvcc), 2 GiB (clang); to preprocess: 1 GiB */
    uint64_t output;   /* bytes a file; 0: 64 MiB */
    const struct fw_compiler *found; /* a compiler that fw_compiler_find gave; NULL: it is found */
};

/* What lines of PTX call a text that came without a file. */
#define FW_COMPILE_TEXT_CUDA   "source.cu"
#define FW_COMPILE_TEXT_OPENCL "source.cl"

/* What to compile: a file (`path`), or `text` of `length` bytes when `text` is not NULL; `path`
 * then is what diagnostics call it. */
struct fw_compile_input {
    const char *path;
    const char *text;
    size_t length;
};

struct fw_compiled {
    const char *ptx; /* zero-terminated */
    size_t ptx_length;
    const struct fw_source *source; /* the text that was compiled: signatures point into it */
    struct fw_signatures signatures;
    const char *compiler; /* "nvcc 13.0.88" */
    const char *command;  /* the compiler's name and all flags, without our scratch folder's name */
    const char *const *dependencies; /* paths of included files that are not the compiler's own */
    size_t dependency_count;
    const char *confinement; /* how the compiler was confined: "landlock", "namespace", "none" */
    bool cached;             /* came from the cache */
};

/* Finds a compiler for the options' language: nvcc in $PATH, $CUDA_HOME, $CUDA_PATH (without these
 * two in /usr/local/cuda), else the newest clang for CUDA; clang with a libclc of its own LLVM
 * version for OpenCL. FW_ERROR_MACHINE (CMP001, with what to install) when there is none. */
enum fw_status fw_compiler_find(struct fw_compiler *compiler, struct fw_arena *arena,
                                const struct fw_compile_options *options,
                                const struct fw_sink *sink);

/* Compiles one source.  All results live in the arena.
 * FW_ERROR_INPUT: errors of the source (CMP010), a file that it must not read (CMP004, CMP005), too
 * much time (CMP006), memory (CMP007) or output (CMP008), a compiler that crashed on it (CMP009).
 * FW_ERROR_USAGE: an option that makes no sense (CMP003).  FW_ERROR_MACHINE: no compiler (CMP001),
 * an unreadable source (CMP002), no scratch folder or process (CMP012).  FW_ERROR_MEMORY: the
 * arena. */
enum fw_status fw_compile(struct fw_compiled *compiled, struct fw_arena *arena,
                          const struct fw_compile_input *input,
                          const struct fw_compile_options *options, const struct fw_sink *sink);

/* One of many. */
struct fw_compile_job {
    struct fw_compile_input input;
    struct fw_compile_options options;
    struct fw_compiled compiled; /* result */
    enum fw_status status;       /* result */
};

/* Told after each finished job, one call at a time, from any thread; may be NULL. */
struct fw_compile_progress {
    void (*tell)(void *user, size_t done, size_t total);
    void *user;
};

/* Compiles `count` jobs on `workers` threads (0: one a processor), each with a child of its own;
 * each compiler is looked for once.  Results and diagnostics come in the jobs' order.  FW_OK when
 * all are; else the first status that is not, and the other jobs are done all the same. */
enum fw_status fw_compile_batch(struct fw_compile_job *jobs, size_t count, unsigned workers,
                                struct fw_arena *arena, const struct fw_compile_progress *progress,
                                const struct fw_sink *sink);

/* $XDG_CACHE_HOME/forewarp, else $HOME/.cache/forewarp; NULL without either. */
const char *fw_compile_cache_folder(struct fw_arena *arena);

#endif
