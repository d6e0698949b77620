/* What src/compile/assemble.h promises, with a false ptxas, and with the real one where there is
 * one. */
#include "assemble.h"

#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char last_code[16];

static void keep_code(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    snprintf(last_code, sizeof(last_code), "%s", diagnostic->code);
}

static const struct fw_sink sink = {keep_code, NULL};

/* A folder with a program called ptxas that runs these lines of shell, first in $PATH. */
static const char *false_ptxas(struct fw_arena *arena, const char *lines)
{
    const char *folder = fw_scratch_new(arena);
    const char *path = fw_arena_printf(arena, "%s/ptxas", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", lines);
    fclose(file);
    chmod(path, 0700);
    setenv("PATH", fw_arena_printf(arena, "%s:/usr/bin:/bin", folder), 1);
    return folder;
}

static void messages_become_resources(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    struct fw_assemble_options options = {.target = 90};
    const char *folder =
        false_ptxas(arena, "cat <<E\n"
                           "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
                           "ptxas info    : Function properties for one\n"
                           "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
                           "ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem\n"
                           "ptxas info    : Compiling entry function 'two' for 'sm_90'\n"
                           "ptxas info    : Used 8 registers\nE");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
    const struct fw_assembled *one = fw_assembly_find(&assembly, "one");
    assert_non_null(one);
    assert_int_equal(one->registers, 40);
    assert_int_equal(one->stack_bytes, 16);
    assert_int_equal(one->spill_store_bytes, 24);
    assert_int_equal(one->spill_load_bytes, 32);
    assert_int_equal(one->shared_bytes, 2048);
    assert_int_equal(one->barriers, 1);
    assert_int_equal(fw_assembly_find(&assembly, "two")->registers, 8);
    assert_null(fw_assembly_find(&assembly, "three"));
    fw_scratch_remove(folder);
    fw_arena_free(arena);
}

static void serialized_products_are_of_their_kernel(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    struct fw_assemble_options options = {.target = 90};
    const char *folder = false_ptxas(
        arena,
        "cat <<E\n"
        "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are "
        "serialized due to insufficient register resources for the wgmma pipeline in the "
        "function 'two' in line 1340\n"
        "ptxas info    : Compiling entry function 'one' for 'sm_90a'\n"
        "ptxas info    : Used 40 registers\n"
        "ptxas info    : Compiling entry function 'two' for 'sm_90a'\n"
        "ptxas info    : Used 255 registers\n"
        "ptxas info    : Compiling entry function 'two_more' for 'sm_90a'\n"
        "ptxas info    : Used 8 registers\nE");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
    assert_false(fw_assembly_find(&assembly, "one")->wgmma_serialized);
    assert_true(fw_assembly_find(&assembly, "two")->wgmma_serialized);
    assert_false(fw_assembly_find(&assembly, "two_more")->wgmma_serialized);
    fw_scratch_remove(folder);
    fw_arena_free(arena);
}

static void clangs_folders_of_files_are_left_out(void **state)
{
    (void)state;
    static const char ptx[] =
        "\t.file 1 \"/folder\" \"name.cl\"\n.file 2 \"/folder/other.cl\"\nend\n";
    static const char wanted[] = "\t.file 1 \"name.cl\"\n.file 2 \"/folder/other.cl\"\nend\n";
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    struct fw_assemble_options options = {.target = 90};
    const char *folder = false_ptxas(
        arena,
        fw_arena_printf(arena,
                        "[ \"$1\" = --version ] || { printf '%%s' '%s' | cmp - in.ptx && echo "
                        "\"ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
                        "ptxas info    : Used 8 registers\"; }",
                        wanted));
    assert_int_equal(fw_assemble(&assembly, arena, ptx, sizeof(ptx) - 1, &options, &sink), FW_OK);
    assert_int_equal(fw_assembly_find(&assembly, "one")->registers, 8);
    fw_scratch_remove(folder);
    fw_arena_free(arena);
}

static void functions_that_stay_calls_are_not_the_kernel(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    struct fw_assemble_options options = {.target = 90};
    const char *folder = false_ptxas(
        arena,
        "case $1 in --version) echo 'Cuda compilation tools, release 12.4, V12.4.131';; *)\n"
        "cat <<E\n"
        "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
        "ptxas info    : Function properties for one\n"
        "    256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 40 registers, used 0 barriers, 256 bytes cumulative stack size\n"
        "ptxas info    : Function properties for called\n"
        "    8 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads\n"
        "ptxas info    : Used 90 registers\nE\nesac");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
    const struct fw_assembled *one = fw_assembly_find(&assembly, "one");
    assert_int_equal(one->registers, 40);
    assert_int_equal(one->stack_bytes, 256);
    assert_int_equal(one->spill_store_bytes, 0);
    assert_int_equal(one->shared_bytes, 0);
    assert_string_equal(assembly.version, "ptxas 12.4.131");
    assert_true(assembly.known);
    fw_scratch_remove(folder);
    fw_arena_free(arena);
}

/* What cannot be is no answer, and does not stay in the cache. */
static void rubbish_is_not_believed(void **state)
{
    (void)state;
    static const char *const rubbish[] = {
        "echo hello",
        "true",
        "head -c 100000 /dev/urandom",
        "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"",
        "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"; "
        "echo 'ptxas info    : Used 256 registers'",
        "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"; "
        "echo 'ptxas info    : Used 18446744073709551626 registers'",
        "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"; "
        "echo 'ptxas info    : Used 10 registers, 4000000 bytes smem'",
        "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"; "
        "echo 'ptxas info    : Used -5 registers'"};
    struct fw_arena *arena = fw_arena_new(0);
    const char *cache = fw_scratch_new(arena);
    for (size_t r = 0; r < sizeof(rubbish) / sizeof(rubbish[0]); r++) {
        struct fw_assembly assembly;
        struct fw_assemble_options options = {.target = 90, .cache = cache};
        const char *folder = false_ptxas(arena, rubbish[r]);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink),
                             FW_ERROR_INPUT);
            assert_string_equal(last_code, "CMP023");
            assert_int_equal(assembly.kernels.count, 0);
            assert_false(assembly.known);
        }
        fw_scratch_remove(folder);
    }
    fw_scratch_remove(cache);
    fw_arena_free(arena);
}

