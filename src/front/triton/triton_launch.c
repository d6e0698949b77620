#include "triton_launch.h"

#include <jansson.h>
#include <string.h>

enum { LARGEST_BOX = 1 << 20, LARGEST_SHARED = 1 << 20, MOST_WARPS = 32, USUAL_LANES = 32 };

struct reading {
    struct fw_triton_launch *launch;
    struct fw_arena *arena;
    json_t *root; /* freed on every way out */
};

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
        if (side <= 0 || side > 4096 || bytes > LARGEST_BOX)
            return 0;
        bytes *= (uint64_t)side;
    }
    return json_array_size(sizes) && bytes <= LARGEST_BOX ? (uint32_t)bytes : 0;
}

static enum fw_status take(void *user)
{
    const struct reading *reading = user;
    struct fw_triton_launch *launch = reading->launch;
    uint32_t lanes = positive(reading->root, "warp_size", 64);
    const char *name = json_string_value(json_object_get(reading->root, "name"));
    const json_t *metas = json_object_get(reading->root, "tensordesc_meta");
    uint32_t count = (uint32_t)json_array_size(metas);
    uint32_t *boxes = FW_ARRAY(reading->arena, uint32_t, count + 1);
    launch->threads =
        positive(reading->root, "num_warps", MOST_WARPS) * (lanes ? lanes : USUAL_LANES);
    launch->shared = positive(reading->root, "shared", LARGEST_SHARED);
    launch->kernel = name ? fw_arena_text(reading->arena, name, strlen(name)) : NULL;
    for (uint32_t b = 0; b < count; b++)
        boxes[b] = box_of(json_array_get(metas, b));
    launch->box_bytes = boxes;
    launch->box_count = count;
    return FW_OK;
}

static void close_root(void *user)
{
    json_decref(((struct reading *)user)->root);
}

bool fw_triton_read(struct fw_triton_launch *launch, struct fw_arena *arena, const char *path)
{
    struct reading reading = {launch, arena, NULL};
    size_t length = strlen(path);
    json_error_t error;
    *launch = (struct fw_triton_launch){0};
    if (length < 4 || strcmp(path + length - 4, ".ptx") != 0)
        return false;
    reading.root =
        json_load_file(fw_arena_printf(arena, "%.*s.json", (int)(length - 4), path), 0, &error);
    fw_arena_finally(arena, take, close_root, &reading);
    return launch->threads > 0;
}
