/* What src/compile promises.  Tests that need nvcc, clang or libclc say so and skip where those are
 * absent; the limits are tested with small shell scripts that pretend to be a compiler. */
#include "child.h"
#include "compile.h"
#include "sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const char secret[] = "SECRET-4711";

/* One test's surroundings: a folder with sources, one for temporary files, and what was told. */
struct place {
    struct fw_arena *arena;
    const char *root;   /* removed at the end */
    const char *folder; /* root/user: the sources */
    const char *data;
    char told[16384];      /* "CODE message\n", notes included */
    unsigned line, column; /* of the first diagnostic */
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct place *place = user;
    size_t length = strlen(place->told), room = sizeof(place->told) - length;
    if (!length && diagnostic->span.source) {
        struct fw_position position = fw_span_position(diagnostic->span);
        place->line = position.line;
        place->column = position.column;
    }
    snprintf(place->told + length, room, "%s %s\n", diagnostic->code, diagnostic->message);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        length = strlen(place->told);
        snprintf(place->told + length, sizeof(place->told) - length, "note %s\n",
                 diagnostic->notes[i]);
    }
}

static const char *write_file(struct place *place, const char *name, const char *text)
{
    const char *path = fw_arena_printf(place->arena, "%s/%s", place->root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

static const char *write_script(struct place *place, const char *name, const char *body)
{
    const char *text = fw_arena_printf(
        place->arena,
        "#!/bin/sh\n"
        "[ \"$1\" = --version ] && { echo 'clang version 14.0.6'; exit 0; }\n"
        "for a; do [ \"$a\" = -v ] && exit 0; [ \"$was\" = -o ] && out=$a; was=$a; done\n"
        ": > headers\n%s\n",
        body);
    const char *path = write_file(place, name, text);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static int set_up(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct place *place = FW_NEW(arena, struct place);
    const char *source = getenv("FOREWARP_SOURCE");
    unsetenv("TMPDIR");
    place->arena = arena;
    place->root = fw_scratch_new(arena);
    if (!place->root)
        return -1;
    place->folder = fw_arena_printf(arena, "%s/user", place->root);
    place->data = fw_arena_printf(arena, "%s/data/compile", source ? source : ".");
    const char *temporary = fw_arena_printf(arena, "%s/tmp", place->root);
    if (mkdir(place->folder, 0700) || mkdir(temporary, 0700))
        return -1;
    setenv("TMPDIR", temporary, 1);
    write_file(place, "secret.h", "#error SECRET-4711\nint SECRET_4711;\n");
    *state = place;
    return 0;
}

/* Nothing is left in the temporary folder, whatever happened. */
static int tear_down(void **state)
{
    struct place *place = *state;
    int left = 0;
    DIR *temporary = opendir(getenv("TMPDIR"));
    for (struct dirent *file; temporary && (file = readdir(temporary)) != NULL;)
        left += file->d_name[0] != '.';
    if (temporary)
        closedir(temporary);
    unsetenv("TMPDIR");
    fw_scratch_remove(place->root);
    fw_arena_free(place->arena);
    if (left)
        printf("%d folders are left behind\n", left);
    return left ? -1 : 0;
}

enum tool { TOOL_NVCC, TOOL_CLANG, TOOL_LIBCLC };

/* Options for a tool, or a loud skip. */
static struct fw_compile_options use(struct place *place, enum tool tool)
{
    static const char *const names[] = {"nvcc", "clang", NULL};
    struct fw_compile_options options = {.data = place->data, .compiler = names[tool]};
    struct fw_compiler *compiler = FW_NEW(place->arena, struct fw_compiler);
    options.language = tool == TOOL_LIBCLC ? FW_LANGUAGE_OPENCL : FW_LANGUAGE_CUDA;
    if (tool == TOOL_NVCC)
        options.compiler = NULL;
    if (fw_compiler_find(compiler, place->arena, &options, NULL) != FW_OK ||
        (tool == TOOL_NVCC && compiler->kind != FW_COMPILER_NVCC)) {
        printf("SKIP: %s is not on this machine: this test did not run\n",
               tool == TOOL_NVCC    ? "nvcc"
               : tool == TOOL_CLANG ? "clang"
                                    : "clang with libclc");
        skip();
    }
    options.found = compiler;
    return options;
}

static enum fw_status build(struct place *place, struct fw_compiled *compiled, const char *path,
                            const struct fw_compile_options *options)
{
    struct fw_sink sink = {hear, place};
    struct fw_compile_input input = {.path = path};
    place->told[0] = '\0';
    place->line = place->column = 0;
    return fw_compile(compiled, place->arena, &input, options, &sink);
}

#define assert_told(place, text)                                                                   \
    do {                                                                                           \
        if (!strstr((place)->told, text))                                                          \
            fail_msg("not told \"%s\" but:\n%s", text, (place)->told);                             \
    } while (0)

#define assert_built(status, place)                                                                \
    do {                                                                                           \
        if ((status) != FW_OK)                                                                     \
            fail_msg("status %d:\n%s", (int)(status), (place)->told);                              \
    } while (0)

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
};

static const char *show(struct fw_arena *arena, const struct fw_signatures *signatures)
{
    struct fw_buffer text = fw_buffer_new(arena);
    for (size_t i = 0; i < signatures->kernels.count; i++) {
        const struct fw_signature *kernel = &signatures->kernels.at[i];
        fw_buffer_printf(&text, "%s%s(", i ? " " : "", kernel->name);
        for (size_t k = 0; k < kernel->parameters.count; k++) {
            const struct fw_signature_parameter *parameter = &kernel->parameters.at[k];
            fw_buffer_printf(&text, "%s%s:%s|%s%s%s", k ? ", " : "", parameter->name,
                             parameter->type, parameter->pointer ? "*" : "",
                             parameter->constant ? "c" : "", parameter->restricted ? "r" : "");
        }
        fw_buffer_printf(&text, ")");
    }
    return text.text;
}

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

/* ---- compiling ---- */

static const char plain[] =
    "#ifdef WIDE\n#include \"wide.h\"\n#endif\n"
    "template <typename T> __global__ void scale(T *data, T by) { data[threadIdx.x] *= by; }\n"
    "template __global__ void scale<float>(float *, float);\n"
    "extern \"C\" __global__ void __launch_bounds__(256) copy(float *__restrict__ to,\n"
    "        const float *from, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) to[i] = sqrtf(from[i]) + expf(from[i]);\n"
    "}\n";

static void check_plain(const struct fw_compiled *compiled, const char *compiler)
{
    assert_non_null(strstr(compiled->ptx, ".visible .entry copy("));
    assert_non_null(strstr(compiled->ptx, ".loc"));
    assert_int_equal(strlen(compiled->ptx), compiled->ptx_length);
    assert_non_null(strstr(compiled->command, compiler));
    assert_non_null(strstr(compiled->command, "-O3"));
    assert_null(strstr(compiled->command, "forewarp_definitions.h"));
    const struct fw_signature *copy = fw_signature_find(&compiled->signatures, "copy", 3);
    assert_non_null(copy);
    assert_string_equal(copy->parameters.at[0].name, "to");
    assert_true(copy->parameters.at[0].restricted);
    assert_memory_equal(compiled->source->text + copy->offset, "copy", 4);
    assert_non_null(fw_signature_find(&compiled->signatures, "_Z5scaleIfEvPT_S0_", 2));
}

static void nvcc_compiles_cuda(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu", plain);
    assert_built(build(place, &compiled, path, &options), place);
    check_plain(&compiled, "nvcc");
    assert_non_null(strstr(compiled.ptx, ".target sm_90"));
    assert_string_equal(place->told, "");
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    assert_non_null(strstr(compiled.ptx, ".target sm_80"));
}

static void clang_compiles_cuda_without_a_toolkit(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu", plain);
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    check_plain(&compiled, "clang");
    assert_non_null(strstr(compiled.ptx, ".target sm_80"));
    assert_string_equal(place->told, "");
    options.data = "/nonexistent";
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_MACHINE);
    assert_told(place, "CMP012");
}

/* Every function of our header that a kernel would use, by name. */
static void the_device_header_has_what_kernels_use(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(
        place, "user/a.cu",
        "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <stdint.h>\n"
        "#include <stdio.h>\n#include <math.h>\n"
        "__constant__ float4 table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};\n"
        "extern \"C\" __global__ void k(float4 *v, float *a, double *d, int *c, unsigned *u,\n"
        "    unsigned long long *l, half *h, uchar4 *b) {\n"
        "  __shared__ float s[64]; extern __shared__ int more[];\n"
        "  s[threadIdx.x] = __ldg(a); more[0] = 1; __syncthreads(); __syncwarp();\n"
        "  float x = s[threadIdx.x ^ 1];\n"
        "  x += sqrtf(x) + rsqrtf(x) + expf(x) + logf(x) + sinf(x) + cosf(x) + tanf(x) + tanhf(x) "
        "+\n"
        "       powf(x, 2.5f) + exp2f(x) + log2f(x) + fminf(x, 1) + fmaxf(x, 2) + fabsf(x) +\n"
        "       floorf(x) + ceilf(x) + fmodf(x, 3) + __expf(x) + __logf(x) + __sinf(x) + __cosf(x) "
        "+\n"
        "       __powf(x, x) + __fdividef(x, 3) + fmaf(x, x, x) + roundf(x) + truncf(x) + "
        "rintf(x);\n"
        "  double y = exp(*d) + log(*d) + sin(*d) + cos(*d) + pow(*d, 1.5) + sqrt(*d) + fabs(*d) "
        "+\n"
        "       fma(*d, *d, *d) + fmin(*d, 1.0) + max(*d, 2.0) + floor(*d) + rsqrt(*d) + "
        "tanh(*d);\n"
        "  x += __shfl_sync(~0u, x, 1) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, 1);\n"
        "  y += __shfl_xor_sync(~0u, y, 1) + __ballot_sync(~0u, x > 0) + __any_sync(~0u, 1);\n"
        "  atomicAdd(a, x); atomicAdd(d, y); atomicAdd(c, 1); atomicAdd(u, 1u); atomicAdd(l, "
        "1ull);\n"
        "  atomicMin(c, 1); atomicMax(u, 1u); atomicCAS(c, 1, 2); atomicExch(a, x); atomicOr(u, "
        "2u);\n"
        "  atomicInc(u, 3u); atomicSub(c, 1); atomicAnd(c, 7); atomicXor(c, 8);\n"
        "  c[1] = __popc(u[1]) + __clz(c[2]) + __ffs(c[3]) + min(c[4], 3) + __mulhi(c[5], c[6]);\n"
        "  h[0] = __hadd(h[1], __float2half(x)); a[9] = __half2float(h[2]); b[0].x += b[1].y;\n"
        "  float4 q = v[threadIdx.x]; q.x += table[threadIdx.y].z; v[gridDim.x] = q;\n"
        "  v[7] = make_float4(1, 2, 3, 4); if (x == 7) printf(\"%f\\n\", x);\n"
        "  dim3 where(1, 2); c[8] = where.y + warpSize; __threadfence(); clock();\n"
        "}\n"
        "int main() { float *a; cudaMalloc(&a, 4); k<<<1, dim3(8, 8), 64>>>(0, a, 0, 0, 0, 0, 0, "
        "0);\n"
        "  cudaMemcpy(a, a, 4, cudaMemcpyDeviceToHost); return cudaDeviceSynchronize(); }\n");
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    static const char *const wanted[] = {"ld.global.v4.f32",
                                         "st.global.v4.f32",
                                         "atom.global.add.f32",
                                         "atom.global.add.f64",
                                         "atom.global.cas.b32",
                                         ".inc.u32",
                                         "shfl.sync.bfly.b32",
                                         "ex2.approx",
                                         "lg2.approx",
                                         "sqrt.rn.f32",
                                         "bar.sync",
                                         "ld.global.nc.f32",
                                         "add.f16",
                                         "popc.b32",
                                         "vote.sync.ballot",
                                         "ld.const.v4.f32"};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (!strstr(compiled.ptx, wanted[i]) &&
            !(strcmp(wanted[i], "ld.const.v4.f32") == 0 && strstr(compiled.ptx, "ld.const.f32")))
            fail_msg("the PTX has no %s", wanted[i]);
    assert_null(strstr(compiled.ptx, ".extern .func  (.param .b32 func_retval0) expf"));
}

static void clang_compiles_opencl(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_LIBCLC);
    struct fw_compiled compiled;
    const char *path = write_file(
        place, "user/a.cl",
        "__kernel void k(__global float *restrict a, __global const float4 *b, __local float *s, "
        "int n)\n"
        "{\n  int i = get_global_id(0); s[get_local_id(0)] = native_exp(a[i]) + native_sin(a[i]);\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (i < n) a[i] = sqrt(s[0]) + exp(a[i]) + dot(b[i], native_log(b[0])) + SCALE;\n}\n");
    const char *defines[] = {"SCALE=3.0f"};
    options.defines = defines;
    options.define_count = 1;
    options.standard = "CL1.2";
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    assert_non_null(strstr(compiled.ptx, ".entry k("));
    assert_non_null(strstr(compiled.ptx, "ex2.approx.ftz.f32"));
    assert_null(strstr(compiled.ptx, ".extern .func"));
    assert_non_null(strstr(compiled.command, "-DSCALE=3.0f"));
    assert_string_equal(place->told, "");
    const struct fw_signature *k = fw_signature_find(&compiled.signatures, "k", 4);
    assert_non_null(k);
    assert_string_equal(k->parameters.at[3].name, "n");
    write_file(place, "user/a.cl", "__kernel void k(__global float *a) { a[0] = nothing; }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "CMP010");
    assert_int_equal(place->line, 1);
    assert_int_equal(place->column, 45);
}

static void options_reach_the_compiler(struct place *place, struct fw_compile_options options)
{
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "#include \"beside.h\"\n#include <other.h>\n"
                                  "extern \"C\" __global__ void k(float *a) {\n"
                                  "  a[BESIDE + OTHER] = LIST(1, 2); TEXT; }\n"
                                  "#if __cplusplus < 201703L\n#error old\n#endif\n");
    write_file(place, "user/beside.h", "#define BESIDE 3\n");
    assert_int_equal(mkdir(fw_arena_printf(place->arena, "%s/more", place->root), 0700), 0);
    write_file(place, "more/other.h", "#define OTHER 4\n");
    const char *includes[] = {fw_arena_printf(place->arena, "%s/more", place->root)};
    const char *defines[] = {"LIST(a,b)=a + b", "TEXT=\"$(touch pwned) `id`, \\\" '\"", "FLAG"};
    options.includes = includes;
    options.include_count = 1;
    options.defines = defines;
    options.define_count = 3;
    options.standard = "c++17";
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    assert_int_equal(compiled.dependency_count, 2);
    assert_non_null(strstr(compiled.command, "-std=c++17"));
    assert_non_null(strstr(compiled.ptx, "1077936128") ? compiled.ptx
                                                       : strstr(compiled.ptx, "0f40400000"));
    static const char *const bad[] = {"1X=2", "A=b\nc", "A\\", "-o=x", "", "A B=2", "F(x"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        options.defines = &bad[i];
        options.define_count = 1;
        assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_USAGE);
        assert_told(place, "CMP003");
    }
    options.define_count = 0;
    options.standard = "c++17 -o x";
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_USAGE);
    options.standard = NULL;
    includes[0] = "/nonexistent";
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_USAGE);
    assert_told(place, "CMP003");
}

