/* See measure_records.h. */
#include "measure_records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void remember(struct fw_records *records, const char *line)
{
    char *kind = fw_json_string(line, "record");
    char *fingerprint = fw_json_string(line, "fingerprint");
    char *status = fw_json_string(line, "status");
    if (kind && strcmp(kind, "setup") == 0) {
        free(records->device);
        free(records->driver);
        free(records->backend);
        records->device = fw_json_string(line, "device");
        records->driver = fw_json_string(line, "driver");
        records->backend = fw_json_string(line, "backend");
    } else if (kind && fingerprint && status) {
        records->rows = realloc(records->rows, (records->count + 1) * sizeof *records->rows);
        if (!records->rows)
            exit(3);
        records->rows[records->count++] =
            (struct fw_recorded){strtoull(fingerprint, NULL, 16), strcmp(status, "done") != 0};
    }
    free(kind);
    free(fingerprint);
    free(status);
}

/* Reads the complete lines; gives the size up to the last newline. */
static bool read_lines(struct fw_records *records, struct fw_reason *reason, uint64_t *size)
{
    struct fw_growing content = {0};
    bool good = fw_file_read(&content, records->path, reason);
    char *line = content.text;
    uint32_t number = 1;
    for (char *end; good && (end = strchr(line, '\n')); line = end + 1, number++) {
        *end = '\0';
        if (line[0] != '{' || end[-1] != '}')
            good = fw_reason_set(reason, "%s:%u:1: not a record: is this a file of records?",
                                 records->path, number);
        else if (!fw_json_format_known(line))
            good = fw_reason_set(reason,
                                 "%s:%u:1: records of a format that this program does not know: "
                                 "it knows 1",
                                 records->path, number);
        else
            remember(records, line);
    }
    if (good && strlen(line) != content.length - (size_t)(line - content.text))
        good = fw_reason_set(reason, "%s:%u:1: holds a zero byte: not a file of records",
                             records->path, number);
    *size = good ? (uint64_t)(line - content.text) : 0;
    if (good)
        records->size = content.length;
    free(content.text);
    return good;
}

bool fw_records_open(struct fw_records *records, const char *path, uint64_t *dropped,
                     struct fw_reason *reason)
{
    struct stat about;
    uint64_t whole = 0;
    *dropped = 0;
    memset(records, 0, sizeof *records);
    records->path = path;
    records->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (records->file < 0)
        return fw_reason_set(reason, "%s: %s", path, strerror(errno));
    if (fstat(records->file, &about) != 0 || !S_ISREG(about.st_mode))
        return fw_reason_set(reason, "%s: not a regular file", path);
    if (flock(records->file, LOCK_EX | LOCK_NB) != 0)
        return fw_reason_set(reason, "%s: another campaign writes to this file", path);
    if (!read_lines(records, reason, &whole))
        return false;
    *dropped = records->size - whole;
    if (*dropped && ftruncate(records->file, (off_t)whole) != 0)
        return fw_reason_set(reason, "%s: cannot cut the unfinished line off: %s", path,
                             strerror(errno));
    records->size = whole;
    return true;
}

bool fw_records_has(const struct fw_records *records, uint64_t fingerprint, bool retry)
{
    bool has = false;
    for (size_t i = 0; i < records->count; i++)
        if (records->rows[i].fingerprint == fingerprint)
            has = !(retry && records->rows[i].failed);
    return has;
}

bool fw_records_append(struct fw_records *records, const char *line, struct fw_reason *reason)
{
    struct fw_growing text = {0};
    fw_growing_add(&text, "%s\n", line);
    size_t written = 0;
    int code = 0;
    while (written < text.length && !code) {
        ssize_t some = pwrite(records->file, text.text + written, text.length - written,
                              (off_t)(records->size + written));
        if (some >= 0)
            written += (size_t)some;
        else if (errno != EINTR)
            code = errno;
    }
    if (!code && fsync(records->file) != 0)
        code = errno;
    size_t length = text.length;
    free(text.text);
    if (!code) {
        records->size += length;
        remember(records, line);
        return true;
    }
    const char *rest = ftruncate(records->file, (off_t)records->size) == 0
                           ? "; the file ends with its last complete record"
                           : "; an unfinished line may stand at its end";
    return fw_reason_set(reason, "%s: cannot write: %s%s", records->path, strerror(code), rest);
}

void fw_records_close(struct fw_records *records)
{
    if (records->file >= 0)
        close(records->file);
    free(records->rows);
    free(records->device);
    free(records->driver);
    free(records->backend);
}
