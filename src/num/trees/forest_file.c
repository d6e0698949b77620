#include "forest_file.h"
#include "forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MOST = 1 << 16,
    NODE_BYTES = 5,
    NODES_MOST = 1 << 25,
    IN_ORDER_MOST = 1 << 20 /* bytes of a forest, whose trees need no packing beyond their order */
};

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

struct expected {
    uint32_t node, depth;
};

struct reading {
    const unsigned char *at, *end;
    struct fw_span place;
    const struct fw_sink *sink;
    struct fw_arena *arena, *scratch;
    struct fw_forest *forest;
    FW_VECTOR(struct grown_node) tree;   /* that is being read: its memory serves all of them */
    FW_VECTOR(struct expected) expected; /* nodes of it, the next one last */
    struct forest_packing packing;
    size_t packing_room; /* nodes of a tree that it has room for */
    bool in_order;       /* trees are packed as they come */
    size_t nodes;
    float reach; /* the greatest magnitude of a leaf */
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

/* What is wrong with a node, if anything is. */
static void check_node(struct reading *reading, uint32_t feature, float value, uint32_t depth)
{
    if (!isfinite(value))
        fail(reading, "TREE011", "has a number that is not finite");
    if (feature > reading->forest->features)
        fail(reading, "TREE011", "splits by a feature that it does not have");
    if (depth > DEPTH_MOST || reading->nodes > NODES_MOST)
        fail(reading, "TREE011", "is too large");
}

/* Room for two nodes and two expected ones more. */
static void make_room(struct reading *reading)
{
    while (reading->tree.capacity - reading->tree.count < 2)
        reading->tree.at = fw_arena_grow(reading->scratch, reading->tree.at,
                                         &reading->tree.capacity, sizeof(*reading->tree.at));
    while (reading->expected.capacity - reading->expected.count < 2)
        reading->expected.at =
            fw_arena_grow(reading->scratch, reading->expected.at, &reading->expected.capacity,
                          sizeof(*reading->expected.at));
}

/* Whether a number is finite, by its bits. */
static inline bool finite_bits(uint32_t bits)
{
    return (bits & 0x7f800000) != 0x7f800000;
}

/* Reads nodes as long as there is room; those that one makes expected come next, the left one
 * first.  Whether it splits or is a leaf is for no processor to guess: both are done, and one
 * counts. */
static void take_nodes(struct reading *reading, struct grown_tree *tree)
{
    const uint32_t features = reading->forest->features;
    const unsigned char *from = reading->at, *const end = reading->end;
    struct grown_node *const nodes = reading->tree.at;
    struct expected *const expected = reading->expected.at;
    const size_t room = reading->tree.capacity - 2, most_expected = reading->expected.capacity - 2;
    size_t count = reading->tree.count, waiting = reading->expected.count;
    size_t all = reading->nodes;
    uint32_t deepest = tree->depth, greatest;
    memcpy(&greatest, &reading->reach, sizeof(greatest)); /* as numbers above 0 are, so are bits */
    while (waiting && waiting <= most_expected && count <= room && end - from >= NODE_BYTES) {
        const struct expected at = expected[--waiting];
        const uint32_t feature = from[0];
        const uint32_t bits =
            from[1] | (uint32_t)from[2] << 8 | (uint32_t)from[3] << 16 | (uint32_t)from[4] << 24;
        const bool splits = feature < features;
        const uint32_t left = (uint32_t)count, more = 2 * (uint32_t)splits;
        const uint32_t magnitude = forest_pick(splits, 0, bits & 0x7fffffff);
        float value;
        memcpy(&value, &bits, sizeof(value));
        from += NODE_BYTES;
        if (!finite_bits(bits) || feature > features || at.depth > DEPTH_MOST || all > NODES_MOST) {
            reading->nodes = all;
            check_node(reading, feature, value, at.depth);
            return;
        }
        greatest = magnitude > greatest ? magnitude : greatest;
        deepest = deepest > at.depth ? deepest : at.depth;
        expected[waiting] = (struct expected){left + 1, at.depth + 1};
        expected[waiting + 1] = (struct expected){left, at.depth + 1};
        nodes[at.node] = (struct grown_node){forest_pick(splits, left, 0), feature, value};
        waiting += more;
        count += more;
        all += more;
    }
    memcpy(&reading->reach, &greatest, sizeof(greatest));
    reading->at = from;
    reading->tree.count = count;
    reading->expected.count = waiting;
    reading->nodes = all;
    tree->depth = deepest;
}

/* Reads a tree and packs it, with its leaves as they are. */
static void take_tree(struct reading *reading, struct packed_tree *packed)
{
    struct grown_tree tree = {.depth = 0};
    reading->tree.count = reading->expected.count = 0;
    FW_APPEND(reading->scratch, &reading->tree);
    *FW_APPEND(reading->scratch, &reading->expected) = (struct expected){0, 0};
    while (reading->expected.count && !reading->status) {
        make_room(reading);
        if (reading->end - reading->at >= NODE_BYTES)
            take_nodes(reading, &tree);
        else
            fail(reading, "TREE010", "ends early");
    }
    if (reading->status)
        return;
    tree.count = (uint32_t)reading->tree.count;
    tree.nodes = reading->tree.at;
    if (tree.count > reading->packing_room) {
        reading->packing_room = 2 * (size_t)tree.count;
        forest_packing_begin(&reading->packing, reading->scratch, reading->packing_room,
                             reading->forest->features);
        reading->packing.in_order = reading->in_order;
    }
    forest_pack(packed, &reading->packing, &tree, reading->scratch);
}

/* A file that forests did not write may have leaves that are no multiples of the grid. */
static void round_leaves(struct fw_forest *forest, float reach)
{
    const double grid = forest_grid((double)reach, forest->trees);
    for (size_t n = 0; n < 2 * forest->pairs; n++) {
        struct fw_forest_node *node = &forest->nodes[n];
        const float leaf = forest_leaf((double)node->cut, grid);
        node->cut = (node->link & 255) < forest->features ? node->cut : leaf;
    }
    for (size_t l = 0; l < forest->leaves && forest->tiles; l++)
        forest->values[l] = forest_leaf((double)forest->values[l], grid);
}

static void join(struct reading *reading, const struct packed_tree *packed)
{
    enum fw_status status = forest_join(reading->forest, packed);
    if (status == FW_ERROR_INPUT)
        fail(reading, "TREE011", "is too large");
    else
        reading->status = status;
    if (!status)
        round_leaves(reading->forest, reading->reach);
}

static enum fw_status take_forest(struct reading *reading)
{
    struct fw_forest *forest = reading->forest;
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
    reading->in_order =
        forest->features > TILE_FEATURES && reading->end - reading->at <= IN_ORDER_MOST;
    struct packed_tree *packed = FW_ARRAY(reading->scratch, struct packed_tree, forest->trees);
    for (uint32_t t = 0; t < forest->trees && !reading->status; t++)
        take_tree(reading, &packed[t]);
    if (!reading->status && reading->at != reading->end)
        fail(reading, "TREE012", "has bytes behind its end");
    if (!reading->status)
        join(reading, packed);
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