static void options_reach_nvcc(void **state)
{
    options_reach_the_compiler(*state, use(*state, TOOL_NVCC));
}

static void options_reach_clang(void **state)
{
    options_reach_the_compiler(*state, use(*state, TOOL_CLANG));
}

static void errors_have_places(struct place *place, struct fw_compile_options options,
                               unsigned column)
{
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "#include \"h.h\"\n"
                                  "extern \"C\" __global__ void k(float *a)\n"
                                  "{\n    a[0] = nothing;\n}\n");
    write_file(place, "user/h.h", "inline int f() { return missing; }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "h.h:1: ");
    assert_told(place, "missing");
    write_file(place, "user/h.h", "");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "CMP010");
    assert_told(place, "nothing");
    assert_int_equal(place->line, 4);
    assert_int_equal(place->column, column);
    assert_null(compiled.ptx);
    write_file(place, "user/a.cu", "#include \"gone.h\"\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "gone.h");
    assert_int_equal(build(place, &compiled, "/nonexistent.cu", &options), FW_ERROR_MACHINE);
    assert_told(place, "CMP002");
}

static void errors_of_nvcc_have_places(void **state)
{
    errors_have_places(*state, use(*state, TOOL_NVCC), 5);
}

static void errors_of_clang_have_places(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    errors_have_places(*state, options, 12);
}

