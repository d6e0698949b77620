/* The orders that the register estimate takes instructions in, and what launch bounds, parameters
 * and setmaxnreg leave a thread.  Numbers of ptxas are 13.0's for sm_90a. */
#include "register_testing.h"
#include "residency.h"

#include <stdlib.h>

static const char *root(void)
{
    const char *named = getenv("FOREWARP_SOURCE");
    return named ? named : ".";
}

/* The text computes all products before the first sum reads one; in the order of need each is
 * computed where it is read. */
static void values_are_live_from_where_they_are_needed(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    (void)state;
    fw_buffer_printf(&body, "ld.global.f32 %%f1, [%%d4];\nld.global.f32 %%f2, [%%d4+4];\n");
    for (int i = 0; i < 60; i++)
        fw_buffer_printf(&body, "fma.rn.f32 %%f%d, %%f1, 0f%08X, %%f2;\n", 10 + i,
                         0x3F800000u + (unsigned)i * 4096);
    for (int i = 1; i < 60; i++)
        fw_buffer_printf(&body, "max.f32 %%f%d, %%f%d, %%f%d;\n", 100 + i, i > 1 ? 99 + i : 10,
                         10 + i);
    fw_buffer_printf(&body, "st.global.f32 [%%d4], %%f159;\n");
    struct fw_registers registers = estimate_text("", body.text);
    assert_true(registers.text > 60);
    assert_in_range(registers.live, 4, 8);
    fw_arena_free(arena);
}

/* Loads come right before their first use, and sums that the text has one after the other go on
 * side by side, so that what all of them read is let go of: one store of all, or one of each (ptxas
 * 13.0: 30 registers for one sum and for four that are stored once, 32 for four stores). */
static void loads_move_to_their_use_and_sums_go_side_by_side(void **state)
{
    enum { LOADS = 40, MOST = 4 };
    (void)state;
    for (int stores = 0; stores <= 1; stores++)
        for (int sums = 1; sums <= MOST; sums++) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_buffer body = fw_buffer_new(arena);
            for (int i = 1; i <= LOADS; i++)
                fw_buffer_printf(&body, "ld.global.f32 %%f%d, [%%d4+%d];\n", i, 4 * i);
            for (int s = 0; s < sums; s++) {
                int sum = 50 + 40 * s;
                fw_buffer_printf(&body, "mul.f32 %%f%d, %%f1, 0f4%d000000;\n", sum, s);
                for (int i = 2; i <= LOADS; i++)
                    fw_buffer_printf(&body, "fma.rn.f32 %%f%d, %%f%d, 0f3F8%d0000, %%f%d;\n", sum,
                                     i, s, sum);
                if (stores)
                    fw_buffer_printf(&body, "st.global.f32 [%%d4+%d], %%f%d;\n", 128 * s, sum);
                else if (s)
                    fw_buffer_printf(&body, "add.f32 %%f50, %%f50, %%f%d;\n", sum);
            }
            if (!stores)
                fw_buffer_printf(&body, "st.global.f32 [%%d4], %%f50;\n");
            struct fw_registers registers = estimate_text("", body.text);
            assert_true(registers.text > LOADS);
            assert_in_range(registers.live, 3, 10);
            fw_arena_free(arena);
        }
}

/* Sums of a loop's iterations, which nobody in the loop reads: each conversion stands before its
 * sum. */
static void sums_of_iterations_take_what_they_read(void **state)
{
    enum { SUMS = 32 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    (void)state;
    for (int i = 0; i < SUMS; i++)
        fw_buffer_printf(&body, "mov.f32 %%f%d, 0f00000000;\n", 100 + i);
    fw_buffer_printf(&body, "mov.u32 %%r3, 0;\nHEAD:\n");
    for (int i = 0; i < SUMS; i++)
        fw_buffer_printf(&body, "ld.global.s32 %%r%d, [%%d4+%d];\n", 10 + i, 128 * i);
    for (int i = 0; i < SUMS; i++)
        fw_buffer_printf(&body, "cvt.rn.f32.s32 %%f%d, %%r%d;\n", 10 + i, 10 + i);
    for (int i = SUMS - 1; i >= 0; i--)
        fw_buffer_printf(&body, "add.f32 %%f%d, %%f%d, %%f%d;\n", 100 + i, 100 + i, 10 + i);
    fw_buffer_printf(&body, "add.s32 %%r3, %%r3, 1;\nsetp.lt.s32 %%p2, %%r3, %%r1;\n"
                            "@%%p2 bra HEAD;\n");
    for (int i = 0; i < SUMS; i++)
        fw_buffer_printf(&body, "st.global.f32 [%%d4+%d], %%f%d;\n", 4 * i, 100 + i);
    struct fw_registers registers = estimate_text("", body.text);
    assert_true(registers.text > 2 * SUMS);
    assert_in_range(registers.live, SUMS, SUMS + 8);
    fw_arena_free(arena);
}

/* Loads of 4 bytes, each for the sum, from global or shared memory. */
static unsigned estimate_of_sum(const char *directives, int loads, const char *from)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    fw_buffer_printf(&body, "mov.f32 %%f199, 0f00000000;\n");
    for (int i = 1; i <= loads; i++)
        fw_buffer_printf(&body, "ld.%s+%d];\nadd.f32 %%f199, %%f199, %%f1;\n", from, 128 * i);
    fw_buffer_printf(&body, "st.global.f32 [%%d4], %%f199;\n");
    unsigned registers = estimate_text(directives, body.text).estimate;
    fw_arena_free(arena);
    return registers;
}

/* Loads fill the registers that cost no blocks of the stated size (ptxas 13.0: 30 registers for 48
 * loads without bounds and by 256 threads, 52 by 32, 55 where one block is enough); from shared
 * memory only few are in flight (26 registers). */
