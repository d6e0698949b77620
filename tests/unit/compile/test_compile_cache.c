/* The cache of compiled sources, and many at once. */
#include "compile_testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the cache ---- */

/* A compiler that says that it ran, and lists a header as included. */
static const char counting[] = "echo \"$PWD/a.cu:1:1: warning: ran\" >&2\n"
                               "echo \"${0%/*}/user/h.h\" > headers\n"
                               "cat \"${0%/*}/user/h.h\" > \"$out\"\n"
                               "echo '.visible .entry copy(' >> \"$out\"";

static size_t runs(const struct place *place)
{
    return place->runs;
}

static const char *only_entry(struct place *place, const char *folder)
{
    const char *found = NULL;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *file; (file = readdir(directory)) != NULL;) {
        if (file->d_name[0] == '.')
            continue;
        assert_null(found);
        found = fw_arena_printf(place->arena, "%s/%s", folder, file->d_name);
    }
    closedir(directory);
    return found;
}

static void results_are_cached_by_content(void **state)
{
    struct place *place = *state;
    const char *cache = fw_arena_printf(place->arena, "%s/deep/cache", place->root);
    struct fw_compile_options options = {.data = place->data,
                                         .compiler = write_script(place, "compiler", counting)};
    const char *path = write_file(place, "user/a.cu", plain);
    struct fw_compiled first, second;
    write_file(place, "user/h.h", "one\n");
    assert_built(build(place, &first, path, &options), place);
    assert_built(build(place, &first, path, &options), place);
    assert_int_equal(runs(place), 2); /* no cache was asked for */
    options.cache = cache;
    assert_built(build(place, &first, path, &options), place);
    assert_false(first.cached);
    assert_built(build(place, &second, path, &options), place);
    assert_true(second.cached);
    assert_int_equal(runs(place), 3);
    assert_string_equal(first.ptx, second.ptx);
    assert_string_equal(first.command, second.command);
    assert_string_equal(first.compiler, second.compiler);
    assert_int_equal(second.dependency_count, 1);
    assert_string_equal(show(place->arena, &first.signatures),
                        show(place->arena, &second.signatures));
    assert_non_null(fw_signature_find(&second.signatures, "copy", 3));
    /* A header that changed, a flag, the source: each is another compilation. */
    write_file(place, "user/h.h", "two\n");
    assert_built(build(place, &second, path, &options), place);
    assert_int_equal(runs(place), 4);
    assert_memory_equal(second.ptx, "two", 3);
    const char *defines[] = {"A=1"};
    options.defines = defines;
    options.define_count = 1;
    assert_built(build(place, &second, path, &options), place);
    assert_int_equal(runs(place), 5);
    write_file(place, "user/a.cu", fw_arena_printf(place->arena, "%s ", plain));
    assert_built(build(place, &second, path, &options), place);
    assert_int_equal(runs(place), 6);
    assert_built(build(place, &second, path, &options), place);
    assert_int_equal(runs(place), 6);
}

static void damaged_entries_are_rebuilt(void **state)
{
    struct place *place = *state;
    const char *cache = fw_arena_printf(place->arena, "%s/cache", place->root);
    struct fw_compile_options options = {
        .data = place->data, .cache = cache, .compiler = write_script(place, "compiler", counting)};
    const char *path = write_file(place, "user/a.cu", plain);
    struct fw_compiled compiled;
    write_file(place, "user/h.h", "one\n");
    assert_built(build(place, &compiled, path, &options), place);
    const char *entry = only_entry(place, cache);
    size_t expected = 1;
    for (long at = 0; at < 1000; at += 37) {
        FILE *file = fopen(entry, "r+");
        fseek(file, at, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        if (byte != EOF)
            fputc(byte ^ 1, file);
        fclose(file);
        assert_built(build(place, &compiled, path, &options), place);
        expected += byte != EOF;
        assert_int_equal(runs(place), expected);
        assert_built(build(place, &compiled, path, &options), place);
        assert_true(compiled.cached);
        assert_string_equal(compiled.ptx, "one\n.visible .entry copy(\n");
    }
    assert_int_equal(truncate(entry, 200), 0);
    assert_built(build(place, &compiled, path, &options), place);
    assert_false(compiled.cached);
    /* A cache that cannot be written is no error. */
    options.cache = "/proc/nowhere";
    assert_built(build(place, &compiled, path, &options), place);
}

/* What others could have written is not believed, wherever on the way to it they could. */
static void entries_of_others_are_not_believed(void **state)
{
    struct place *place = *state;
    const char *folder = fw_arena_printf(place->arena, "%s/a", place->root);
    const char *cache = fw_arena_printf(place->arena, "%s/a/cache", place->root);
    struct fw_compile_options options = {
        .data = place->data, .cache = cache, .compiler = write_script(place, "compiler", counting)};
    const char *path = write_file(place, "user/a.cu", plain);
    struct fw_compiled compiled;
    write_file(place, "user/h.h", "one\n");
    assert_built(build(place, &compiled, path, &options), place);
    const char *entry = only_entry(place, cache), *made[] = {folder, cache, entry};
    for (size_t i = 0; i < 3; i++) {
        static const mode_t open_to_others[] = {0770, 0707, 0777};
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(chmod(made[i], open_to_others[k]), 0);
            assert_built(build(place, &compiled, path, &options), place);
            assert_false(compiled.cached);
        }
        assert_int_equal(chmod(made[i], 0700), 0);
        assert_built(build(place, &compiled, path, &options), place);
        assert_true(compiled.cached || i == 2); /* an entry in the place of another's is ours */
        if (geteuid() == 0) {
            assert_int_equal(chown(made[i], 12345, (gid_t)-1), 0);
            assert_built(build(place, &compiled, path, &options), place);
            assert_false(compiled.cached);
            assert_true(i == 2 || chown(made[i], 0, (gid_t)-1) == 0);
        }
    }
    /* A link to an entry of ours is none. */
    const char *elsewhere = fw_arena_printf(place->arena, "%s/elsewhere", place->root);
    assert_int_equal(rename(entry, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, entry), 0);
    assert_built(build(place, &compiled, path, &options), place);
    assert_false(compiled.cached);
}

