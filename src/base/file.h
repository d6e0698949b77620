/* Files of others, opened for reading: nothing that is opened here waits for ever.
 *
 * Takes a path from anyone; gives an open descriptor of a regular file or, where a stream makes
 * sense (a source, a list), of a pipe or a terminal too.  What is neither is refused with a
 * sentence: a folder, a socket, a device, a named pipe that nobody writes to.  Never reports. */
#ifndef FW_FILE_H
#define FW_FILE_H

#include "diagnostic.h"

#include <stdbool.h>
#include <stdio.h>

/* Seconds that a named pipe is given until somebody writes to it. */
enum { FW_FILE_WAIT_SECONDS = 5 };

/* Opens `path` for reading.  With `stream`, what is no regular file but can be read to its end is
 * taken too.  NULL, and why in `*why` (a text that lives on): it cannot be.  The caller closes. */
FILE *fw_file_open(const char *path, bool stream, const char **why);

/* The whole text of a regular file of at most `most` bytes, into the arena; the source's name is
 * the path.  NULL, or why it cannot be read, a part of a sentence in the arena. */
const char *fw_file_text(struct fw_source *source, struct fw_arena *arena, const char *path,
                         size_t most);

#endif
