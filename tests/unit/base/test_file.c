/* Files that are written whole, and what they do not replace. */
#include "file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/forewarp-file-XXXXXX";
static struct fw_arena *arena;

static int enter(void **state)
{
    (void)state;
    arena = fw_arena_new(0);
    return arena && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    int left = chdir("/") + rmdir(folder); /* it is empty: nothing was left beside the files */
    fw_arena_free(arena);
    return left;
}

static void holds(const char *path, const char *text)
{
    struct fw_source source;
    assert_null(fw_file_text(&source, arena, path, 100));
    assert_string_equal(source.text, text);
}

static void links_keep_their_place(void **state)
{
    struct stat about;
    (void)state;
    assert_null(fw_file_replace(arena, "file", "one", 3));
    assert_int_equal(symlink("file", "link"), 0);
    assert_null(fw_file_replace(arena, "link", "two", 3));
    holds("file", "two");
    assert_int_equal(lstat("link", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_null(fw_file_replace(arena, "file", "", 0));
    holds("link", "");
    unlink("link");
    unlink("file");
}

static void other_things_stay(void **state)
{
    struct stat about;
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("pipe", "link"), 0);
    assert_string_equal(fw_file_replace(arena, "pipe", "text", 4), "it is no regular file");
    assert_string_equal(fw_file_replace(arena, "link", "text", 4), "it is no regular file");
    assert_string_equal(fw_file_refuses("."), "it is a folder");
    assert_null(fw_file_refuses("missing"));
    assert_int_equal(lstat("pipe", &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_non_null(fw_file_replace(arena, "missing/file", "text", 4));
    unlink("link");
    unlink("pipe");
}

static void folders_are_made(void **state)
{
    (void)state;
    fw_file_make_folders(arena, "a/b/c");
    assert_null(fw_file_replace(arena, "a/b/c", "text", 4));
    fw_file_make_folders(arena, "a/b/c/d"); /* a file is in the way: told when it is written */
    assert_non_null(fw_file_replace(arena, "a/b/c/d", "text", 4));
    holds("a/b/c", "text");
    unlink("a/b/c");
    rmdir("a/b");
    rmdir("a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_keep_their_place),
                                       cmocka_unit_test(other_things_stay),
                                       cmocka_unit_test(folders_are_made)};
    return cmocka_run_group_tests(tests, enter, leave);
}
