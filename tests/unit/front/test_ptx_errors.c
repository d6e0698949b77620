/* What src/front/ptx does about bad input. */
#include "ptx_testing.h"

static void errors_have_a_place(void **state)
{
    (void)state;
    assert_int_equal(
        read_bad(HEAD ".entry k()\n{\n  .reg .b32 %r<3>;\n  add.s32 %r1, %r2 %r1;\n}\n"),
        FW_ERROR_INPUT);
    assert_string_equal(diagnostics.text,
                        "test.ptx:7:20: error: expected ',' or ';' before '%r1' "
                        "[PTX005]\n    add.s32 %r1, %r2 %r1;\n                     ^~~\n");
}

static void several_errors_are_reported_and_at_most_ten(void **state)
{
    (void)state;
    bad_body("bra;\nmov.u32 %yy, 1;\nret;", "%yy");
    bad_body("add.s32 %r1 %r2;\nmov.u32 %r1, %zz;\nadd.s32 %r1, %r2, ;\nbra nowhere;", "PTX007");
    assert_reported(":6:13:");
    assert_reported(":8:");
    assert_reported("PTX009");
    struct fw_buffer body = fw_buffer_new(arena);
    for (unsigned i = 0; i < 50; i++)
        fw_buffer_printf(&body, "mov.u32 %%r1, %%bad%u;\n", i);
    bad_body(body.text, "%bad9'");
    assert_null(strstr(diagnostics.text, "%bad10"));
    assert_reported("ten errors");
}

static void warnings_end_at_twenty(void **state)
{
    (void)state;
    struct fw_buffer body = fw_buffer_new(arena);
    for (unsigned i = 0; i < 50; i++)
        fw_buffer_printf(&body, "unknown%u;\n", i);
    read_body(body.text);
    assert_reported("unknown19'");
    assert_reported("are left out");
    assert_null(strstr(diagnostics.text, "unknown20'"));
}

static void what_is_defined_twice_is_refused(void **state)
{
    (void)state;
    bad_body("L: ret; L: exit;", "PTX010");
    bad_body(".reg .b32 x; .reg .f32 x;", "PTX010");
    bad_body(".reg .b32 %r<3>;", "PTX010");
    bad_body(".reg .b32 %r3;", "PTX010");
    bad_body(".reg .b32 x3; .reg .b32 x<4>; mov.b32 x3, x2;", "PTX010");
    read_body(".reg .b32 x3; .reg .b32 x<3>; mov.b32 x3, x2;");
    bad_body(".shared .b32 a; ret; .local .b32 a;", "PTX010");
    assert_int_equal(read_bad(HEAD ".entry k() { ret; }\n.entry k() { ret; }"), FW_ERROR_INPUT);
    assert_reported("PTX010");
    assert_int_equal(read_bad(HEAD ".global .u32 x;\n.global .u32 x;"), FW_ERROR_INPUT);
    assert_reported("in line 4");
    assert_int_equal(read_bad(HEAD ".entry k(.param .u32 a, .param .u32 a) { ret; }"),
                     FW_ERROR_INPUT);
}

static void what_is_not_defined_is_refused(void **state)
{
    (void)state;
    bad_body("bra nowhere;", "PTX009");
    bad_body("call nothing;", "no function is called 'nothing'");
    bad_body("mov.u64 %rd1, nothing;", "PTX008");
    bad_body("ld.global.u32 %r1, [nothing+4];", "PTX008");
    bad_body("mov.u32 %r1, %tid.w2;", "PTX007");
    bad_body("@%p99 ret;", "PTX007");
    bad_body("{ .reg .b32 in; } mov.u32 %r1, in;", "PTX008");
    bad_body("{ IN: ret; } bra IN;", "PTX009");
    assert_int_equal(read_bad(HEAD ".global .u64 p = generic(none);"), FW_ERROR_INPUT);
    assert_reported("PTX008");
}

static void malformed_text_is_refused(void **state)
{
    (void)state;
    bad_body("mov.f32 %f1, 0f3F8000;", "PTX003");
    bad_body("mov.u32 %r1, 0x;", "PTX003");
    bad_body("mov.u32 %r1, 12abc;", "PTX003");
    bad_body("mov.u64 %rd1, 18446744073709551616;", "PTX003");
    bad_body("mov.u32 %r1, 09;", "PTX003");
    bad_body("mov.u32 %r1, 4 / (2 - 2);", "PTX013");
    bad_body("mov.u32 %r1, 1.0 + 2;", "PTX013");
    bad_body("/* no end", "PTX004");
    bad_body(".pragma \"no end;\n", "PTX004");
    bad_body("mov.u32 %r1, \xc3\xa9;", "PTX002");
    bad_body("mov.u32 %r1, `;", "PTX002");
    bad_body("@%p1;", "PTX005");
    bad_body("mov.u32 %r1, [a;", "PTX005");
    bad_body("ld.v2.u32 {%r1, %r2, [a];", "PTX005");
    bad_body("{ ret;", "is not closed");
    bad_body("add.s32 %r1, %r2;", "at least 3 operands");
    bad_body("ld.u32 [%rd1], [%rd2];", "a register is wanted");
    bad_body("elect.sync;", "at least 1 operand ");
    bad_body("call (%r1), 4;", "PTX005");
    bad_body("bra;", "PTX005");
    bad_body("bra %r1;", "PTX005");
    bad_body(".shared .align 3 .b8 x;", "power of two");
    bad_body(".shared .b8 x[-1];", "PTX011");
    bad_body(".local .u64 x[4611686018427387904];", "PTX011");
    bad_body("cp.async.ca.shared.global [%r1], [%rd1], 9223372036854775807;", "PTX011");
    assert_int_equal(read_bad(HEAD ".global .u32 x[2] = {1, 2, 3};"), FW_ERROR_INPUT);
    assert_reported("PTX014");
    assert_int_equal(read_bad(HEAD ".const .f16 x = 0f3F800000;"), FW_ERROR_INPUT);
    assert_reported("PTX014");
    assert_int_equal(read_bad(HEAD ".visible ret;"), FW_ERROR_INPUT);
    assert_int_equal(read_bad(HEAD ".reg .u32 x;"), FW_ERROR_INPUT);
}