static void cache_folders_follow_the_environment(void **state)
{
    struct place *place = *state;
    const char *home = getenv("HOME"),
               *kept = home ? fw_arena_printf(place->arena, "%s", home) : "";
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/home/x", 1);
    assert_string_equal(fw_compile_cache_folder(place->arena), "/home/x/.cache/forewarp");
    setenv("XDG_CACHE_HOME", "/c", 1);
    assert_string_equal(fw_compile_cache_folder(place->arena), "/c/forewarp");
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_string_equal(fw_compile_cache_folder(place->arena), "/home/x/.cache/forewarp");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", kept, 1);
}

/* ---- many at once ---- */

static void count_progress(void *user, size_t done, size_t total)
{
    size_t *last = user;
    assert_int_equal(done, *last + 1);
    assert_int_equal(total, 12);
    *last = done;
}

static void batches_keep_their_order(void **state)
{
    struct place *place = *state;
    enum { JOBS = 12 };
    struct fw_compile_job jobs[JOBS] = {0};
    const char *defines[JOBS];
    const char *script =
        write_script(place, "compiler",
                     "defs=\"$(dirname \"$out\")/forewarp_definitions.h\"\nread a b n < \"$defs\"\n"
                     "[ $n = 5 ] && { echo \"$PWD/none.cu:1:1: error: five\" >&2; exit 1; }\n"
                     "[ $n = 7 ] && { echo \"$PWD/none.cu:1:1: warning: seven\" >&2; }\n"
                     "[ $n = 2 ] && sleep 0.3\necho \"variant $n\" > \"$out\"");
    const char *path = write_file(place, "user/a.cu", plain);
    for (size_t i = 0; i < JOBS; i++) {
        defines[i] = fw_arena_printf(place->arena, "N=%zu", i);
        jobs[i].input.path = path;
        jobs[i].options = (struct fw_compile_options){
            .data = place->data, .compiler = script, .defines = &defines[i], .define_count = 1};
    }
    size_t done = 0;
    struct fw_compile_progress progress = {count_progress, &done};
    struct fw_sink sink = {hear, place};
    assert_int_equal(fw_compile_batch(jobs, JOBS, 4, place->arena, &progress, &sink),
                     FW_ERROR_INPUT);
    assert_int_equal(done, JOBS);
    for (size_t i = 0; i < JOBS; i++) {
        assert_int_equal(jobs[i].status, i == 5 ? FW_ERROR_INPUT : FW_OK);
        if (i == 5)
            continue;
        assert_string_equal(jobs[i].compiled.ptx,
                            fw_arena_printf(place->arena, "variant %zu\n", i));
        assert_non_null(fw_signature_find(&jobs[i].compiled.signatures, "copy", 3));
    }
    const char *five = strstr(place->told, "five"), *seven = strstr(place->told, "seven");
    assert_true(five && seven && five < seven);
    assert_int_equal(fw_compile_batch(jobs, 0, 4, place->arena, NULL, NULL), FW_OK);
    struct fw_arena *small = fw_arena_new(6000);
    assert_int_equal(fw_compile_batch(jobs, JOBS, 2, small, NULL, NULL), FW_ERROR_MEMORY);
    assert_null(jobs[JOBS - 1].compiled.ptx);
    fw_arena_free(small);
}

static void batches_compile_for_real(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compile_job jobs[3] = {0};
    static const char *const defines[] = {"N=3", "N=4", "N=5"};
    const char *path = write_file(place, "user/a.cu",
                                  "extern \"C\" __global__ void k(int *a) { a[0] = N + 1000; }\n");
    options.target = 80;
    for (size_t i = 0; i < 3; i++) {
        jobs[i].input.path = path;
        jobs[i].options = options;
        jobs[i].options.defines = &defines[i];
        jobs[i].options.define_count = 1;
    }
    assert_int_equal(fw_compile_batch(jobs, 3, 0, place->arena, NULL, NULL), FW_OK);
    for (size_t i = 0; i < 3; i++)
        assert_non_null(
            strstr(jobs[i].compiled.ptx, fw_arena_printf(place->arena, "%zu;", 1003 + i)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_cached_by_content),      TEST(damaged_entries_are_rebuilt),
        TEST(entries_of_others_are_not_believed), TEST(cache_folders_follow_the_environment),
        TEST(batches_keep_their_order),           TEST(batches_compile_for_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
