/* Surroundings for the tests of src/compile: a folder, a compiler or a loud skip, and what was
 * told.
 *
 * Every test has a place (`set_up`, `tear_down`: nothing may be left in the temporary folder).
 * Tests that need nvcc, clang or libclc call `use`, which skips loudly where those are absent. */
#ifndef FW_COMPILE_TESTING_H
#define FW_COMPILE_TESTING_H

#include "compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What no compiler may read: in root/secret.h. */
extern const char secret[];
/* A CUDA source that compiles. */
extern const char plain[];

/* One test's surroundings: a folder with sources, one for temporary files, and what was told. */
struct place {
    struct fw_arena *arena;
    const char *root;   /* removed at the end */
    const char *folder; /* root/user: the sources */
    const char *data;
    char told[16384];      /* "CODE message\n", notes included */
    unsigned line, column; /* of the first diagnostic */
    size_t runs;           /* how often a warning ended in ": ran" */
};

/* A sink's function; `user` is the place. */
void hear(void *user, const struct fw_diagnostic *diagnostic);

/* A file in the root, and its path; a script that answers like clang 14 and then does `body`. */
const char *write_file(struct place *place, const char *name, const char *text);
const char *write_script(struct place *place, const char *name, const char *body);

int set_up(void **state);
int tear_down(void **state);

enum tool { TOOL_NVCC, TOOL_CLANG, TOOL_LIBCLC };

/* Options for a tool, or a loud skip. */
struct fw_compile_options use(struct place *place, enum tool tool);

/* Compiles a file, and keeps what was told. */
enum fw_status build(struct place *place, struct fw_compiled *compiled, const char *path,
                     const struct fw_compile_options *options);

/* "kernel(name:type|flags, ...)" of each; flags * const restrict by letter. */
const char *show(struct fw_arena *arena, const struct fw_signatures *signatures);

#define assert_told(place, text)                                                                   \
    do {                                                                                           \
        if (!strstr((place)->told, text))                                                          \
            fail_msg("not told \"%s\" but:\n%s", text, (place)->told);                             \
    } while (0)

#define assert_built(status, place)                                                                \
    do {                                                                                           \
        if ((status) != FW_OK)                                                                     \
            fail_msg("status %d:\n%s", (int)(status), (place)->told);                              \
    } while (0)

#endif
