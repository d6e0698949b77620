/* Launch lists: the launches of an application, one JSON object each.
 *
 * Takes a text of JSON lines, or one JSON array of the same objects: file, kernel, grid, block,
 * shared memory, arguments, contents of arrays, definitions, family, repeats (include/forewarp.h,
 * fw_launch_list_read).  Gives the public interface's plain records.  Files are named as seen from
 * the list's own folder.  Never opens a file, never looks whether a file or kernel is there. */
#ifndef FW_LAUNCHES_READER_H
#define FW_LAUNCHES_READER_H

#include "arena.h"
#include "diagnostic.h"

#include "forewarp.h"

struct fw_launch_items {
    struct fw_launch_item *at;
    size_t count, capacity;
};

/* Reads a text; the items' texts are the arena's.  `path` is what the user called the list: its
 * folder is where files are, and diagnostics name it.
 * FW_ERROR_INPUT (API040, with its place): not JSON, not a launch, or there is none. */
enum fw_status fw_launches_read(struct fw_launch_items *items, struct fw_arena *arena,
                                const struct fw_source *source, const char *path,
                                const struct fw_sink *sink);

#endif
