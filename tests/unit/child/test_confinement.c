/* A confined child: what the kernel lets it do with files, processes and the network, by each kind
 * of confinement that this machine has. */
#include "child.h"
#include "confinement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    struct fw_arena *arena;
    const char *root, *scratch;
};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct place *place = FW_NEW(arena, struct place);
    place->arena = arena;
    place->root = fw_scratch_new(arena);
    char *real = realpath(place->root, NULL);
    place->root = fw_arena_printf(arena, "%s", real);
    free(real);
    place->scratch = fw_arena_printf(arena, "%s/scratch", place->root);
    static const char *const folders[] = {"scratch", "granted", "other"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(mkdir(fw_arena_printf(arena, "%s/%s", place->root, folders[i]), 0700), 0);
    write_file(fw_arena_printf(arena, "%s/granted/file", place->root), "granted\n");
    write_file(fw_arena_printf(arena, "%s/other/file", place->root), "secret\n");
    write_file(fw_arena_printf(arena, "%s/alone", place->root), "alone\n");
    assert_int_equal(
        symlink("../other/file", fw_arena_printf(arena, "%s/granted/link", place->root)), 0);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    fw_scratch_remove(place->root);
    fw_arena_free(place->arena);
    return 0;
}

/* Runs a shell script, confined; what it said is `output`. */
static struct fw_child_result run_script(struct place *place, const char *script, char *output,
                                         size_t size)
{
    static const char *const programs[] = {
        "/bin",       "/lib",       "/lib64",           "/usr/bin",         "/usr/lib",
        "/usr/lib64", "/nowhere/x", "/etc/ld.so.cache", "/etc/alternatives"};
    const char *files[] = {fw_arena_printf(place->arena, "%s/granted", place->root),
                           fw_arena_printf(place->arena, "%s/alone", place->root)};
    const char *const arguments[] = {"sh", "-c", script, NULL};
    const char *const environment[] = {"PATH=/usr/bin:/bin",
                                       fw_arena_printf(place->arena, "ROOT=%s", place->root), NULL};
    struct fw_grants grants = {programs, sizeof(programs) / sizeof(programs[0]), files, 2,
                               place->scratch};
    const char *said = fw_arena_printf(place->arena, "%s/said", place->root);
    enum fw_confinement kind;
    struct fw_cell cell;
    assert_int_equal(fw_confinement_find(&kind), FW_OK);
    assert_int_equal(fw_cell_open(&cell, place->arena, kind, &grants), FW_OK);
    int file = open(said, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct fw_child child = {.program = "/bin/sh",
                             .arguments = arguments,
                             .environment = environment,
                             .folder = place->scratch,
                             .output = file,
                             .errors = file,
                             .seconds = 20,
                             .memory = (uint64_t)1 << 30,
                             .file_size = 1 << 20,
                             .cell = &cell};
    struct fw_child_result result;
    assert_int_equal(fw_child_run(&result, &child), FW_OK);
    fw_cell_close(&cell);
    ssize_t length = pread(file, output, size - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    close(file);
    return result;
}

static void granted_files_are_read(void **state)
{
    char output[4096];
    run_script(*state, "cat $ROOT/granted/file $ROOT/alone; cat /dev/null && echo null", output,
               sizeof(output));
    assert_string_equal(output, "granted\nalone\nnull\n");
}

static void the_scratch_folder_is_written(void **state)
{
    char output[4096];
    run_script(*state,
               "mkdir a && echo x >a/b && mv a/b a/c && ln -s c a/d && cat a/d && rm -r a && ls",
               output, sizeof(output));
    assert_true(strncmp(output, "x\n", 2) == 0);
}

/* Each must fail, and say nothing of the secret. */
static void other_files_are_not(void **state)
{
    static const char *const scripts[] = {
        "cat $ROOT/other/file",
        "cat $ROOT/granted/link",
        "cat $ROOT/granted/../other/file",
        "ln -s $ROOT/other/file l; cat l",
        "ln $ROOT/other/file l && cat l",
        "ls $ROOT/other",
        "cat /etc/passwd",
        "cat /proc/self/environ",
        "cat /proc/1/environ",
        "echo x >$ROOT/granted/new",
        "echo x >>$ROOT/granted/file",
        "echo x >$ROOT/new",
        "rm $ROOT/granted/file",
        "mv $ROOT/granted/file f",
        "mv $ROOT/other/file f && cat f",
        "cp $ROOT/other/file f",
        "mkfifo $ROOT/granted/p",
        "mknod d c 1 3 && cat d",
        "cd $ROOT/other && cat file",
        "cp /usr/bin/true t && chmod +x t && ./t && cat $ROOT/other/file",
    };
    struct place *place = *state;
    char output[4096];
    if (strcmp(getenv("FOREWARP_CONFINEMENT"), "none") == 0)
        skip(); /* there the caller guards the files */
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        struct fw_child_result result = run_script(place, scripts[i], output, sizeof(output));
        if (result.end != FW_CHILD_EXITED || result.code == 0 || strstr(output, "secret"))
            fail_msg("%s: end %d, code %d: %s", scripts[i], (int)result.end, result.code, output);
    }
    assert_int_equal(access(fw_arena_printf(place->arena, "%s/granted/file", place->root), F_OK),
                     0);
}

/* By all kinds, as the filter of system calls stands in each. */
static void the_network_and_other_views_are_refused(void **state)
{
    static const char *const scripts[] = {
        "setsid true",
        "unshare -U true",
        "unshare -m true",
        "mount -t tmpfs none .",
        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9' 2>&1 | grep -v refused >&2",
        "perl -e 'use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or exit 1'",
        "perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or exit 1'",
        "perl -e 'setpgrp(0, 0) or exit 1'",
    };
    char output[4096];
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        bool printed = strstr(scripts[i], "/dev/tcp") != NULL;
        struct fw_child_result result = run_script(*state, scripts[i], output, sizeof(output));
        if (printed ? !strstr(output, "Operation not permitted")
                    : result.end != FW_CHILD_EXITED || result.code == 0)
            fail_msg("%s: end %d, code %d: %s", scripts[i], (int)result.end, result.code, output);
    }
}