static void launch_bounds_leave_registers_to_loads(void **state)
{
    static const char global[] = "global.f32 %f1, [%d4", shared[] = "shared.f32 %f1, [%r2";
    (void)state;
    assert_int_equal(estimate_of_sum("", 48, global), 32);
    assert_int_equal(estimate_of_sum(".maxntid 256, 1, 1", 48, global), 32);
    assert_int_equal(estimate_of_sum(".maxntid 32, 1, 1", 99, global), 64);
    assert_in_range(estimate_of_sum(".maxntid 32, 1, 1", 48, global), 54, 62);
    assert_in_range(estimate_of_sum(".reqntid 256, 1, 1\n.minnctapersm 1", 48, global), 54, 62);
    assert_int_equal(estimate_of_sum(".maxntid 256, 1, 1\n.minnctapersm 4", 99, global), 64);
    assert_in_range(estimate_of_sum(".maxntid 256, 1, 1\n.minnctapersm 1", 99, shared), 22, 30);
}

/* Either word of a parameter is an operand, as the parameter is; what a literal adds to it is made
 * again (`dropout_philox` in data/h100/programs-fifth: 28 registers by ptxas 13.0). */
static void words_of_parameters_take_no_registers(void **state)
{
    enum { KEYS = 40 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    (void)state;
    fw_buffer_printf(&body, "cvt.u32.u64 %%r3, %%d1;\nshr.u64 %%d9, %%d1, 32;\n"
                            "cvt.u32.u64 %%r4, %%d9;\n");
    for (int i = 0; i < KEYS; i++)
        fw_buffer_printf(&body, "add.s32 %%r%d, %%r%d, %d;\n", 20 + i, 3 + i % 2, 12345 * (i + 1));
    fw_buffer_printf(&body, "mov.u32 %%r10, %%r2;\nHEAD:\n");
    for (int i = 0; i < KEYS; i++)
        fw_buffer_printf(
            &body, "mul.hi.u32 %%r11, %%r10, 766435501;\nxor.b32 %%r10, %%r11, %%r%d;\n", 20 + i);
    fw_buffer_printf(&body, "st.global.u32 [%%d4], %%r10;\nsetp.lt.u32 %%p1, %%r10, %%r1;\n"
                            "@%%p1 bra HEAD;\n");
    assert_in_range(estimate_text("", body.text).estimate, 8, 32);
    fw_arena_free(arena);
}

/* Warps that hand registers to each other begin with what the launch bounds leave, up to what the
 * largest setmaxnreg asks for. */
static void kernels_that_hand_registers_on_begin_with_all(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", root());
    struct fw_pressure pressure = {.need = 200};
    struct fw_kernel kernel = {.resources = {.registers = 90,
                                             .registers_source = "liveness",
                                             .pressures = &pressure,
                                             .pressure_count = 1,
                                             .least_registers = 40,
                                             .most_registers = 232}};
    struct fw_launch launch = {.block = {384, 1, 1}};
    struct fw_resources limited;
    struct fw_device *device;
    (void)state;
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    fw_residency_limit(&limited, &kernel, &launch, device);
    assert_int_equal(limited.registers, 90); /* ptxas ignores it: no bound says where to begin */
    for (uint32_t d = 0; d < 3; d++)
        kernel.max_block[d] = d ? 1 : 384;
    fw_residency_limit(&limited, &kernel, &launch, device);
    assert_int_equal(limited.registers, 168);
    assert_int_equal(limited.wanted_registers, 0);
    kernel.max_block[0] = launch.block[0] = 128;
    fw_residency_limit(&limited, &kernel, &launch, device);
    assert_int_equal(limited.registers, 232);
    fw_arena_free(arena);
}

/* Ten numbers that a loop reads beside their pairs with a sign: the lower word of a pair is the
 * number's own register, so that ten more hold the signs (ptxas 13.0 for chain_diagonal in
 * data/h200/programs-third: R2 is the number, R3 its sign). */
static void pairs_with_a_sign_share_their_lower_words(void **state)
{
    enum { NUMBERS = 10 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    (void)state;
    for (int i = 0; i < NUMBERS; i++)
        fw_buffer_printf(&body, "ld.global.u32 %%r%d, [%%d4+%d];\ncvt.s64.s32 %%d%d, %%r%d;\n",
                         20 + i, 4 * i, 20 + i, 20 + i);
    fw_buffer_printf(&body, "mov.u32 %%r3, 0;\nHEAD:\n");
    for (int i = 0; i < NUMBERS; i++)
        fw_buffer_printf(&body,
                         "st.global.u32 [%%d4+%d], %%r%d;\nst.global.u64 [%%d4+%d], %%d%d;\n",
                         100 + 4 * i, 20 + i, 200 + 8 * i, 20 + i);
    fw_buffer_printf(&body, "add.s32 %%r3, %%r3, 1;\nsetp.lt.s32 %%p2, %%r3, %%r1;\n"
                            "@%%p2 bra HEAD;\n");
    assert_in_range(estimate_text("", body.text).live, 2 * NUMBERS, 2 * NUMBERS + 6);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_live_from_where_they_are_needed),
        cmocka_unit_test(loads_move_to_their_use_and_sums_go_side_by_side),
        cmocka_unit_test(sums_of_iterations_take_what_they_read),
        cmocka_unit_test(launch_bounds_leave_registers_to_loads),
        cmocka_unit_test(words_of_parameters_take_no_registers),
        cmocka_unit_test(kernels_that_hand_registers_on_begin_with_all),
        cmocka_unit_test(pairs_with_a_sign_share_their_lower_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