static void texts_are_compiled_too(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    struct fw_sink sink = {hear, place};
    struct fw_compile_input input = {.path = "-", .text = plain, .length = strlen(plain)};
    options.target = 80;
    assert_built(fw_compile(&compiled, place->arena, &input, &options, &sink), place);
    check_plain(&compiled, "clang");
    input.text = "#include \"a.h\"\n";
    input.length = strlen(input.text);
    write_file(place, "user/a.h", "");
    assert_int_equal(fw_compile(&compiled, place->arena, &input, &options, &sink), FW_ERROR_INPUT);
    input.text = "__global__ void k(int a) { b; }";
    input.length = strlen(input.text);
    place->told[0] = '\0';
    assert_int_equal(fw_compile(&compiled, place->arena, &input, &options, &sink), FW_ERROR_INPUT);
    assert_int_equal(place->column, 28);
}

static void kernels_made_by_macros_are_found(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(
        place, "user/a.cu",
        "#define KERNEL(name, type) extern \"C\" __global__ void name(type *data, int count)\n"
        "KERNEL(fill, float) { if (threadIdx.x < count) data[threadIdx.x] = 0; }\n");
    options.target = 80;
    assert_built(build(place, &compiled, path, &options), place);
    const struct fw_signature *fill = fw_signature_find(&compiled.signatures, "fill", 2);
    assert_non_null(fill);
    assert_string_equal(fill->parameters.at[1].name, "count");
}

