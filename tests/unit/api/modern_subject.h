/* A kernel of modern PTX and its answers, for the tests through the public interface. */
#ifndef MODERN_SUBJECT_H
#define MODERN_SUBJECT_H

#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYNC = 4 }; /* of FW_INSTRUCTION_GROUPS */

struct subject {
    struct fw_context *context;
    struct fw_program *program;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    const struct fw_counts *counts;
};

static inline void hear(void *user, const struct fw_message *message)
{
    (void)user;
    printf("    %s\n", message->text);
}

static inline void start(struct subject *s)
{
    struct fw_context_options options = {
        .size = sizeof(options), .message = hear, .data = getenv("FOREWARP_SOURCE")};
    memset(s, 0, sizeof(*s));
    assert_int_equal(fw_context_new(&s->context, &options), FW_OK);
}

static inline void work(struct subject *s)
{
    const struct fw_kernel *kernel;
    assert_int_equal(fw_program_kernel(&kernel, s->program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&s->worker, s->program, kernel), FW_OK);
}

static inline void open_file(struct subject *s, const char *name)
{
    const char *root = getenv("FOREWARP_SOURCE");
    char path[1024];
    start(s);
    snprintf(path, sizeof(path), "%s/tests/golden/%s", root ? root : ".", name);
    assert_int_equal(fw_program_read(&s->program, s->context, path, NULL), FW_OK);
    work(s);
}

/* A kernel `k` with a few registers, whose body is the text. */
static inline void open_body(struct subject *s, const char *body)
{
    struct fw_program_options options = {.size = sizeof(options), .language = FW_PROGRAM_PTX};
    char text[8192];
    start(s);
    snprintf(text, sizeof(text),
             ".version 8.6\n.target sm_100a\n.address_size 64\n"
             ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .align 64 .b8 "
             "map[128])\n{\n.reg .pred %%p<9>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<99>;\n"
             ".reg .b64 %%d<9>;\n.reg .f32 %%f<9>;\n.shared .align 128 .b8 tile[4096];\n"
             ".shared .align 8 .b64 bar[2];\nld.param.u64 %%d0, [a];\nld.param.u64 %%d1, [b];\n"
             "ld.param.u32 %%r0, [n];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, tile;\n"
             "mov.u32 %%r3, bar;\nmov.b64 %%d2, map;\n%s\nret;\n}\n",
             body);
    assert_int_equal(
        fw_program_parse(&s->program, s->context, "test.ptx", text, strlen(text), &options), FW_OK);
    work(s);
    fw_worker_set_block(s->worker, 128, 1, 1);
    fw_worker_set_grid(s->worker, 3, 1, 1);
}

static inline void count(struct subject *s)
{
    struct fw_count_settings settings = {.size = sizeof(settings)};
    assert_int_equal(fw_worker_count(&s->answer, s->worker, &settings), FW_OK);
    s->counts = s->answer->counts;
}

static inline void end(struct subject *s)
{
    fw_worker_free(s->worker);
    fw_program_free(s->program);
    fw_context_free(s->context);
}

static inline const struct fw_operation_row *operation(const struct subject *s, const char *name,
                                                       const char *type)
{
    for (size_t r = 0; r < s->counts->operation_count; r++)
        if (strcmp(s->counts->operations[r].operation, name) == 0 &&
            strcmp(s->counts->operations[r].type, type) == 0)
            return &s->counts->operations[r];
    fail_msg("no operation %s.%s", name, type);
    return NULL;
}

/* Bytes of the launch's accesses to a space in a direction, of one array or (NULL) of all. */
static inline long long bytes(const struct subject *s, const char *space, const char *direction,
                              const char *array)
{
    long long sum = 0;
    for (size_t r = 0; r < s->counts->memory_count; r++) {
        const struct fw_memory_row *row = &s->counts->memory[r];
        if (strcmp(row->space, space) == 0 && strcmp(row->direction, direction) == 0 &&
            (!array || (row->array && strstr(row->array, array))))
            sum += row->count.integer * row->bytes;
    }
    return sum;
}

static inline const struct fw_unknown_row *unknown(const struct subject *s, const char *name)
{
    for (size_t u = 0; u < s->answer->unknown_count; u++)
        if (strncmp(s->answer->unknowns[u].name, name, strlen(name)) == 0)
            return &s->answer->unknowns[u];
    return NULL;
}

#endif