/* Whatever it leaves behind ends with it. */
static void what_it_starts_ends_with_it(void **state)
{
    struct place *place = *state;
    char output[4096];
    run_script(*state,
               "(sleep 1; echo late >late) & (setsid sh -c 'sleep 1; echo late >late') & :", output,
               sizeof(output));
    usleep(1500 * 1000);
    assert_int_not_equal(access(fw_arena_printf(place->arena, "%s/late", place->scratch), F_OK), 0);
}

/* What the program that started us ignores, the child does not. */
static void signals_are_as_usual(void **state)
{
    char output[256];
    signal(SIGPIPE, SIG_IGN);
    struct fw_child_result result = run_script(*state, "kill -s PIPE $$", output, sizeof(output));
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(result.end, FW_CHILD_SIGNALLED);
    assert_int_equal(result.code, SIGPIPE);
}

/* Where the kernel tells no ends of children, none is taken for a good one. */
static void lost_ends_are_refused(void **state)
{
    (void)state;
    const struct fw_child child = {.program = "/bin/true"};
    struct fw_child_result result;
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(fw_child_run(&result, &child), FW_ERROR_MACHINE);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(result.end, FW_CHILD_NOT_STARTED);
    assert_int_equal(result.code, ECHILD);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(granted_files_are_read),      TEST(the_scratch_folder_is_written),
        TEST(other_files_are_not),         TEST(the_network_and_other_views_are_refused),
        TEST(what_it_starts_ends_with_it), TEST(signals_are_as_usual),
        TEST(lost_ends_are_refused),
    };
    int failed = 0;
    for (enum fw_confinement kind = FW_CONFINEMENT_LANDLOCK; kind <= FW_CONFINEMENT_NONE; kind++) {
        const char *name = fw_confinement_name(kind);
        enum fw_confinement found;
        setenv("FOREWARP_CONFINEMENT", name, 1);
        if (fw_confinement_find(&found) == FW_OK)
            failed += cmocka_run_group_tests_name(name, tests, NULL, NULL);
        else
            printf("SKIP: this machine cannot confine by %s: not tested\n", name);
    }
    return failed;
}
