/* WMMA fragments: the machine's loads of a fragment, and the requests of a kernel with fragments.
 * The numbers of loads are those of ptxas 13.0's code for sm_90. */
#include "../../../property/subject.h"
#include "footprint.h"
#include "requests.h"
#include "wmma_fragment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    uint32_t rows, row_bytes, element;
    bool sums, along;
    uint32_t count, bytes, global_exchanges, shared_exchanges;
} fragments[] = {
    {"a f16 row", 16, 32, 2, false, true, 4, 4, 0, 0},
    {"b f16 row", 16, 32, 2, false, false, 4, 4, 4, 0},
    {"a f16 m32n8k16 row", 32, 32, 2, false, true, 8, 4, 0, 0},
    {"a s8 row", 16, 16, 1, false, true, 2, 4, 0, 0},
    {"b s8 row", 16, 16, 1, false, false, 8, 1, 0, 0},
    {"c f16 col", 16, 32, 2, true, false, 4, 4, 4, 4},
    {"c f32 row", 16, 64, 4, true, true, 4, 8, 0, 0},
    {"c f32 col", 16, 64, 4, true, false, 8, 4, 0, 0},
    {"a tf32 row", 16, 32, 4, false, true, 4, 4, 0, 0},
    {"a tf32 col", 8, 64, 4, false, false, 4, 4, 0, 0},
    {"a f64 row", 8, 32, 8, false, true, 1, 8, 0, 0},
    {"a f64 col", 4, 64, 8, false, false, 1, 8, 0, 0},
    {"c f64 row", 8, 64, 8, true, true, 1, 16, 0, 0},
    {"c f64 col", 8, 64, 8, true, false, 2, 8, 0, 0},
    {"a s4 row", 8, 16, 0, false, true, 1, 4, 0, 0},
};

static void loads_are_those_of_the_assembler(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof(fragments) / sizeof(fragments[0]); f++) {
        struct fw_tile tile = {.rows = fragments[f].rows,
                               .row_bytes = fragments[f].row_bytes,
                               .element = fragments[f].element,
                               .sums = fragments[f].sums,
                               .along = fragments[f].along};
        struct fw_fragment_requests global = fw_fragment_requests(&tile, FW_SPACE_GLOBAL);
        struct fw_fragment_requests shared = fw_fragment_requests(&tile, FW_SPACE_SHARED);
        print_message("%s\n", fragments[f].name);
        assert_int_equal(global.count, fragments[f].count);
        assert_int_equal(global.bytes, fragments[f].bytes);
        assert_int_equal(global.transposes, fragments[f].global_exchanges);
        assert_int_equal(shared.transposes, fragments[f].shared_exchanges);
    }
}

/* The loads touch every byte of a tile once, and none outside. */
static void loads_make_the_tile(void **state)
{
    enum { APART = 96 };
    (void)state;
    for (size_t f = 0; f < sizeof(fragments) / sizeof(fragments[0]); f++) {
        unsigned char touched[32 * APART] = {0};
        struct fw_tile tile = {.rows = fragments[f].rows,
                               .row_bytes = fragments[f].row_bytes,
                               .element = fragments[f].element,
                               .sums = fragments[f].sums,
                               .along = fragments[f].along};
        for (uint32_t p = 0; p < fragments[f].count; p++) {
            struct fw_warp_request lanes;
            fw_fragment_lanes(&lanes, &tile, p, 0, APART);
            for (uint32_t l = 0; l < lanes.lanes; l++)
                for (uint32_t b = 0; b < lanes.bytes; b++)
                    touched[lanes.at[l] + b]++;
        }
        for (uint32_t i = 0; i < sizeof(touched); i++)
            assert_int_equal(touched[i], i / APART < tile.rows && i % APART < tile.row_bytes);
    }
}

/* Each warp of a block of 256 loads a row of tiles of its own, `loops` of them, and stores none. */
static const char *const tiles =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry tiles(.param .u64 source, .param .u64 target, .param .u32 width)\n{\n"
    ".reg .pred %p<2>; .reg .b32 %r<24>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [source];\nld.param.u64 %rd2, [target];\nld.param.u32 %r1, [width];\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nshr.u32 %r4, %r2, 5;\nmov.u32 %r5, 0;\n"
    "shl.b32 %r6, %r3, 3;\nadd.u32 %r6, %r6, %r4;\nmul.lo.u32 %r7, %r6, %r1;\n"
    "shl.b32 %r7, %r7, 5;\nmul.wide.s32 %rd3, %r7, 1;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "$LOOP:\n"
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
    "{%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17}, [%rd4], %r1;\n"
    "add.s64 %rd4, %rd4, 32;\nadd.s32 %r5, %r5, 16;\nsetp.lt.s32 %p1, %r5, %r1;\n@%p1 bra $LOOP;\n"
    "mul.wide.u32 %rd5, %r2, 4;\nadd.s64 %rd6, %rd2, %rd5;\nst.global.u32 [%rd6], %r10;\n"
    "ret;\n}\n";

/* 16 x `width` halves per warp, none twice: each of a tile's four loads requests half of eight
 * sectors, and the tile's footprint is sixteen. */
static void fragments_ask_for_their_rows(void **state)
{
    enum { WIDTH = 512, GRID = 10, WARPS = 8 };
    struct subject s = {.arena = fw_arena_new(0)};
    struct fw_device *device = NULL;
    struct fw_kernel_accesses traffic;
    struct fw_requests requests;
    const char *root = getenv("FOREWARP_SOURCE");
    (void)state;
    assert_true(subject_read(&s, "tiles", tiles, strlen(tiles), "", "tiles"));
    const char *profile = fw_arena_printf(s.arena, "%s/profiles/h200.json", root);
    assert_int_equal(fw_device_read(&device, s.arena, profile, NULL), FW_OK);
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = GRID;
    s.launch->block[0] = WARPS * 32;
    s.launch->integers[2] = WIDTH;
    s.launch->is_bound[2] = 1;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    fw_kernel_accesses_find(&traffic, s.arena, s.kernel, s.bound, s.launch, NULL);
    fw_requests_find(&requests, s.arena, s.kernel, s.bound, s.launch, device, &traffic, NULL);
    double sectors = GRID * WARPS * WIDTH / 16 * 32;
    assert_true(fabs(requests.load_sectors - sectors) < 1e-6);
    /* Rows 1024 bytes apart begin in one bank: eight passes for each of four loads. */
    double loads = GRID * WARPS * WIDTH / 16 * 4;
    assert_true(fabs(requests.global_wavefronts - requests.store_wavefronts - 8 * loads) < 1e-6);
    struct fw_footprint *footprint = fw_footprint_new(s.arena, &traffic.affine, 32);
    struct fw_window all = {0, GRID, 0, 1, FW_FOOTPRINT_LOADS};
    assert_true(fabs(fw_footprint_count(footprint, &all, 1, FW_NONE) - sectors / 2) < 1e-6);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_those_of_the_assembler),
        cmocka_unit_test(loads_make_the_tile),
        cmocka_unit_test(fragments_ask_for_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
