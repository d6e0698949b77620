/* Files: the bytes of one source. */
#include "session.h"
#include "deadline.h"
#include "fatbin_reader.h"
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 256 << 20 };

static enum fw_status unreadable(const struct fw_context *context, const char *name,
                                 const char *why)
{
    fw_report_file(&context->sink, FW_ERROR, "API002", name, "cannot be read: %s", why);
    return FW_ERROR_MACHINE;
}

static enum fw_status too_large(const struct fw_context *context, const char *name)
{
    fw_report_file(&context->sink, FW_ERROR, "API002", name, "it is larger than 256 MiB");
    return FW_ERROR_INPUT;
}

static enum fw_status read_stream(struct fw_source *source, struct fw_arena *arena,
                                  const struct fw_context *context, FILE *stream)
{
    size_t length = 0, capacity = 1 << 16, got;
    char *text = fw_arena_alloc(arena, capacity);
    do {
        if (length + 1 == capacity) {
            char *larger = fw_arena_alloc(arena, 4 * capacity);
            memcpy(larger, text, length);
            text = larger;
            capacity *= 4;
        }
        int64_t since = fw_deadline_pause(); /* a pipe's writer takes its time */
        got = fread(text + length, 1, capacity - length - 1, stream);
        fw_deadline_resume(since);
        length += got;
        if (length > LARGEST_FILE)
            return too_large(context, source->name);
    } while (got > 0);
    if (ferror(stream))
        return unreadable(context, source->name, strerror(errno));
    text[length] = '\0';
    source->text = text;
    source->length = length;
    return FW_OK;
}

enum fw_status fw_session_take_text(const struct fw_context *context, struct fw_source *source)
{
    fw_source_skip_mark(source);
    if (!memchr(source->text, '\0', source->length))
        return FW_OK;
    fw_report_file(&context->sink, FW_ERROR, "API003", source->name,
                   "this is not a text: it contains zero bytes");
    return FW_ERROR_INPUT;
}

enum fw_status fw_session_check_file(bool *is_plain, const struct fw_context *context,
                                     const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return unreadable(context, path, strerror(errno));
    *is_plain = S_ISREG(about.st_mode); /* else it is read here, as a stream */
    return S_ISDIR(about.st_mode) ? unreadable(context, path, "it is a folder") : FW_OK;
}

/* An open file, which must be closed even when the arena is exhausted. */
struct reading_file {
    struct fw_source *source;
    struct fw_arena *arena;
    const struct fw_context *context;
    FILE *file;
};

static enum fw_status read_open(void *user)
{
    const struct reading_file *reading = user;
    return read_stream(reading->source, reading->arena, reading->context, reading->file);
}

enum fw_status fw_session_read_bytes(struct fw_source *source, struct fw_arena *arena,
                                     const struct fw_context *context, const char *path)
{
    const char *why;
    bool is_input = strcmp(path, "-") == 0;
    source->name = is_input ? "<standard input>" : fw_arena_text(arena, path, strlen(path));
    FILE *file = is_input ? stdin : fw_file_open(path, true, &why);
    if (!file)
        return unreadable(context, source->name, why);
    struct reading_file reading = {source, arena, context, file};
    enum fw_status status = fw_session_guard(context, arena, NULL, read_open, &reading);
    if (!is_input)
        fclose(file);
    return status;
}

enum fw_status fw_session_read_file(struct fw_source *source, struct fw_arena *arena,
                                    const struct fw_context *context, const char *path)
{
    enum fw_status status = fw_session_read_bytes(source, arena, context, path);
    return status ? status : fw_session_take_text(context, source);
}

bool fw_session_is_fatbin(const char *path)
{
    struct stat about;
    char begin[4];
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    size_t length = file ? fread(begin, 1, sizeof(begin), file) : 0;
    if (file)
        fclose(file);
    return fw_fatbin_begins(begin, length);
}