/* ---- confinement ---- */

/* Sources that try to read a file outside of their folder. */
static const char *const leaks[] = {
    "#include \"%s/secret.h\"\n",
    "#include \"../secret.h\"\n",
    "#include <%s/secret.h>\n",
    "#define S \"../secret.h\"\n#include S\n",
    "#define S <%s/secret.h>\n#include S\n",
    "#ifdef __CUDA_ARCH__\n#include \"../secret.h\"\n#endif\n",
    "#include \"link.h\"\n",
    "#include \"sub/../../secret.h\"\n",
    "%%:include \"../secret.h\"\n",
    "#inc\\\nlude \"../secret.h\"\n",
    "#/**/include \"../secret.h\"\n",
    "#import \"../secret.h\"\n",
    "#include_next \"../secret.h\"\n",
    "#include \".hidden/secret.h\"\n",
    "#include \"/proc/self/environ\"\n",
    "#include \"deep.h\"\n",
};

static void leaks_are_refused(struct place *place, const struct fw_compile_options *options)
{
    struct fw_compiled compiled;
    write_file(place, "user/deep.h", "#include \"../secret.h\"\n");
    const char *link = fw_arena_printf(place->arena, "%s/link.h", place->folder);
    assert_int_equal(symlink("../secret.h", link), 0);
    assert_int_equal(mkdir(fw_arena_printf(place->arena, "%s/sub", place->folder), 0700), 0);
    assert_int_equal(mkdir(fw_arena_printf(place->arena, "%s/.hidden", place->folder), 0700), 0);
    write_file(place, "user/.hidden/secret.h", "#error SECRET-4711\n");
    for (size_t i = 0; i < sizeof(leaks) / sizeof(leaks[0]); i++) {
        char text[1024];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof(text), leaks[i], place->root);
#pragma GCC diagnostic pop
        const char *path = write_file(place, "user/a.cu", text);
        enum fw_status status = build(place, &compiled, path, options);
        if (status != FW_ERROR_INPUT || !strstr(place->told, "CMP004") ||
            strstr(place->told, secret) || strstr(place->told, "environ:"))
            fail_msg("status %d for:\n%s\ntold:\n%s", (int)status, text, place->told);
        assert_null(compiled.ptx);
    }
    /* A line directive makes some compilers quote the named file. */
    const char *path =
        write_file(place, "user/a.cu",
                   fw_arena_printf(place->arena,
                                   "#line 1 \"%s/secret.h\"\n#error x\n"
                                   "#line 1 \"%s/secret.h\"\nint f() { return no; }\n",
                                   place->root, place->root));
    assert_int_equal(build(place, &compiled, path, options), FW_ERROR_INPUT);
    assert_null(strstr(place->told, secret));
    path = write_file(place, "user/a.cu", "const char s[] = {\n#  embed \"../secret.h\"\n};\n");
    assert_int_equal(build(place, &compiled, path, options), FW_ERROR_INPUT);
    assert_told(place, "CMP005");
}

