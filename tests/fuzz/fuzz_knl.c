/* Any bytes are read as loop programs, each of their kernels, which are checked, whose statistics
 * are gathered and for which source code is generated, or refused with a diagnostic. */
#include "emit.h"
#include "knl_reader.h"
#include "loop_statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    ++*(unsigned *)user;
    fw_diagnostic_render(arena, diagnostic);
    fw_arena_free(arena);
}

static void count(struct fw_loop_program *program, unsigned *errors)
{
    const struct fw_loop_statistics_options options = {.subscripts = true,
                                                       .contract = true,
                                                       .footprints = true,
                                                       .barriers = true,
                                                       .count_budget = 2000};
    struct fw_loop_statistics *statistics = NULL;
    *errors = 0;
    enum fw_status status = fw_loop_check(program, 2000);
    if (status == FW_ERROR_INPUT && *errors == 0)
        fail("a check failed without a diagnostic");
    *errors = 0;
    status = fw_loop_statistics_new(&statistics, program, &options);
    if ((status == FW_OK) != (statistics != NULL))
        fail("statistics' status and result do not agree");
    if (status == FW_ERROR_INPUT && *errors == 0)
        fail("statistics were refused without a diagnostic");
    fw_loop_statistics_free(statistics);
}

/* What has code is written out as a text that is read. */
static void write_out(struct fw_loop_program *program)
{
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    struct fw_poly *poly = fw_poly_new();
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_loop_program *again = NULL;
    const char *text = fw_emit_knl(program);
    const struct fw_source source = {"written", text, strlen(text)};
    if (fw_knl_read(&again, arena, poly, &source, &sink) == FW_ERROR_INPUT) {
        fprintf(stderr, "%s", text);
        fail("a program was written out as a text that is refused");
    }
    fw_poly_free(poly);
    fw_arena_free(arena);
}

/* A text that begins with "#-DNAME=VALUE" is read with that value for its constant. */
static struct fw_knl_options options_of(struct fw_arena *arena, const struct fw_source *source,
                                        const char *name, const char **define)
{
    struct fw_knl_options options = {.name = name, .defines = define};
    if (source->length > 3 && strncmp(source->text, "#-D", 3) == 0) {
        *define = fw_arena_text(arena, source->text + 3, strcspn(source->text + 3, "\n"));
        options.define_count = 1;
    }
    return options;
}

static void read_one(const struct fw_source *source, const char *name)
{
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    struct fw_poly *poly = fw_poly_new();
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_loop_program *program = NULL;
    const char *define = NULL;
    const struct fw_knl_options options = options_of(arena, source, name, &define);
    enum fw_status status = fw_knl_read_with(&program, arena, poly, source, &options, &sink);
    if ((status == FW_OK) != (program != NULL))
        fail("status and result do not agree");
    if (status == FW_ERROR_INPUT && errors == 0)
        fail("refused without a diagnostic");
    if (program) {
        count(program, &errors);
        for (unsigned target = 0; target < FW_EMIT_TARGET_COUNT; target++) {
            struct fw_emission *emission = NULL;
            errors = 0;
            status = fw_emit(&emission, program, (enum fw_emit_target)target);
            if ((status == FW_OK) != (emission != NULL))
                fail("emission's status and result do not agree");
            if (status == FW_ERROR_INPUT && errors == 0)
                fail("emission was refused without a diagnostic");
        }
        if (status == FW_OK)
            write_out(program);
    }
    fw_poly_free(poly);
    fw_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *texts = fw_arena_new(0);
    struct fw_source source = {"fuzz", fw_arena_text(texts, (const char *)data, size), size};
    const char *const *names;
    size_t count = 0;
    fw_knl_kernels(&names, &count, texts, &source);
    for (size_t k = 0; k < count && k < 3; k++)
        read_one(&source, names[k]);
    read_one(&source, NULL);
    fw_arena_free(texts);
    return 0;
}
