/* Any bytes are read as a generator's description and, behind a zero byte, as its template; or
 * refused with a diagnostic. */
#include "generate.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    *(unsigned *)user += diagnostic->severity == FW_ERROR;
    fw_diagnostic_render(arena, diagnostic); /* its place is one */
    fw_arena_free(arena);
}

struct work {
    struct fw_arena *arena, *scratch;
    struct fw_poly *poly;
    struct fw_sink sink;
    const char *tags, *template;
};

/* A few variants are enough: each is a kernel like any other. */
static enum fw_status make(struct work *work)
{
    const struct fw_source file = {"fuzz.tags", work->tags, strlen(work->tags)};
    const struct fw_source template = {"fuzz.knl", work->template, strlen(work->template)};
    struct fw_generator *generator = FW_NEW(work->arena, struct fw_generator);
    fw_generators generators = {generator, 1, 1};
    fw_generate_variants variants = {0};
    fw_generate_made_list made = {0};
    const struct fw_generate_question question = {0};
    enum fw_status status = fw_generator_read(generator, work->arena, "fuzz", &file, &work->sink);
    generator->template = &template;
    if (!status)
        status = fw_generate_choose(&variants, work->arena, &generators, &question, &work->sink);
    if (variants.count > 2)
        variants.count = 2;
    if (!status)
        status =
            fw_generate_make(&made, work->arena, work->scratch, work->poly, &variants, &work->sink);
    if (!status)
        fw_generate_launches(work->arena, &made);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned errors = 0;
    jmp_buf full;
    if (size > 1 << 14)
        return 0;
    struct work work = {.arena = fw_arena_new((size_t)256 << 20),
                        .scratch = fw_arena_new((size_t)256 << 20),
                        .poly = fw_poly_new(),
                        .sink = {count, &errors}};
    work.tags = fw_arena_text(work.arena, (const char *)data, size);
    size_t length = strlen(work.tags);
    work.template = length < size ? work.tags + length + 1 : "";
    fw_arena_on_exhausted(work.arena, &full);
    fw_arena_on_exhausted(work.scratch, &full);
    if (!setjmp(full)) {
        enum fw_status status = make(&work);
        if (status != FW_OK && status != FW_ERROR_BUDGET && !errors) {
            fprintf(stderr, "refused without a diagnostic\n");
            abort();
        }
    }
    fw_poly_free(work.poly);
    fw_arena_free(work.scratch);
    fw_arena_free(work.arena);
    return 0;
}