/* The cache answers the same question, and no other. */
static void the_cache_answers_the_same_question(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    const char *cache = fw_scratch_new(arena);
    struct fw_assemble_options options = {.target = 90, .cache = cache};
    const char *folder =
        false_ptxas(arena, "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"\n"
                           "echo \"ptxas info    : Used 10 registers\"");
    for (int again = 0; again < 2; again++) {
        assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
        assert_int_equal(assembly.cached, again);
        assert_true(assembly.known);
        assert_int_equal(fw_assembly_find(&assembly, "k")->registers, 10);
    }
    assert_int_equal(fw_assemble(&assembly, arena, "texts", 5, &options, &sink), FW_OK);
    assert_false(assembly.cached); /* another PTX */
    options.target = 100;
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
    assert_false(assembly.cached); /* another architecture */
    fw_scratch_remove(folder);
    fw_scratch_remove(cache);
    fw_arena_free(arena);
}

static void answers_are_cached_and_damage_is_noticed(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    const char *cache = fw_scratch_new(arena);
    struct fw_assemble_options options = {.target = 90, .cache = cache};
    const char *folder =
        false_ptxas(arena, "echo \"ptxas info    : Compiling entry function 'k' for 'sm_90'\"\n"
                           "echo \"ptxas info    : Used 10 registers\"");
    for (int round = 0; round < 2; round++) {
        assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
        assert_int_equal(assembly.cached, round == 1);
        assert_int_equal(fw_assembly_find(&assembly, "k")->registers, 10);
    }
    assert_int_equal(system(fw_arena_printf(arena, "sed -i s/10/11/ %s/*.ptxas", cache)), 0);
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_OK);
    assert_false(assembly.cached);
    assert_int_equal(fw_assembly_find(&assembly, "k")->registers, 10);
    fw_scratch_remove(folder);
    fw_scratch_remove(cache);
    fw_arena_free(arena);
}

static void failures_are_told_apart(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_assembly assembly;
    struct fw_assemble_options options = {.target = 90, .seconds = 1};
    const char *folder = false_ptxas(arena, "echo 'ptxas fatal : bad'; exit 1");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_ERROR_INPUT);
    assert_string_equal(last_code, "CMP021");
    fw_scratch_remove(folder);
    folder = false_ptxas(arena, "kill -SEGV $$");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_ERROR_INPUT);
    assert_string_equal(last_code, "CMP021");
    fw_scratch_remove(folder);
    folder = false_ptxas(arena, "sleep 20");
    assert_int_equal(fw_assemble(&assembly, arena, "text", 4, &options, &sink), FW_ERROR_INPUT);
    assert_string_equal(last_code, "CMP022");
    fw_scratch_remove(folder);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_become_resources),
        cmocka_unit_test(functions_that_stay_calls_are_not_the_kernel),
        cmocka_unit_test(serialized_products_are_of_their_kernel),
        cmocka_unit_test(clangs_folders_of_files_are_left_out),
        cmocka_unit_test(rubbish_is_not_believed),
        cmocka_unit_test(the_cache_answers_the_same_question),
        cmocka_unit_test(answers_are_cached_and_damage_is_noticed),
        cmocka_unit_test(failures_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
