/* Triton's cache: NAME.json beside NAME.ptx tells how the kernel is launched.
 *
 * A file is Triton's when it holds a whole num_warps.  Then blocks have 32 num_warps threads,
 * dynamic shared memory is `shared`, the kernel is `name` unless another is asked for, and each
 * tensor descriptor's block_size is the box of its copies.  All of these are defaults: what the
 * user states wins.  Triton's last two arguments (scratch memory) are pointers and need nothing. */
#include "api_internal.h"

#include <jansson.h>
#include <string.h>

enum { LARGEST_DESCRIPTOR = 1 << 20, DESCRIPTOR_BYTES = 128, MOST_WARPS = 32 };

static uint32_t positive(const json_t *object, const char *name, uint32_t most)
{
    const json_t *value = json_object_get(object, name);
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
    return number > 0 && number <= (json_int_t)most ? (uint32_t)number : 0;
}

/* Bytes of one box: the product of block_size, times elem_size; 0 when it is not told. */
static uint32_t box_of(const json_t *meta)
{
    const json_t *sizes = json_object_get(meta, "block_size"), *size;
    uint64_t bytes = positive(meta, "elem_size", 16);
    size_t d;
    json_array_foreach(sizes, d, size)
    {
        json_int_t side = json_integer_value(size);
        if (side <= 0 || side > 4096 || bytes > LARGEST_DESCRIPTOR)
            return 0;
        bytes *= (uint64_t)side;
    }
    return json_array_size(sizes) && bytes <= LARGEST_DESCRIPTOR ? (uint32_t)bytes : 0;
}

/* Descriptors are the kernel's arguments of 128 bytes, in order. */
static void find_boxes(struct fw_program *program, const struct fw_function *function,
                       const json_t *metas)
{
    size_t next = 0;
    program->box_count = function->parameter_count;
    program->box_bytes = FW_ARRAY(program->arena, uint32_t, function->parameter_count + 1);
    for (uint32_t p = 0; p < function->parameter_count && next < json_array_size(metas); p++)
        if (function->parameters[p].bytes == DESCRIPTOR_BYTES && function->parameters[p].is_array)
            program->box_bytes[p] = box_of(json_array_get(metas, next++));
}

static void take(struct fw_program *program, const json_t *root)
{
    uint32_t warps = positive(root, "num_warps", MOST_WARPS);
    uint32_t lanes = positive(root, "warp_size", 64);
    const char *name = json_string_value(json_object_get(root, "name"));
    const json_t *metas = json_object_get(root, "tensordesc_meta");
    if (!warps)
        return;
    program->usual_threads = warps * (lanes ? lanes : 32);
    program->usual_shared = positive(root, "shared", 1 << 20);
    for (size_t k = 0; name && k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].function->name, name) == 0) {
            program->usual_kernel = program->kernels[k].function->name;
            if (json_is_array(metas))
                find_boxes(program, program->kernels[k].function, metas);
        }
}

void api_read_triton(struct fw_program *program, const char *path)
{
    size_t length = strlen(path);
    json_error_t error;
    if (length < 4 || strcmp(path + length - 4, ".ptx") != 0)
        return;
    json_t *root = json_load_file(
        fw_arena_printf(program->arena, "%.*s.json", (int)(length - 4), path), 0, &error);
    if (root)
        take(program, root);
    json_decref(root);
}
