#include "ptx_testing.h"

struct fw_arena *arena;
struct fw_buffer diagnostics;

static void collect(void *user, const struct fw_diagnostic *diagnostic)
{
    const char *text = fw_diagnostic_render(arena, diagnostic);
    (void)user;
    fw_buffer_add(&diagnostics, text, strlen(text));
}

enum fw_status read_bytes(struct fw_module **module, const char *text, size_t length)
{
    const struct fw_sink sink = {collect, NULL};
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    *source = (struct fw_source){"test.ptx", fw_arena_text(arena, text, length), length};
    diagnostics = fw_buffer_new(arena);
    return fw_ptx_read(module, arena, source, &sink);
}

struct fw_module *read_good(const char *text)
{
    struct fw_module *module;
    enum fw_status status = read_bytes(&module, text, strlen(text));
    if (status != FW_OK)
        fail_msg("%s\n%s", text, diagnostics.text);
    /* every text that is read is also printed, read again and printed: the same */
    char *printed = fw_module_text(arena, module);
    struct fw_module *again;
    struct fw_buffer kept = diagnostics;
    if (read_bytes(&again, printed, strlen(printed)) != FW_OK)
        fail_msg("%s\n%s", printed, diagnostics.text);
    assert_string_equal(fw_module_text(arena, again), printed);
    diagnostics = kept;
    return module;
}

/* The body's only function, read without errors. */
struct fw_function *read_body(const char *body)
{
    struct fw_module *module =
        read_good(fw_arena_printf(arena,
                                  HEAD ".global .b32 sym[8]; .shared .b64 bar; .global .texref t;\n"
                                       ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
                                       "%s%s\n}\n",
                                  REGISTERS, body));
    return fw_module_kernel(module, "k");
}

enum fw_status read_bad(const char *text)
{
    struct fw_module *module;
    enum fw_status status = read_bytes(&module, text, strlen(text));
    assert_null(module);
    return status;
}

void assert_reported(const char *what)
{
    if (!strstr(diagnostics.text, what))
        fail_msg("no '%s' in:\n%s", what, diagnostics.text);
}

void bad_body(const char *body, const char *code)
{
    char *text =
        fw_arena_printf(arena, HEAD ".visible .entry k(.param .u64 a, .param .u32 n) {\n%s%s\n}\n",
                        REGISTERS, body);
    assert_int_equal(read_bad(text), FW_ERROR_INPUT);
    assert_reported(code);
}

int set_up(void **state)
{
    (void)state;
    arena = fw_arena_new(0);
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    fw_arena_free(arena);
    return 0;
}
