/* Atomic operations of a warp on one word: what ptxas issues to make one of them.  Asynchronous
 * copies: what it issues ahead of them. */
#include "lowering_testing.h"

/* So many of an operation that a kernel issues which executes `text`; %same is an argument's
 * value, %own the thread's index, %p an argument's address, %q one of each thread. */
static unsigned issued(const char *text, enum fw_machine operation, uint32_t capability)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_80\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u32 v) {\n"
                     ".reg .b32 %%same,%%own,%%r<3>; .reg .f32 %%f; .reg .b64 %%p,%%q,%%w,%%d;\n"
                     ".shared .b32 s[4];\n"
                     "ld.param.u64 %%p,[a]; ld.param.u32 %%same,[v]; mov.u32 %%own,%%tid.x;\n"
                     "mul.wide.u32 %%w,%%own,4; add.s64 %%q,%%p,%%w; cvt.rn.f32.u32 %%f,%%own;\n"
                     "%s\nret; }\n",
                     text);
    return lowered_count(&all, operation, capability);
}

static void lanes_are_counted_or_summed(void **state)
{
    (void)state;
    const char *counted = "red.global.add.u32 [%p],1;", *of_all = "red.global.add.u32 [%p],%same;",
               *of_each = "red.global.add.u32 [%p],%own;",
               *unread = "atom.global.add.u32 %r1,[%p],%own;",
               *most = "red.shared.max.u32 [s],%own;";
    assert_int_equal(issued(counted, FW_MACHINE_POPC, 90), 1);
    assert_int_equal(issued(of_all, FW_MACHINE_UPOPC, 90), 1);
    assert_int_equal(issued(of_each, FW_MACHINE_REDUX, 90), 1);
    assert_int_equal(issued(of_each, FW_MACHINE_REDUX, 80), 1);
    assert_int_equal(issued(unread, FW_MACHINE_REDUX, 90), 1);
    assert_int_equal(issued(most, FW_MACHINE_REDUX, 90), 1);
    assert_int_equal(issued(most, FW_MACHINE_ATOMS, 90), 1);
}

static void lanes_get_their_results(void **state)
{
    (void)state;
    const char *counted = "atom.global.add.u32 %r1,[%p],1; st.global.u32 [%q],%r1;",
               *of_each = "atom.global.add.u32 %r1,[%p],%own; st.global.u32 [%q],%r1;",
               *most = "atom.global.max.u32 %r1,[%p],%own; st.global.u32 [%q],%r1;";
    assert_int_equal(issued(counted, FW_MACHINE_SHFL, 90), 1);
    assert_int_equal(issued(of_each, FW_MACHINE_SHFL, 90), 7); /* a prefix sum */
    assert_int_equal(issued(most, FW_MACHINE_REDUX, 90), 0);
    assert_int_equal(issued(most, FW_MACHINE_VOTEU, 90), 0);
}

static void other_operations_are_each_lanes_own(void **state)
{
    (void)state;
    static const char *const alone[] = {
        "red.global.add.u32 [%q],%own;", /* an address of each lane */
        "red.global.add.f32 [%p],%f;",   "red.global.inc.u32 [%p],%same;",
        "red.global.add.u64 [%p],%w;",   "red.shared.add.u32 [s],1;", /* ATOMS.POPC.INC */
    };
    for (unsigned a = 0; a < sizeof alone / sizeof *alone; a++)
        assert_int_equal(issued(alone[a], FW_MACHINE_VOTEU, 90), 0);
    assert_int_equal(issued("red.shared.add.s32 [s],1;", FW_MACHINE_VOTEU, 90), 1);
    assert_int_equal(issued("red.global.add.u64 [%p],%d;", FW_MACHINE_VOTEU, 90), 1);
}

static void copies_are_ordered_behind_shared_memory(void **state)
{
    (void)state;
#define COPY "cp.async.cg.shared.global [s],[%p],16; "
    assert_int_equal(issued(COPY, FW_MACHINE_LDS, 90), 3);
    assert_int_equal(issued(COPY COPY "cp.async.commit_group; " COPY "cp.async.wait_group 0; " COPY,
                            FW_MACHINE_LDS, 90),
                     3);
    assert_int_equal(issued(COPY "bar.sync 0; " COPY COPY, FW_MACHINE_LDS, 90), 6);
    assert_int_equal(issued(COPY "st.shared.u32 [s],%own; " COPY, FW_MACHINE_LDS, 80), 6);
    assert_int_equal(issued("st.shared.u32 [s],%own; bar.sync 0;", FW_MACHINE_LDS, 90), 0);
#undef COPY
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_counted_or_summed),
        cmocka_unit_test(lanes_get_their_results),
        cmocka_unit_test(other_operations_are_each_lanes_own),
        cmocka_unit_test(copies_are_ordered_behind_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