static void leaks_through_nvcc_are_refused(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_NVCC);
    leaks_are_refused(*state, &options);
}

static void leaks_through_clang_are_refused(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    leaks_are_refused(*state, &options);
}

/* Headers that stand in for those that a compiler includes by itself, and bring in the secret. */
static void stand_ins_are_refused_or_not_read(struct place *place,
                                              struct fw_compile_options options, const char *suffix)
{
    static const char *const names[] = {"math.h",
                                        "stddef.h",
                                        "stdlib.h",
                                        "opencl-c-base.h",
                                        "opencl-c.h",
                                        "cuda_runtime.h",
                                        "forewarp_definitions.h",
                                        "forewarp_cuda.h"};
    struct fw_compiled compiled;
    bool opencl = options.language == FW_LANGUAGE_OPENCL;
    const char *source = fw_arena_printf(place->arena, "user/a.%s", suffix);
    const char *path = write_file(
        place, source, opencl ? "kernel void k(global float *a) { a[0] = 1; }\n" : plain);
    const char *folder = place->folder;
    options.includes = &folder;
    options.target = 80;
    for (size_t i = 0; i < 2 * sizeof(names) / sizeof(names[0]); i++) {
        const char *name = fw_arena_printf(place->arena, "user/%s", names[i / 2]);
        const char *stand_in = write_file(place, name, "#include \"../secret.h\"\n");
        options.include_count = i % 2; /* beside the source; and named with -I */
        enum fw_status status = build(place, &compiled, path, &options);
        assert_null(strstr(place->told, secret));
        if (status != FW_OK)
            assert_told(place, "CMP004");
        else
            assert_null(strstr(compiled.ptx, "SECRET"));
        unlink(stand_in);
    }
    /* A text from elsewhere must not come out through a macro, either. */
    if (opencl)
        return;
    write_file(place, "quoted", secret);
    write_file(
        place, source,
        "#define T(x) #x\n#define S(x) _Pragma(T(GCC error #x))\nS(\n#include \"../quoted\"\n)\n"
        "enum {\n#include \"../quoted\"\n}; int i = f(SECRET);\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_null(strstr(place->told, secret));
    assert_told(place, "CMP004");
}

static void stand_ins_do_not_help_through_nvcc(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_NVCC), "cu");
}

