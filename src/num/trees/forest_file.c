#include "forest_file.h"
#include "forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 1 << 16, NODE_BYTES = 5, NODES_MOST = 1 << 25 };

/* ---- writing ---- */

static void put(struct fw_buffer *out, uint64_t bits, int bytes)
{
    char text[8];
    for (int b = 0; b < bytes; b++)
        text[b] = (char)(bits >> (8 * b) & 255);
    fw_buffer_add(out, text, (size_t)bytes);
}

static void put_double(struct fw_buffer *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    put(out, bits, 8);
}

static void put_node(struct fw_buffer *out, const struct fw_forest *forest,
                     struct fw_forest_node node)
{
    uint32_t bits, feature = node.link & 255;
    memcpy(&bits, &node.cut, sizeof(bits));
    put(out, feature < forest->features ? feature : forest->features, 1);
    put(out, bits, 4);
}

void fw_forest_write(struct fw_buffer *out, const struct fw_forest *forest)
{
    uint32_t *stack = FW_ARRAY(out->arena, uint32_t, forest->leaves + 1);
    put(out, forest->features, 2);
    put(out, forest->trees, 2);
    put_double(out, forest->offset);
    for (uint32_t f = 0; f < forest->features; f++)
        put_double(out, forest->importance[f]);
    for (uint32_t t = 0; t < forest->trees; t++) {
        size_t waiting = 0;
        stack[waiting++] = t;
        while (waiting) {
            struct fw_forest_node node = forest->nodes[stack[--waiting]];
            put_node(out, forest, node);
            if ((node.link & 255) >= forest->features)
                continue;
            stack[waiting++] = 2 * (node.link >> 8) + 1;
            stack[waiting++] = 2 * (node.link >> 8);
        }
    }
}

/* ---- reading ---- */

struct reading {
    const unsigned char *at, *end;
    struct fw_span place;
    const struct fw_sink *sink;
    struct fw_arena *arena, *scratch;
    struct fw_forest *forest;
    struct grown_tree *trees;
    FW_VECTOR(struct grown_node) tree; /* that is being read: its memory serves all of them */
    size_t nodes;
    enum fw_status status;
};

static void fail(struct reading *reading, const char *code, const char *what)
{
    if (reading->status)
        return;
    reading->status = FW_ERROR_INPUT;
    fw_report(reading->sink, FW_ERROR, code, reading->place, "the forest %s", what);
}

static inline uint64_t take(struct reading *reading, int bytes)
{
    uint64_t bits = 0;
    if (reading->end - reading->at < bytes) {
        fail(reading, "TREE010", "ends early");
        return 0;
    }
    for (int b = 0; b < bytes; b++)
        bits |= (uint64_t)*reading->at++ << (8 * b);
    return bits;
}

static double take_double(struct reading *reading)
{
    uint64_t bits = take(reading, 8);
    double value;
    memcpy(&value, &bits, sizeof(value));
    if (!isfinite(value))
        fail(reading, "TREE011", "has a number that is not finite");
    return value;
}

static float take_float(struct reading *reading)
{
    uint32_t bits = (uint32_t)take(reading, 4);
    float value;
    memcpy(&value, &bits, sizeof(value));
    if (!isfinite(value))
        fail(reading, "TREE011", "has a number that is not finite");
    return value;
}

struct expected {
    uint32_t node, depth;
};

/* The next node; those that it makes expected go onto the stack, the left one on top. */
static void take_node(struct reading *reading, struct grown_tree *tree, struct expected at,
                      struct expected *stack, size_t *waiting)
{
    uint32_t feature = (uint32_t)take(reading, 1);
    struct grown_node node = {.feature = feature, .value = take_float(reading)};
    if (feature > reading->forest->features)
        fail(reading, "TREE011", "splits by a feature that it does not have");
    if (at.depth > DEPTH_MOST || reading->nodes > NODES_MOST)
        fail(reading, "TREE011", "is too large");
    tree->depth = tree->depth > at.depth ? tree->depth : at.depth;
    if (feature < reading->forest->features && !reading->status) {
        node.left = (uint32_t)reading->tree.count;
        FW_APPEND(reading->scratch, &reading->tree);
        FW_APPEND(reading->scratch, &reading->tree);
        reading->nodes += 2;
        stack[(*waiting)++] = (struct expected){node.left + 1, at.depth + 1};
        stack[(*waiting)++] = (struct expected){node.left, at.depth + 1};
    }
    reading->tree.at[at.node] = node;
}

static void take_tree(struct reading *reading, struct grown_tree *tree, struct expected *stack)
{
    size_t waiting = 0;
    reading->tree.count = 0;
    FW_APPEND(reading->scratch, &reading->tree);
    stack[waiting++] = (struct expected){0, 0};
    while (waiting && !reading->status) {
        struct expected at = stack[--waiting];
        take_node(reading, tree, at, stack, &waiting);
    }
    tree->count = (uint32_t)reading->tree.count;
    tree->nodes = fw_arena_copy(reading->scratch, reading->tree.at,
                                reading->tree.count * sizeof(*reading->tree.at));
}

