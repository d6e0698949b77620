/* Members of structures: where a source's declarations put them is where this compiler does. */
#include "members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* A text, and the same declarations for this compiler. */
#define BOTH(name, ...)                                                                            \
    __VA_ARGS__                                                                                    \
    static const char name[] = #__VA_ARGS__;

/* clang-format off */
BOTH(plain, struct plain { char c; double d; short s[3]; int w, h; const float *in; bool b; };)
BOTH(nested, struct inner { short a; long long b; }; struct nested { char c; struct inner i[2]; unsigned char u; float k[2][3]; };)
BOTH(aliases, typedef unsigned int index_type; typedef struct { index_type n; uint8_t flags; int64_t far; } aliased; struct uses { char c; aliased a; size_t last; };)
BOTH(aligned, struct __attribute__((aligned(32))) wide { float x; int y; }; struct holds { char c; struct wide a; unsigned long u; long int l; short int t; };)
/* clang-format on */

/* "name@offset+bytes ..." of the parts, and the size: "(none)". */
static const char *shown(struct fw_arena *arena, const char *text, const char *type, bool opencl)
{
    struct source_tokens tokens;
    struct fw_members members;
    struct fw_buffer out = fw_buffer_new(arena);
    source_tokens_read(&tokens, arena, text, strlen(text), opencl);
    if (!fw_members_read(&members, &tokens, type))
        return "(none)";
    for (size_t m = 0; m < members.parts.count; m++)
        fw_buffer_printf(&out, "%s@%u+%u ", members.parts.at[m].name, members.parts.at[m].offset,
                         members.parts.at[m].bytes);
    fw_buffer_printf(&out, "= %u", members.bytes);
    return out.text;
}

static void check(struct fw_arena *arena, const char *text, const char *type, const char *name,
                  size_t offset, size_t size)
{
    const char *all = shown(arena, text, type, false);
    const char *part = fw_arena_printf(arena, "%s@%zu+", name, offset);
    const char *whole = fw_arena_printf(arena, "= %zu", size);
    if (!strstr(all, part) || !strstr(all, whole))
        fail_msg("%s: not %s %s but %s", type, part, whole, all);
}

#define AT(text, tag, name, member)                                                                \
    check(arena, text, #tag, name, offsetof(tag, member), sizeof(tag))

static void members_are_where_the_compiler_puts_them(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    AT(plain, struct plain, ".d", d);
    AT(plain, struct plain, ".s[2]", s[2]);
    AT(plain, struct plain, ".h", h);
    AT(plain, struct plain, ".in", in);
    AT(plain, struct plain, ".b", b);
    AT(nested, struct nested, ".i[1].b", i[1].b);
    AT(nested, struct nested, ".u", u);
    AT(nested, struct nested, ".k[1][2]", k[1][2]);
    AT(aliases, aliased, ".far", far);
    AT(aliases, struct uses, ".a.flags", a.flags);
    AT(aliases, struct uses, ".last", last);
    AT(aligned, struct holds, ".a.y", a.y);
    AT(aligned, struct holds, ".u", u);
    AT(aligned, struct holds, ".t", t);
    fw_arena_free(arena);
}

static void what_is_not_read_has_no_members(void **state)
{
    static const struct {
        const char *text, *type;
        bool opencl;
        const char *expected;
    } cases[] = {
        {"", "dim3", false, ".x@0+4 .y@4+4 .z@8+4 = 12"},
        {"", "const float3", false, ".x@0+4 .y@4+4 .z@8+4 = 12"},
        {"", "float3", true, ".x@0+4 .y@4+4 .z@8+4 = 16"},
        {"struct k { char c; double4 d; };", "k", false,
         ".c@0+1 .d.x@16+8 .d.y@24+8 .d.z@32+8 .d.w@40+8 = 48"},
        {"struct k { __half2 h; float f = 1.0f, g{2}; };", "k", false,
         ".h.x@0+2 .h.y@2+2 .f@4+4 .g@8+4 = 12"},
        {"class k { static const int N = 3; public: int n; private: float *p; k() : n(0) {} "
         "__host__ __device__ int size() const { return n; } k &operator=(const k &) = default; "
         "~k() {} using T = int; };",
         "k", false, ".n@0+4 .p@8+8 = 16"},
        {"namespace a { struct k { int n; }; }", "a::k", false, ".n@0+4 = 4"},
        {"namespace a { struct k { int n; }; } namespace b { struct k { float f; }; }", "b::k",
         false, "(none)"},
        {"struct k { int n : 3; };", "k", false, "(none)"},
        {"struct k { union { int n; float f; }; };", "k", false, "(none)"},
        {"struct b { int n; }; struct k : b { int m; };", "k", false, "(none)"},
        {"struct k { virtual int f(); int m; };", "k", false, "(none)"},
        {"template <int N> struct k { int m[N]; };", "k<3>", false, "(none)"},
        {"struct k { int m[N]; };", "k", false, "(none)"},
        {"struct k { int (*f)(int); int m; };", "k", false, "(none)"},
        {"struct k { char c; int m; } __attribute__((packed));", "k", false, "(none)"},
        {"struct k { char c; alignas(16) int m; };", "k", false, "(none)"},
        {"struct k { k a, b, c, d, e, f, g, h; };", "k", false, "(none)"},
        {"struct k;", "k", false, "(none)"},
        {"struct k { int n;", "k", false, "(none)"},
        {"", "int", false, "(none)"},
        {"", "unsigned long long", false, "(none)"},
        {"typedef k k;", "k", false, "(none)"},
        {"typedef j k; typedef k j;", "k", false, "(none)"},
    };
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *is = shown(arena, cases[i].text, cases[i].type, cases[i].opencl);
        if (strcmp(is, cases[i].expected) != 0)
            fail_msg("%s: %s, not %s", cases[i].text, is, cases[i].expected);
        /* Every beginning of the text is survived. */
        for (size_t length = 0; length <= strlen(cases[i].text); length++)
            shown(arena, fw_arena_text(arena, cases[i].text, length), cases[i].type,
                  cases[i].opencl);
    }
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_where_the_compiler_puts_them),
        cmocka_unit_test(what_is_not_read_has_no_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