static void stand_ins_do_not_help_through_clang(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_CLANG), "cu");
}

static void stand_ins_do_not_help_through_opencl(void **state)
{
    stand_ins_are_refused_or_not_read(*state, use(*state, TOOL_LIBCLC), "cl");
}

/* File names that look like options, or like work for a shell. */
static void odd_file_names_are_names(struct place *place, struct fw_compile_options options,
                                     bool nvcc)
{
    static const char *const names[] = {"-o.cu",
                                        "@a.cu",
                                        "a b.cu",
                                        "$(touch pwned).cu",
                                        "`touch pwned`.cu",
                                        "a\"; touch pwned; \".cu"};
    struct fw_compiled compiled;
    char here[4096];
    assert_non_null(getcwd(here, sizeof(here)));
    assert_int_equal(chdir(place->folder), 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        write_file(place, fw_arena_printf(place->arena, "user/%s", names[i]), plain);
        enum fw_status status = build(place, &compiled, names[i], &options);
        bool refused = nvcc && i >= 3;
        assert_int_equal(status, refused ? FW_ERROR_USAGE : FW_OK);
        if (refused)
            assert_told(place, "CMP003");
    }
    assert_int_not_equal(access("pwned", F_OK), 0);
    assert_int_equal(chdir(here), 0);
}

