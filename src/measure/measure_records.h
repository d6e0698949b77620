/* The file of records: one JSON object a line, appended, each on disk before it is called done.
 *
 * Opening locks the file against a second campaign, drops an unfinished last line (what a power cut
 * or a full disk left) and remembers which configurations it has. */
#ifndef FW_MEASURE_RECORDS_H
#define FW_MEASURE_RECORDS_H

#include "measure_text.h"

struct fw_recorded {
    uint64_t fingerprint;
    bool failed;
};

struct fw_records {
    const char *path;
    int file;
    uint64_t size;
    struct fw_recorded *rows;
    size_t count;
    char *device, *driver, *backend; /* of the last setup line; NULL in a new file */
};

/* Opens or makes the file.  `*dropped`: bytes of an unfinished last line that were cut off. */
bool fw_records_open(struct fw_records *records, const char *path, uint64_t *dropped,
                     struct fw_reason *reason);
/* Whether a configuration need not run: it is recorded, and, with `retry`, did not fail. */
bool fw_records_has(const struct fw_records *records, uint64_t fingerprint, bool retry);
/* Appends a line (without its newline) and waits for the disk.  On failure the file is as before.
 */
bool fw_records_append(struct fw_records *records, const char *line, struct fw_reason *reason);
void fw_records_close(struct fw_records *records);

#endif
