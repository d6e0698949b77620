/* Reads PTX files and compares what comes of it with what stands beside them: for name.ptx the file
 * name.expect holds the diagnostics and then the module as the printer writes it.  With --accept
 * the files beside are written instead.  usage: golden-ptx [--accept] FILE.ptx.. */
#include "ptx_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void collect(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_buffer *buffer = user;
    const char *text = fw_diagnostic_render(buffer->arena, diagnostic);
    fw_buffer_add(buffer, text, strlen(text));
}

static struct fw_buffer file_text(struct fw_arena *arena, const char *name)
{
    struct fw_buffer text = fw_buffer_new(arena);
    char chunk[4096];
    size_t got;
    FILE *file = fopen(name, "rb");
    if (!file)
        return text;
    while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
        fw_buffer_add(&text, chunk, got);
    fclose(file);
    return text;
}

/* Diagnostics and module text; the module's text must read as itself. */
static struct fw_buffer outcome(struct fw_arena *arena, const char *name)
{
    struct fw_buffer text = file_text(arena, name), result = fw_buffer_new(arena);
    const char *slash = strrchr(name, '/');
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    const struct fw_sink sink = {collect, &result};
    struct fw_module *module;
    *source = (struct fw_source){slash ? slash + 1 : name, text.text, text.length};
    if (fw_ptx_read(&module, arena, source, &sink) != FW_OK)
        return result;
    char *printed = fw_module_text(arena, module);
    struct fw_source *again = FW_NEW(arena, struct fw_source);
    *again = (struct fw_source){"printed", printed, strlen(printed)};
    struct fw_buffer ignored = fw_buffer_new(arena);
    if (fw_ptx_read(&module, arena, again, &(struct fw_sink){collect, &ignored}) != FW_OK)
        fw_buffer_printf(&result, "what is printed cannot be read:\n%s", ignored.text);
    else if (strcmp(fw_module_text(arena, module), printed) != 0)
        fw_buffer_printf(&result, "what is printed does not read as itself\n");
    fw_buffer_add(&result, printed, strlen(printed));
    return result;
}

static void show_difference(const char *name, const char *expected, const char *got)
{
    unsigned line = 1;
    size_t start = 0, i = 0;
    for (; expected[i] && expected[i] == got[i]; i++)
        if (got[i] == '\n') {
            line++;
            start = i + 1;
        }
    fprintf(stderr, "%s:%u: expected\n  %.*s\ngot\n  %.*s\n", name, line,
            (int)strcspn(expected + start, "\n"), expected + start, (int)strcspn(got + start, "\n"),
            got + start);
}

static int check(const char *name, int accept)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer got = outcome(arena, name);
    char *beside =
        fw_arena_printf(arena, "%.*s.expect", (int)(strlen(name) - strlen(".ptx")), name);
    int failed = 0;
    if (accept) {
        FILE *file = fopen(beside, "wb");
        failed = !file || fwrite(got.text, 1, got.length, file) != got.length;
        if (file && fclose(file) != 0)
            failed = 1;
    } else {
        struct fw_buffer expected = file_text(arena, beside);
        failed = expected.length != got.length ||
                 memcmp(expected.text, got.text, got.length) != 0 || !got.length;
        if (failed)
            show_difference(beside, expected.text, got.text);
    }
    fw_arena_free(arena);
    return failed;
}

int main(int count, char **arguments)
{
    int accept = count > 1 && strcmp(arguments[1], "--accept") == 0, failed = 0;
    for (int i = 1 + accept; i < count; i++)
        failed |= check(arguments[i], accept);
    return failed || count <= 1 + accept;
}