static void odd_file_names_are_names_to_nvcc(void **state)
{
    odd_file_names_are_names(*state, use(*state, TOOL_NVCC), true);
}

static void odd_file_names_are_names_to_clang(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    odd_file_names_are_names(*state, options, false);
}

/* What is told names the user's own words: the definition, not our file that holds it. */
static void errors_in_definitions_name_them(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    static const char *const defines[] = {"A=1", "B=/* endless"};
    const char *path = write_file(place, "user/a.cu", plain);
    options.defines = defines;
    options.define_count = 2;
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "-D B=/* endless: unterminated");
    assert_null(strstr(place->told, "forewarp_definitions"));
}

/* nvcc has ptxas check inline PTX, which says what is wrong in a form of its own. */
static void errors_of_inline_ptx_are_told(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path =
        write_file(place, "user/a.cu",
                   "__global__ void k(int *p) { asm(\"nonsense %0;\" :: \"r\"(p[0])); }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "nonsense");
    assert_null(strstr(place->told, "without saying why"));
}

static void bad_compilers_are_contained(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *body, *code;
    } cases[] = {
        {"sleep 1000 & sleep 1000", "CMP006"},
        {"while :; do :; done", "CMP006"},
        {"kill -SEGV $$", "CMP009"},
        {"echo 'terminate called: std::bad_alloc' >&2; kill -ABRT $$", "CMP007"},
        {"exec dd if=/dev/zero of=\"$out\" bs=65536 count=1000", "CMP008"},
        {"echo '/x/a.cu:1:2: error: never'; exit 1", "CMP010"},
        {"exit 3", "CMP010"},
        {"exit 0", "CMP012"},
        {"mkdir \"$out\"", "CMP012"},
        {"yes /etc/passwd | head -1000 > headers; exit 1", "CMP004"},
        {"rm headers; echo x > \"$out\"", "CMP012"},
    };
    struct fw_compile_options options = {
        .data = place->data, .seconds = 2, .output = 1 << 20, .compiler = NULL};
    const char *path = write_file(place, "user/a.cu", plain);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_compiled compiled;
        options.compiler = write_script(place, "compiler", cases[i].body);
        enum fw_status status = build(place, &compiled, path, &options);
        assert_told(place, cases[i].code);
        assert_int_equal(status,
                         strcmp(cases[i].code, "CMP012") ? FW_ERROR_INPUT : FW_ERROR_MACHINE);
        assert_null(compiled.ptx);
    }
    struct fw_compiled compiled;
    options.compiler = write_script(place, "compiler", "echo good > \"$out\"");
    assert_built(build(place, &compiled, path, &options), place);
    assert_string_equal(compiled.ptx, "good\n");
    options.compiler = "/nonexistent/clang";
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_MACHINE);
    assert_told(place, "CMP001");
    assert_told(place, "install");
}

