/* What src/compile promises of sources that compile, and of errors in those that do not. */
#include "compile_testing.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static void errors_have_places(struct place *place, struct fw_compile_options options)
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
    assert_int_equal(place->column, 12);
    assert_null(compiled.ptx);
    write_file(place, "user/a.cu", "#include \"gone.h\"\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "gone.h");
    assert_int_equal(build(place, &compiled, "/nonexistent.cu", &options), FW_ERROR_MACHINE);
    assert_told(place, "CMP002");
}

static void errors_of_nvcc_have_places(void **state)
{
    errors_have_places(*state, use(*state, TOOL_NVCC));
}

/* nvcc repeats a line with its macros replaced, and tells places of that. */
static void errors_behind_macros_have_places(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "#define BAD(x) (x + other)\n"
                                  "__global__ void k(float *a) { a[0] = nothing; }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_int_equal(place->line, 2);
    assert_int_equal(place->column, 38);
    write_file(place, "user/a.cu",
               "#define BAD(x) (x + other)\n"
               "__global__ void k(float *a)\n{\n    a[0] = BAD(3);\n}\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_int_equal(place->line, 4);
    assert_int_equal(place->column, 5);
}

/* What another option or another way would compile is said with the error. */
static void errors_of_nvcc_have_advice(void **state)
{
    struct place *place = *state;
    struct fw_compile_options options = use(place, TOOL_NVCC);
    struct fw_compiled compiled;
    const char *path = write_file(place, "user/a.cu",
                                  "template <class T> concept small = sizeof(T) == 4;\n"
                                  "__global__ void k(int *a) { a[0] = small<int>; }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "--std c++20");
    options.standard = "c++20";
    assert_built(build(place, &compiled, path, &options), place);
    options.standard = NULL;
    write_file(place, "user/a.cu",
               "__global__ void child(int *a) { a[0] = 1; } /* no concept of more */\n"
               "__global__ void k(int *a) { child<<<1, 1>>>(a); }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_told(place, "-rdc=true");
    assert_null(strstr(place->told, "c++20"));
    write_file(place, "user/a.cu", "__global__ void k(int *a) { a[0] = conception; }\n");
    assert_int_equal(build(place, &compiled, path, &options), FW_ERROR_INPUT);
    assert_null(strstr(place->told, "c++20"));
}

static void errors_of_clang_have_places(void **state)
{
    struct fw_compile_options options = use(*state, TOOL_CLANG);
    options.target = 80;
    errors_have_places(*state, options);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nvcc_compiles_cuda),
        TEST(clang_compiles_cuda_without_a_toolkit),
        TEST(the_device_header_has_what_kernels_use),
        TEST(clang_compiles_opencl),
        TEST(options_reach_nvcc),
        TEST(options_reach_clang),
        TEST(errors_of_nvcc_have_places),
        TEST(errors_behind_macros_have_places),
        TEST(errors_of_nvcc_have_advice),
        TEST(errors_of_clang_have_places),
        TEST(texts_are_compiled_too),
        TEST(kernels_made_by_macros_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
