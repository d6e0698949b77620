/* An example kernel as tests see it: read from PTX, with its record and the source's argument
 * names. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "launch.h"
#include "record.h"

struct subject {
    struct fw_arena *arena; /* of everything here but `bound` */
    struct fw_function *function;
    struct fw_kernel *kernel;
    struct fw_launch *launch;
    struct fw_bound *bound;
    char message[512]; /* the last diagnostic's */
};

/* Reads `kernel_name` from a PTX file and names its arguments by a source file.  False with
 * `message`. */
bool subject_build(struct subject *subject, const char *ptx_path, const char *source_path,
                   const char *kernel_name);

/* The same from PTX as text, which lives as long as the subject; `name` is what it is called. */
bool subject_read(struct subject *subject, const char *name, const char *text, size_t length,
                  const char *source_path, const char *kernel_name);

/* All of a file, zero-terminated, in the arena; NULL without. */
char *subject_file(struct fw_arena *arena, const char *path, size_t *length);

/* A sink for the subject's messages. */
struct fw_sink subject_sink(struct subject *subject);

#endif