static void memory_is_limited(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_CLANG);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "template <int N> struct S { static const int v = S<N - 1>::v + "
                                  "S<N - 2>::v; };\n"
                                  "#define A(x) x x x x x x x x x x x x x x x x\n"
                                  "#define B(x) A(A(A(A(A(A(x))))))\n"
                                  "int f() { B(B(int i = 1;)) return 0; }\n");
    options.memory = (uint64_t)600 << 20;
    options.seconds = 20;
    options.target = 80;
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    if (!strstr(place->told, "CMP007") && !strstr(place->told, "CMP009") &&
        !strstr(place->told, "CMP006"))
        fail_msg("told:\n%s", place->told);
}

static void a_full_arena_leaves_nothing_behind(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = {
        .data = place->data, .compiler = write_script(place, "compiler", "echo good > \"$out\"")};
    const char *path = write_file(place, "user/a.cu", plain);
    bool good = false;
    for (size_t limit = 100; limit < 4000000 && !good; limit += limit / 3) {
        struct fw_arena *arena = fw_arena_new(limit);
        struct fw_compiled compiled;
        struct fw_compile_input input = {.path = path};
        enum fw_status status = fw_compile(&compiled, arena, &input, &options, NULL);
        assert_true(status == FW_OK || status == FW_ERROR_MEMORY);
        good = status == FW_OK;
        fw_arena_free(arena);
    }
    assert_true(good);
}

/* ---- the cache ---- */

/* A compiler that counts its runs, and lists a header as included. */
static const char counting[] = "echo x >> \"${0%/*}/runs\"\n"
                               "echo \"${0%/*}/user/h.h\" > headers\n"
                               "cat \"${0%/*}/user/h.h\" > \"$out\"\n"
                               "echo '.visible .entry copy(' >> \"$out\"";

static size_t runs(struct place *place)
{
    char text[1000];
    FILE *file = fopen(fw_arena_printf(place->arena, "%s/runs", place->root), "r");
    size_t length = file ? fread(text, 1, sizeof(text), file) : 0;
    if (file)
        fclose(file);
    return length / 2;
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
        TEST(digests_are_those_of_the_standard),
        TEST(signatures_are_read_as_written),
        TEST(entries_are_found_by_mangled_names),
        TEST(children_end_as_they_end),
        TEST(time_limits_end_the_whole_group),
        TEST(nvcc_compiles_cuda),
        TEST(clang_compiles_cuda_without_a_toolkit),
        TEST(the_device_header_has_what_kernels_use),
        TEST(clang_compiles_opencl),
        TEST(options_reach_nvcc),
        TEST(options_reach_clang),
        TEST(errors_of_nvcc_have_places),
        TEST(errors_of_clang_have_places),
        TEST(texts_are_compiled_too),
        TEST(kernels_made_by_macros_are_found),
        TEST(leaks_through_nvcc_are_refused),
        TEST(leaks_through_clang_are_refused),
        TEST(stand_ins_do_not_help_through_nvcc),
        TEST(stand_ins_do_not_help_through_clang),
        TEST(stand_ins_do_not_help_through_opencl),
        TEST(odd_file_names_are_names_to_nvcc),
        TEST(odd_file_names_are_names_to_clang),
        TEST(errors_in_definitions_name_them),
        TEST(errors_of_inline_ptx_are_told),
        TEST(bad_compilers_are_contained),
        TEST(memory_is_limited),
        TEST(a_full_arena_leaves_nothing_behind),
        TEST(results_are_cached_by_content),
        TEST(damaged_entries_are_rebuilt),
        TEST(cache_folders_follow_the_environment),
        TEST(batches_keep_their_order),
        TEST(batches_compile_for_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
