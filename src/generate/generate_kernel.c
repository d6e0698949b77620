/* A generator made of a kernel's own parts. */
#include "generate_internal.h"

#include <string.h>

static const char *tags_of(struct fw_arena *arena, const struct fw_generate_kernel *kernel)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_buffer_printf(&text, "about Parts of %s.\ntags %s\nargument keep = ", kernel->name,
                     kernel->name);
    for (size_t p = 0; p < kernel->part_count; p++)
        fw_buffer_printf(&text, "%s%s", p ? ", " : "", kernel->parts[p].word);
    fw_buffer_printf(&text, " : what is kept of it\n");
    for (size_t s = 0; s < kernel->size_count; s++)
        fw_buffer_printf(&text, "size %s = %s of 1..9007199254740991 : its parameter\n",
                         kernel->sizes[s].word, kernel->sizes[s].text);
    return text.text;
}

/* A part's text without its "kernel" line, since each variant has a name of its own. */
static void add_part(struct fw_buffer *to, const char *text)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
        if (strncmp(text, "kernel ", strlen("kernel ")) != 0)
            fw_buffer_add(to, text, length);
        text += length;
    }
}

static struct fw_source *source_of(struct fw_arena *arena, const char *name, const char *suffix,
                                   const char *text)
{
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){fw_arena_printf(arena, "%s%s", name, suffix), text, strlen(text)};
    return source;
}

enum fw_status fw_generator_of_kernel(struct fw_generator *generator, struct fw_arena *arena,
                                      const struct fw_generate_kernel *kernel,
                                      const struct fw_sink *sink)
{
    struct fw_buffer template = fw_buffer_new(arena);
    for (size_t p = 0; p < kernel->part_count; p++) {
        fw_buffer_printf(&template, "%%%s keep == '%s'\n", p ? "elif" : "if",
                         kernel->parts[p].word);
        add_part(&template, kernel->parts[p].text);
        fw_buffer_printf(&template, "\n");
    }
    fw_buffer_printf(&template, "%%end\n");
    const struct fw_source *tags = source_of(arena, kernel->name, ".tags", tags_of(arena, kernel));
    enum fw_status status = fw_generator_read(generator, arena, kernel->name, tags, sink);
    generator->template = source_of(arena, kernel->name, ".knl", template.text);
    return status;
}
