/* What LLVM's control flow says in other words than nvcc's: conditions that a branch before has
 * decided, flags that a loop carries, and breaks that its end asks for once more. */
#include "../../property/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define START                                                                                      \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"                                       \
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<20>;\n"                    \
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"                    \
    "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"

static void read_kernel(struct subject *s, const char *text)
{
    *s = (struct subject){.arena = fw_arena_new(0)};
    assert_true(subject_read(s, "k", text, strlen(text), "", "k"));
}

static const struct fw_access *last_store(const struct subject *s)
{
    const struct fw_access *store = NULL;
    for (uint32_t a = 0; a < s->kernel->access_count; a++)
        if (s->kernel->accesses[a].space == FW_SPACE_GLOBAL &&
            s->kernel->accesses[a].direction == FW_STORE)
            store = &s->kernel->accesses[a];
    assert_non_null(store);
    return store;
}

/* Where both ways of n < 1 come to the last store, by a loop and by a way that asks for n < 1 once
 * more and goes elsewhere where it does not hold, which is nowhere: all threads store. */
static void ways_that_no_thread_takes_are_none(void **state)
{
    static const char text[] = START "setp.lt.s32 %p1, %r1, 1;\n@%p1 bra $NONE;\n"
                                     "mov.u32 %r3, %r1;\n$LOOP:\nld.global.f32 %f1, [%rd3];\n"
                                     "add.s32 %r3, %r3, -1;\nsetp.ne.s32 %p2, %r3, 0;\n"
                                     "@%p2 bra $LOOP;\n@%p1 bra $OTHER;\nbra.uni $ALL;\n"
                                     "$NONE:\nst.global.u32 [%rd3], 0;\nbra.uni $ALL;\n"
                                     "$OTHER:\nst.global.u32 [%rd3+4], 1;\nret;\n"
                                     "$ALL:\nst.global.u32 [%rd3+8], 2;\nret;\n}\n";
    struct subject s;
    (void)state;
    read_kernel(&s, text);
    assert_int_equal(s.kernel->domains[last_store(&s)->domain].kind, FW_DOMAIN_ALL);
    fw_arena_free(s.arena);
}

/* A loop that goes round once more where a flag holds, which the first iteration takes back through
 * a move, runs twice. */
static void flags_are_followed_through_moves(void **state)
{
    static const char text[] = START "mov.pred %p1, -1;\nmov.pred %p2, 0;\n$LOOP:\n"
                                     "mov.pred %p3, %p1;\nst.global.u32 [%rd3], 1;\n"
                                     "mov.pred %p1, %p2;\n@%p3 bra $LOOP;\nret;\n}\n";
    struct subject s;
    struct fw_launch *launch;
    uint32_t unknowns;
    (void)state;
    read_kernel(&s, text);
    assert_int_equal(s.kernel->loop_count, 1);
    assert_false(s.kernel->loops[0].data_dependent);
    launch = fw_launch_new(s.arena, s.kernel);
    launch->block[0] = 32;
    struct fw_bound *bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    const struct fw_total *stores = fw_bound_count(bound, last_store(&s)->domain);
    assert_true(stores->exact);
    assert_int_equal(mpz_get_ui(stores->value), 64); /* of 32 threads */
    fw_bound_unknowns(bound, &unknowns);
    assert_int_equal(unknowns, 0);
    fw_bound_free(bound);
    fw_arena_free(s.arena);
}

/* A search whose hit stores, and whose end asks for the hit once more beside a bound. */
#define SEARCH(slot, found)                                                                        \
    START "mov.u32 %r3, 0;\nmov.u32 %r4, %r2;\n"                                                   \
          "$LOOP:\nmul.wide.u32 %rd4, %r4, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"                        \
          "ld.global.u32 %r5, [%rd5];\nsetp.eq.s32 %p1, %r5, %r2;\n@" found " bra $END;\n"         \
          "st.global.u32 [%rd3], 1;\n"                                                             \
          "$END:\nadd.s32 %r6, %r4, 1;\n" slot "add.s32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 64;\n" \
          "not.pred %p3, %p1;\nand.pred %p4, %p3, %p2;\n@%p4 bra $LOOP;\nret;\n}\n"

static const struct fw_branch *first_exit(const struct subject *s)
{
    for (uint32_t i = 0; i < s->kernel->branch_count; i++)
        if (s->kernel->branches[i].exits)
            return &s->kernel->branches[i];
    return NULL;
}

static void breaks_that_the_end_asks_for_leave(void **state)
{
    struct subject s;
    (void)state;
    read_kernel(&s, SEARCH("mov.u32 %r4, %r6;\n", "!%p1"));
    assert_non_null(first_exit(&s));
    assert_false(first_exit(&s)->exits_when); /* taken where nothing was found */
    assert_false(s.kernel->loops[0].looks_up);
    fw_arena_free(s.arena);
    read_kernel(&s, SEARCH("mov.u32 %r4, %r6;\n", "%p2"));
    assert_null(first_exit(&s)); /* another predicate */
    fw_arena_free(s.arena);
}

/* A slot that goes around a table: the bound of its loop is seldom met. */
static void keys_are_found_before_the_bound(void **state)
{
    struct subject s;
    (void)state;
    read_kernel(&s, SEARCH("and.b32 %r4, %r6, %r1;\n", "!%p1"));
    assert_true(s.kernel->loops[0].looks_up);
    assert_float_equal(s.kernel->loops[0].usual, 1.5, 1e-9);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_that_no_thread_takes_are_none),
        cmocka_unit_test(flags_are_followed_through_moves),
        cmocka_unit_test(breaks_that_the_end_asks_for_leave),
        cmocka_unit_test(keys_are_found_before_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
