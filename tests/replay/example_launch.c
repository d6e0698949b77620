#include "example_launch.h"
#include "signature.h"

#include <stdio.h>
#include <string.h>

static char *read_file(struct fw_arena *arena, const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size >= 0) {
        text = fw_arena_alloc(arena, (size_t)size + 1);
        *length = fread(text, 1, (size_t)size, file);
    }
    fclose(file);
    return text;
}

static uint32_t dimension(const json_t *launch, const char *which, size_t d)
{
    return (uint32_t)json_integer_value(json_array_get(json_object_get(launch, which), d));
}

/* Binds the launch's scalars by position. */
static void bind(struct fw_arena *arena, struct fw_worker *worker, const json_t *launch,
                 const struct fw_signature *signature)
{
    for (size_t p = 0; p < signature->parameters.count; p++) {
        const json_t *value =
            json_object_get(json_object_get(launch, "arguments"), signature->parameters.at[p].name);
        if (value)
            fw_worker_bind(worker,
                           fw_arena_printf(arena, json_is_integer(value) ? "%zu=%.0f" : "%zu=%.17g",
                                           p, json_number_value(value)));
    }
}

bool example_launch_open(struct example_launch *example, struct fw_arena *arena, const char *root,
                         const struct fw_context *context, const json_t *launch)
{
    return example_launch_open_in(example, arena, fw_arena_printf(arena, "%s/kernels", root),
                                  fw_arena_printf(arena, "%s/tests/golden/kernels", root), context,
                                  launch);
}

bool example_launch_open_in(struct example_launch *example, struct fw_arena *arena,
                            const char *sources, const char *ptx, const struct fw_context *context,
                            const json_t *launch)
{
    const struct fw_kernel *handle;
    const char *file = json_string_value(json_object_get(launch, "file"));
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    char *base = fw_arena_printf(arena, "%s", file);
    size_t length = 0;
    struct fw_signatures signatures;
    *example = (struct example_launch){0};
    *strrchr(base, '.') = '\0';
    char *source = read_file(arena, fw_arena_printf(arena, "%s/%s", sources, file), &length);
    if (!source)
        return false;
    fw_signatures_read(&signatures, arena, source, length, false);
    const struct fw_signature *signature = fw_signature_find(&signatures, kernel, SIZE_MAX);
    if (!signature ||
        fw_program_read(&example->program, context, fw_arena_printf(arena, "%s/%s.ptx", ptx, base),
                        NULL) ||
        fw_program_kernel(&handle, example->program, kernel) ||
        fw_worker_new(&example->worker, example->program, handle))
        return false;
    fw_worker_set_grid(example->worker, dimension(launch, "grid", 0), dimension(launch, "grid", 1),
                       dimension(launch, "grid", 2));
    fw_worker_set_block(example->worker, dimension(launch, "block", 0),
                        dimension(launch, "block", 1), dimension(launch, "block", 2));
    fw_worker_set_shared(example->worker,
                         (uint64_t)json_integer_value(json_object_get(launch, "shared")));
    bind(arena, example->worker, launch, signature);
    return true;
}

void example_launch_close(struct example_launch *example)
{
    fw_worker_free(example->worker);
    fw_program_free(example->program);
}
