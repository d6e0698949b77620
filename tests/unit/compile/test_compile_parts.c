/* What src/compile is made of: digests, signatures of sources, and children with limits. */
#include "child.h"
#include "compile_testing.h"
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- digests, signatures ---- */

static void digests_are_those_of_the_standard(void **state)
{
    (void)state;
    /* FIPS 180-4's examples, and a million times "a" in uneven parts. */
    static const char *const cases[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    for (size_t i = 0; i < 3; i++) {
        struct fw_sha256 hash = fw_sha256_new();
        fw_sha256_add(&hash, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(fw_sha256_end(&hash).text, cases[i][1]);
    }
    char many[1000];
    memset(many, 'a', sizeof(many));
    struct fw_sha256 hash = fw_sha256_new();
    for (size_t done = 0, part = 1; done < 1000000; done += part, part = part * 7 % 997 + 1) {
        part = part < 1000000 - done ? part : 1000000 - done;
        fw_sha256_add(&hash, many, part);
    }
    assert_string_equal(fw_sha256_end(&hash).text,
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Sources, and what is read from them: "kernel(name:type flags, ...)" with flags * const restrict.
 */
static const struct {
    const char *text;
    bool opencl;
    const char *expected;
} sources[] = {
    {"__global__ void k(float *a, const int n) {}", false, "k(a:float *|*, n:const int|c)"},
    {"extern \"C\" __global__ void __launch_bounds__(256, 2) k(const float* __restrict__ a){}",
     false, "k(a:const float * __restrict__|*cr)"},
    {"template <typename T, int N = (3 > 2)> __global__ void add(T *a, T const *b);", false,
     "add(a:T *|*, b:T const *|*c)"},
    {"__global__ void a(void); // __global__ void b(int x)\n/* __global__ void c() */", false,
     "a()"},
    {"const char *s = \"__global__ void x(int a)\"; R\"q(__global__ void y())q\"; __global__ void "
     "z(){}",
     false, "z()"},
    {"__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void k(__global float4 *restrict a,\n"
     "    __local float tile[16][17], uint n) {}",
     true, "k(a:__global float4 * restrict|*r, tile:__local float[16][17]|*, n:uint|)"},
    {"kernel void k(global const double *x, float)", true,
     "k(x:global const double *|*c, :float|)"},
    {"kernel void k(int a)", false, ""},
    {"#define K __global__ void k(int a) \\\n  __global__ void l(int b)\n__global__ void m(int "
     "c){}",
     false, "m(c:int|)"},
    {"__global__ void k(std::pair<int, float> p, int (*f)(int, int), int (&r)[4], float x = g(1, "
     "2));",
     false, "k(p:std::pair<int,float>|, f:int(*)(int,int)|*, r:int(&)[4]|*, x:float|)"},
    {"namespace n { static __global__ __noinline__ void k(unsigned long long v, std::size_t) {} }",
     false, "k(v:unsigned long long|, :std::size_t|)"},
    {"template <> __global__ void k<float, 2>(float *a) {}", false, "k(a:float *|*)"},
    {"__global__ void", false, ""},
    {"__global__ void k(", false, ""},
    {"__global__ __global__ ( __global__", false, ""},
    {"// comment \\\n__global__ void no();\n__global__ void yes();", false, "yes()"},
    {"int x = 1'000'000; __global__ void k(int a[2'0]);", false, "k(a:int[2'0]|*)"},
    {"don't __global__ void no();\n__global__ void k();", false, "k()"},
    {"__global__ void k(struct particle *p, volatile int *flag, const struct box b);", false,
     "k(p:struct particle *|*, flag:volatile int *|*, b:const struct box|c)"},
    {"__global__ void k(unsigned half, const __half *global, float local[4], half private, half);",
     false, "k(half:unsigned|, global:const __half *|*c, local:float[4]|*, private:half|, :half|)"},
    {"kernel void k(global half *, float global *, global uint *local, const ushort, constant uint "
     "n);",
     true,
     "k(:global half *|*, :float global *|*, local:global uint *|*, :const ushort|c, n:constant "
     "uint|)"},
};

static void signatures_are_read_as_written(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        struct fw_signatures signatures;
        fw_signatures_read(&signatures, place->arena, sources[i].text, strlen(sources[i].text),
                           sources[i].opencl);
        assert_string_equal(show(place->arena, &signatures), sources[i].expected);
        /* Every beginning of the text is survived, in memory that ends with it. */
        for (size_t length = 0; length <= strlen(sources[i].text); length++) {
            char *exact = malloc(length ? length : 1);
            memcpy(exact, sources[i].text, length);
            fw_signatures_read(&signatures, place->arena, exact, length, sources[i].opencl);
            free(exact);
        }
    }
}

/* OpenCL's reqd_work_group_size, wherever an attribute may stand; clang's PTX has lost it. */
static void required_blocks_are_read(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *text;
        bool opencl, unread;
        uint32_t block[3];
    } cases[] = {
        {"__kernel __attribute__((reqd_work_group_size(8, 16, 1))) void k(int n) {}",
         true,
         false,
         {8, 16, 1}},
        {"__attribute__((reqd_work_group_size(4*16,(2),1u))) kernel void k(int n) {}",
         true,
         false,
         {64, 2, 1}},
        {"kernel void k(int n) __attribute__((vec_type_hint(int), "
         "reqd_work_group_size(0x20,1,1)));",
         true,
         false,
         {32, 1, 1}},
        {"kernel void j() __attribute__((reqd_work_group_size(9,9,9))); kernel void k(int n) {}",
         true,
         false,
         {0, 0, 0}},
        {"__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void k(int n) {}",
         true,
         true,
         {0, 0, 0}},
        {"__kernel __attribute__((reqd_work_group_size(64, 1))) void k(int n) {}",
         true,
         true,
         {0, 0, 0}},
        {"__kernel __attribute__((reqd_work_group_size(64 64, 1, 1))) void k(int n) {}",
         true,
         true,
         {0, 0, 0}},
        {"__kernel __attribute__((reqd_work_group_size(4096, 1, 1))) void k(int n) {}",
         true,
         true,
         {0, 0, 0}},
        {"__global__ __attribute__((reqd_work_group_size(8, 8, 1))) void k(int n) {}",
         false,
         false,
         {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_signatures signatures;
        fw_signatures_read(&signatures, place->arena, cases[i].text, strlen(cases[i].text),
                           cases[i].opencl);
        const struct fw_signature *kernel = fw_signature_find(&signatures, "k", 1);
        assert_non_null(kernel);
        assert_int_equal(kernel->block_unread, cases[i].unread);
        assert_memory_equal(kernel->block, cases[i].block, sizeof(kernel->block));
    }
}

static void entries_are_found_by_mangled_names(void **state)
{
    struct place *place = *state;
    static const char text[] =
        "__global__ void copy(float *a, int n) {} __global__ void over(int x) {}"
        "__global__ void over(int x, int y) {} __global__ void twin(int x) {}"
        "__global__ void twin(float y) {} __global__ void early(int, int);"
        "__global__ void early(int a, int b) {}";
    static const struct {
        const char *entry;
        size_t count;
        const char *first; /* name of the first parameter; NULL: none is found */
    } cases[] = {{"copy", 2, "a"},
                 {"copy", 3, NULL},
                 {"_Z4copyPfi", 2, "a"},
                 {"_Z4copyPfi", SIZE_MAX, "a"},
                 {"_ZL4copyPfi", 2, "a"},
                 {"_ZN2ns5inner4copyIfEEvPT_i", 2, "a"},
                 {"_ZN12_GLOBAL__N_14copyEPfi", 2, "a"},
                 {"_Z4copyIfLi3EEvPT_i", 2, "a"},
                 {"_Z4overi", 1, "x"},
                 {"_Z4overii", 2, "x"},
                 {"_Z4overi", SIZE_MAX, NULL},
                 {"_Z4twini", 1, NULL},
                 {"_Z5earlyii", 2, "a"},
                 {"_Z99copy", 2, NULL},
                 {"_Z", 2, NULL},
                 {"_Z99999999999999999999copy", 2, NULL},
                 {"", 0, NULL}};
    struct fw_signatures signatures;
    fw_signatures_read(&signatures, place->arena, text, strlen(text), false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct fw_signature *found =
            fw_signature_find(&signatures, cases[i].entry, cases[i].count);
        if ((found != NULL) != (cases[i].first != NULL))
            fail_msg("%s: %s", cases[i].entry, found ? "found" : "not found");
        if (found)
            assert_string_equal(found->parameters.at[0].name, cases[i].first);
    }
}

/* ---- children ---- */

static struct fw_child_result run_script(struct place *place, const char *body, unsigned seconds,
                                         char *output, size_t room)
{
    const char *arguments[] = {"/bin/sh", "-c", body, NULL}, *environment[] = {"A=b", NULL};
    const char *path = fw_arena_printf(place->arena, "%s/output", place->root);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct fw_child child = {.program = arguments[0],
                             .arguments = arguments,
                             .environment = environment,
                             .folder = place->root,
                             .output = file,
                             .errors = file,
                             .seconds = seconds,
                             .memory = 1 << 30,
                             .file_size = 1 << 20};
    struct fw_child_result result;
    assert_int_equal(fw_child_run(&result, &child), FW_OK);
    ssize_t length = pread(file, output, room - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    close(file);
    return result;
}

static void children_end_as_they_end(void **state)
{
    struct place *place = *state;
    char output[4096];
    struct fw_child_result result = run_script(place, "echo $A; cat; exit 7", 10, output, 4096);
    assert_int_equal(result.end, FW_CHILD_EXITED);
    assert_int_equal(result.code, 7);
    assert_string_equal(output, "b\n");
    result = run_script(place, "kill -9 $$", 10, output, 4096);
    assert_int_equal(result.end, FW_CHILD_SIGNALLED);
    assert_int_equal(result.code, SIGKILL);
    int open_file = open("/dev/null", O_RDONLY);
    result = run_script(place, "ls /proc/self/fd | tr '\\n' ' '", 10, output, 4096);
    close(open_file);
    assert_string_equal(output, "0 1 2 3 "); /* 3 is the folder that ls lists */
    result = run_script(place, "head -c 3000000 /dev/zero > big", 10, output, 4096);
    assert_true(result.end == FW_CHILD_EXITED ? result.code != 0 : result.code == SIGXFSZ);
    const char *arguments[] = {"/nonexistent", NULL};
    struct fw_child child = {.program = arguments[0],
                             .arguments = arguments,
                             .environment = arguments + 1,
                             .folder = "/",
                             .output = 1,
                             .errors = 2,
                             .seconds = 1,
                             .memory = 1 << 30,
                             .file_size = 1};
    assert_int_equal(fw_child_run(&result, &child), FW_ERROR_MACHINE);
    assert_int_equal(result.end, FW_CHILD_NOT_STARTED);
    assert_int_equal(result.code, ENOENT);
}

static bool is_alive(pid_t pid)
{
    for (int tries = 0; tries < 200; tries++) {
        char path[64], line[256] = "";
        snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (!file)
            return false;
        const char *read = fgets(line, sizeof(line), file);
        fclose(file);
        if (!read || strstr(line, ") Z"))
            return false;
        nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
    }
    return true;
}

static void time_limits_end_the_whole_group(void **state)
{
    struct place *place = *state;
    char output[4096];
    struct fw_child_result result =
        run_script(place, "sleep 1000 & echo $!; sleep 1000 & echo $!; wait", 1, output, 4096);
    assert_int_equal(result.end, FW_CHILD_OVERTIME);
    char *end;
    pid_t first = (pid_t)strtol(output, &end, 10), second = (pid_t)strtol(end, NULL, 10);
    assert_true(first > 1 && second > 1);
    assert_false(is_alive(first));
    assert_false(is_alive(second));
    /* What a child leaves running when it ends by itself goes, too. */
    result = run_script(place, "sleep 1000 & echo $!", 10, output, 4096);
    assert_int_equal(result.end, FW_CHILD_EXITED);
    assert_false(is_alive((pid_t)strtol(output, NULL, 10)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(digests_are_those_of_the_standard), TEST(signatures_are_read_as_written),
        TEST(required_blocks_are_read),          TEST(entries_are_found_by_mangled_names),
        TEST(children_end_as_they_end),          TEST(time_limits_end_the_whole_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
