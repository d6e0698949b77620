/* PTX for debugging is told from PTX that ptxas optimises. */
#include "../../property/subject.h"

#include "demand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KERNEL(options)                                                                            \
    ".version 8.0\n.target sm_90" options "\n.address_size 64\n"                                   \
    ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd<3>;\n"                                   \
    "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], 1;\nret;\n}\n"

static bool warns(const char *text)
{
    struct subject s = {.arena = fw_arena_new(0)};
    assert_true(subject_read(&s, "k", text, strlen(text), "", "k"));
    const bool said = fw_debug_caveat(s.kernel) != NULL;
    fw_arena_free(s.arena);
    return said;
}

static void debugging_is_said(void **state)
{
    (void)state;
    assert_true(warns(KERNEL(", debug")));
    assert_true(warns(KERNEL(", texmode_independent, debug")));
    assert_false(warns(KERNEL(", texmode_independent")));
    assert_false(warns(KERNEL("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(debugging_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