static void what_is_no_ptx_is_named(void **state)
{
    (void)state;
    struct fw_module *module;
    assert_int_equal(READ_LITERAL(&module, "\xff\xfe.\0v\0"), FW_ERROR_INPUT);
    assert_reported("UTF-16");
    assert_int_equal(READ_LITERAL(&module, "\177ELF\2\1\1\0"), FW_ERROR_INPUT);
    assert_reported("compiled object");
    assert_int_equal(READ_LITERAL(&module, ".version 8.0\0.target"), FW_ERROR_INPUT);
    assert_reported("zero byte");
    assert_int_equal(read_bad(""), FW_ERROR_INPUT);
    assert_reported("no PTX");
    assert_int_equal(read_bad("  // only words\n"), FW_ERROR_INPUT);
    assert_int_equal(read_bad("int main(void) { return 0; }"), FW_ERROR_INPUT);
    /* a byte order mark and zero bytes at the end do no harm */
    assert_int_equal(READ_LITERAL(&module, "\xef\xbb\xbf.version 8.0 .target sm_90\0\0"), FW_OK);
    assert_string_equal(diagnostics.text, "");
    assert_int_equal(READ_LITERAL(&module, ".version 8.0 .target sm_90 .file 1 \"caf\xe9\""),
                     FW_OK);
    assert_reported("PTX018");
    assert_string_equal(module->files[1], "caf?");
}

static void every_prefix_is_refused_or_read(void **state)
{
    (void)state;
    const char *text =
        HEAD ".global .u32 x[2] = {1, 2};\n.visible .entry k(.param .u64 a)\n.maxntid 1\n"
             "{ .reg .pred %p<2>; .reg .b64 %rd<3>; L: @!%p1 bra L;\n"
             "{ .reg .f32 f; ld.global.v2.f32 {f, _}, [%rd1+-4]; }\n.loc 1 2 3\n"
             "ts: .branchtargets L; mov.b64 %rd1, \"x\"; }\n";
    for (size_t length = 0; length <= strlen(text); length++) {
        struct fw_module *module;
        enum fw_status status = read_bytes(&module, text, length);
        assert_true(status == FW_OK || status == FW_ERROR_INPUT);
        assert_true((status == FW_OK) == (strstr(diagnostics.text, "error") == NULL));
    }
}

static char *repeat(const char *piece, unsigned times)
{
    struct fw_buffer text = fw_buffer_new(arena);
    for (unsigned i = 0; i < times; i++)
        fw_buffer_add(&text, piece, strlen(piece));
    return text.text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    bad_body(repeat("{", 100000), "PTX011");
    bad_body(fw_arena_printf(arena, "mov.u32 %%r1, %s", repeat("(", 100000)), "PTX011");
    bad_body(fw_arena_printf(arena, "mov.u32 %%r1, %s", repeat("-", 100000)), "PTX011");
    bad_body(fw_arena_printf(arena, "mov.u32 %%r1, %s1", repeat("1?1:", 100000)), "PTX011");
    bad_body(fw_arena_printf(arena, "mov.u32 %s", repeat("{", 100000)), "PTX011");
    bad_body(fw_arena_printf(arena, "ld.u32 %s", repeat("[%rd1,", 100000)), "PTX011");
    bad_body(fw_arena_printf(arena, "add%s %%r1;", repeat(".x", 1000)), "PTX011");
    bad_body(fw_arena_printf(arena, "add {%s};", repeat("%r1,", 100000)), "PTX011");
    read_bad(fw_arena_printf(arena, HEAD ".global .u32 x = %s", repeat("{", 100000)));
    read_bad(fw_arena_printf(arena, HEAD ".global .u32 x%s;", repeat("[1]", 100000)));
    assert_reported("PTX011");
    read_bad(HEAD ".file 4000000000 \"x\"");
    assert_reported("PTX011");
}

static void small_arenas_are_told_of(void **state)
{
    (void)state;
    char *text = fw_arena_printf(arena, HEAD ".entry k() { .reg .b32 %%r<9>; %s }",
                                 repeat("add.s32 %r1, %r2, %r3;\n", 1000));
    struct fw_source source = {"test.ptx", text, strlen(text)};
    for (size_t limit = 1000; limit < 300000; limit += 7000) {
        struct fw_arena *small = fw_arena_new(limit);
        struct fw_module *module;
        enum fw_status status = fw_ptx_read(&module, small, &source, NULL);
        assert_true(status == FW_ERROR_MEMORY || status == FW_OK);
        assert_int_equal(module != NULL, status == FW_OK);
        fw_arena_free(small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(errors_have_a_place),
        TEST(several_errors_are_reported_and_at_most_ten),
        TEST(warnings_end_at_twenty),
        TEST(what_is_defined_twice_is_refused),
        TEST(what_is_not_defined_is_refused),
        TEST(malformed_text_is_refused),
        TEST(what_is_no_ptx_is_named),
        TEST(every_prefix_is_refused_or_read),
        TEST(depth_is_limited),
        TEST(small_arenas_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
