/* The manual's examples: every block "```knl" of docs/kernel-language.md is read, checked, counted
 * and made into code, each of its kernels; "```knl refused CODE" must be refused with that code.
 * usage: knl-manual docs/kernel-language.md */
#include "emit.h"
#include "knl_reader.h"
#include "loop_statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hearing {
    char code[8]; /* of the first error */
    char message[256];
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct hearing *hearing = user;
    if (hearing->code[0] || diagnostic->severity != FW_ERROR)
        return;
    snprintf(hearing->code, sizeof(hearing->code), "%s", diagnostic->code);
    snprintf(hearing->message, sizeof(hearing->message), "%s", diagnostic->message);
}

static void try_kernel(struct fw_arena *arena, const struct fw_source *source, const char *name,
                       struct hearing *hearing)
{
    const struct fw_sink sink = {hear, hearing};
    const struct fw_loop_statistics_options options = {.footprints = true, .subscripts = true};
    struct fw_poly *poly = fw_poly_new();
    struct fw_loop_program *program = NULL;
    struct fw_loop_statistics *statistics = NULL;
    if (fw_knl_read_kernel(&program, arena, poly, source, name, &sink) == FW_OK &&
        fw_loop_check(program, 0) == FW_OK)
        fw_loop_statistics_new(&statistics, program, &options);
    if (!statistics && !hearing->code[0])
        snprintf(hearing->message, sizeof(hearing->message), "no diagnostic told why");
    struct fw_emission *emission = NULL;
    if (statistics)
        fw_emit(&emission, program, FW_EMIT_OPENCL);
    fw_loop_statistics_free(statistics);
    fw_poly_free(poly);
}

/* Whether the example is what its heading says; `code` "" for one that must be taken. */
static bool try_example(const char *text, size_t length, const char *code, unsigned line)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_source source = {"example", fw_arena_text(arena, text, length), length};
    const char *const *names;
    size_t count = 0;
    bool passed = true;
    fw_knl_kernels(&names, &count, arena, &source);
    for (size_t k = 0; k < (count ? count : 1); k++) {
        struct hearing hearing = {.message = ""};
        try_kernel(arena, &source, count > 1 ? names[k] : NULL, &hearing);
        if (strcmp(hearing.code, code) == 0 && (hearing.code[0] || !hearing.message[0]))
            continue;
        passed = false;
        printf("line %u: %s %s instead of '%s'\n", line, hearing.code, hearing.message, code);
    }
    fw_arena_free(arena);
    return passed;
}

int main(int count, char **arguments)
{
    static char text[1 << 17];
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (!file) {
        perror("the manual");
        return 1;
    }
    size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    unsigned examples = 0, failed = 0, line = 1;
    const char *before = text;
    for (char *at = text; (at = strstr(at, "```knl")) != NULL;) {
        char code[8] = "", *begin = strchr(at, '\n'), *end = begin ? strstr(begin, "\n```") : NULL;
        if (!end)
            break;
        sscanf(at, "```knl refused %7s", code);
        for (; before < at; before++)
            line += *before == '\n';
        examples++;
        failed += !try_example(begin + 1, (size_t)(end - begin), code, line);
        at = end + 4;
    }
    printf("%u examples, %u failed\n", examples, failed);
    return failed || examples < 10 ? 1 : 0;
}