/* A file that forests did not write may have leaves that are no multiples of the grid. */
static uint32_t round_leaves(struct reading *reading)
{
    const uint32_t trees = reading->forest->trees;
    double reach = 0;
    uint32_t most = 0;
    for (uint32_t t = 0; t < trees; t++) {
        const struct grown_tree *tree = &reading->trees[t];
        most = most > tree->count ? most : tree->count;
        for (uint32_t n = 0; n < tree->count; n++)
            if (!tree->nodes[n].left)
                reach = fmax(reach, fabs((double)tree->nodes[n].value));
    }
    const double grid = forest_grid(reach, trees);
    for (uint32_t t = 0; t < trees; t++)
        for (uint32_t n = 0; n < reading->trees[t].count; n++) {
            struct grown_node *node = &reading->trees[t].nodes[n];
            if (!node->left)
                node->value = forest_leaf((double)node->value, grid);
        }
    return most;
}

static void pack(struct reading *reading)
{
    struct fw_forest *forest = reading->forest;
    struct packed_tree *packed = FW_ARRAY(reading->scratch, struct packed_tree, forest->trees);
    struct forest_packing packing;
    forest_packing_begin(&packing, reading->scratch, round_leaves(reading), forest->features);
    for (uint32_t t = 0; t < forest->trees; t++)
        forest_pack(&packed[t], &packing, &reading->trees[t], reading->scratch);
    enum fw_status status = forest_join(forest, packed);
    if (status == FW_ERROR_INPUT)
        fail(reading, "TREE011", "is too large");
    else
        reading->status = status;
}

static enum fw_status take_forest(struct reading *reading)
{
    struct fw_forest *forest = reading->forest;
    size_t most = (size_t)(reading->end - reading->at) / NODE_BYTES;
    forest->features = (uint32_t)take(reading, 2);
    forest->trees = (uint32_t)take(reading, 2);
    if (!reading->status && (!forest->features || forest->features > FW_FOREST_FEATURES_MOST ||
                             !forest->trees || forest->trees > FW_FOREST_TREES_MOST))
        fail(reading, "TREE011", "has too many features or trees, or none");
    if (reading->status)
        return reading->status;
    forest->offset = take_double(reading);
    forest->importance = FW_ARRAY(reading->arena, double, forest->features);
    for (uint32_t f = 0; f < forest->features; f++)
        forest->importance[f] = take_double(reading);
    reading->trees = FW_ARRAY(reading->scratch, struct grown_tree, forest->trees);
    struct expected *stack = FW_ARRAY(reading->scratch, struct expected, most + 3);
    for (uint32_t t = 0; t < forest->trees && !reading->status; t++)
        take_tree(reading, &reading->trees[t], stack);
    if (!reading->status && reading->at != reading->end)
        fail(reading, "TREE012", "has bytes behind its end");
    if (!reading->status)
        pack(reading);
    return reading->status;
}

static enum fw_status read_guarded(struct reading *reading)
{
    jmp_buf exhausted;
    fw_arena_on_exhausted(reading->arena, &exhausted);
    fw_arena_on_exhausted(reading->scratch, &exhausted);
    if (setjmp(exhausted))
        return FW_ERROR_MEMORY;
    reading->forest = FW_NEW(reading->arena, struct fw_forest);
    reading->forest->arena = reading->arena;
    enum fw_status status = take_forest(reading);
    fw_arena_on_exhausted(reading->arena, NULL);
    return status;
}

enum fw_status fw_forest_read(struct fw_forest **forest, const unsigned char *bytes, size_t length,
                              struct fw_span place, const struct fw_sink *sink)
{
    struct reading reading = {.at = bytes, .end = bytes + length, .place = place, .sink = sink};
    enum fw_status status = FW_ERROR_MEMORY;
    *forest = NULL;
    reading.arena = fw_arena_new(0);
    reading.scratch = fw_arena_new(0);
    if (reading.arena && reading.scratch)
        status = read_guarded(&reading);
    fw_arena_free(reading.scratch);
    if (!status)
        *forest = reading.forest;
    else if (reading.forest)
        fw_forest_free(reading.forest);
    else
        fw_arena_free(reading.arena);
    return status;
}

/* ---- C ---- */

void fw_forest_write_c(struct fw_buffer *out, const struct fw_forest *forest, const char *name)
{
    fw_buffer_printf(out,
                     "/* A forest of %u trees over %u features. */\n"
                     "static const struct {\n    float cut;\n    unsigned link;\n} %s_nodes[] = {",
                     forest->trees, forest->features, name);
    for (size_t n = 0; n < 2 * forest->pairs; n++)
        fw_buffer_printf(out, "%s{%af, %u}%s", n % 4 ? " " : "\n    ", (double)forest->nodes[n].cut,
                         forest->nodes[n].link, n + 1 < 2 * forest->pairs ? "," : "};\n");
    fw_buffer_printf(out,
                     "\n/* Of %u features. */\n"
                     "double %s(const double *row)\n{\n"
                     "    double sum = 0;\n"
                     "    for (unsigned tree = 0; tree < %u; tree++) {\n"
                     "        unsigned at = tree;\n"
                     "        while ((%s_nodes[at].link & 255) < %u)\n"
                     "            at = 2 * (%s_nodes[at].link >> 8) +\n"
                     "                 ((float)row[%s_nodes[at].link & 255] > %s_nodes[at].cut);\n"
                     "        sum += %s_nodes[at].cut;\n"
                     "    }\n"
                     "    return %a + sum / %u;\n}\n",
                     forest->features, name, forest->trees, name, forest->features, name, name,
                     name, name, forest->offset, forest->trees);
}
