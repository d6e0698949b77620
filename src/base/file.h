/* Files of others, opened for reading: nothing that is opened here waits for ever.  And files that
 * are written, each whole or not at all.
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

/* Why nothing can stand in place of what `path` names: it is there, and no regular file.  NULL: a
 * file can, as far as this tells. */
const char *fw_file_refuses(const char *path);

/* Writes `length` bytes as the regular file `path`, which lands whole or not at all: beside it
 * first, then in its place.  A link keeps its place, and the file that it names is replaced.  NULL,
 * or why it cannot be written (a text that lives on).  `scratch` holds names. */
const char *fw_file_replace(struct fw_arena *scratch, const char *path, const char *text,
                            size_t length);

/* Makes the folders of a path that are not there yet, but for its last part.  What cannot be made
 * is told when the file cannot be written. */
void fw_file_make_folders(struct fw_arena *scratch, const char *path);

#endif
