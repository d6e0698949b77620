/* PTX of a source, made by a compiler of this machine when the test runs.
 *
 * Takes "compile:COMPILER[@TARGET]:DATA": COMPILER is nvcc or clang (for .cu files) or opencl
 * (clang with libclc, for the .cl twin of a .cu file), TARGET a compute capability (100); DATA is
 * the folder of the compilers' own headers.  What is compiled is kept below $XDG_CACHE_HOME, where
 * that is set. */
#ifndef COMPILED_PTX_H
#define COMPILED_PTX_H

#include "compile.h"

enum compiled { COMPILED, COMPILED_NO_SOURCE, COMPILED_REFUSED };

/* Whether `how` asks for compiling. */
bool compiled_asked(const char *how);

/* Whether the compiler is there; what it is called (in the arena), or why it is not, in `name`. */
bool compiled_available(const char **name, struct fw_arena *arena, const char *how);

/* The PTX of `source` (a .cu file), zero-terminated, in the arena. */
enum compiled compiled_ptx(const char **ptx, size_t *length, struct fw_arena *arena,
                           const char *how, const char *source);

#endif
