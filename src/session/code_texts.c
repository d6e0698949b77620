/* Texts of the source lines that a prediction tells of.
 *
 * A name in PTX is not a path to be opened: whoever wrote the PTX would choose what of this
 * machine's files is shown.  A line is looked up in the file that the user named, or in one of the
 * same folder that has the last part of the name.  Of a text that came without a file (standard
 * input, code that was generated from the kernel language) it is a line of that text. */
#include "session.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 16 << 20, MOST_FILES = 16 };

struct text_file {
    const char *name; /* as the code has it */
    const char *text; /* NULL: there is none */
};

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* All of a plain file; NULL: there is none that can be read. */
static const char *read_plain(struct fw_arena *arena, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0 ||
        about.st_size > LARGEST)
        return NULL;
    char *text = fw_arena_alloc(arena, (size_t)about.st_size + 1);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t length = fread(text, 1, (size_t)about.st_size, file);
    fclose(file);
    text[length] = '\0';
    return strlen(text) == length ? text : NULL;
}

static const char *find(struct fw_arena *arena, const struct fw_program *program, const char *name)
{
    const char *base = base_of(name), *given = program->file;
    size_t folder = (size_t)(base_of(given) - given);
    if (program->compiled_name && strcmp(base, program->compiled_name) == 0)
        return fw_arena_text(arena, program->compiled->source->text,
                             program->compiled->source->length);
    if (!*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return NULL;
    return read_plain(arena, fw_arena_printf(arena, "%.*s%s", (int)folder, given, base));
}

/* A line of a text, without blanks around it; NULL: it has none. */
static const char *line_of(struct fw_arena *arena, const char *text, uint32_t line)
{
    enum { LONGEST = 400 };
    for (uint32_t l = 1; l < line && text; l++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text || !*text)
        return NULL;
    text += strspn(text, " \t");
    size_t length = strcspn(text, "\r\n");
    length = length < LONGEST ? length : LONGEST;
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    return fw_arena_text(arena, text, length);
}

/* Files that were looked up. */
struct text_files {
    struct text_file at[MOST_FILES];
    size_t count;
};

/* The text of a file's line; NULL: it is not found. */
static const char *text_at(struct fw_worker *worker, struct text_files *files, const char *file,
                           uint32_t line)
{
    size_t f = 0;
    while (f < files->count && strcmp(files->at[f].name, file) != 0)
        f++;
    if (f == MOST_FILES)
        return NULL;
    if (f == files->count)
        files->at[files->count++] =
            (struct text_file){file, find(worker->results, worker->program, file)};
    return files->at[f].text ? line_of(worker->results, files->at[f].text, line) : NULL;
}

void fw_session_add_code_texts(struct fw_worker *worker, struct fw_code_row *rows, size_t count)
{
    struct text_files files = {.count = 0};
    for (size_t r = 0; r < count; r++) {
        if (rows[r].file)
            rows[r].text = text_at(worker, &files, rows[r].file, rows[r].line);
        for (size_t c = 0; c < rows[r].called_count; c++) {
            struct fw_code_place *at = &rows[r].called_at[c];
            at->text = text_at(worker, &files, at->file, at->line);
        }
    }
}
