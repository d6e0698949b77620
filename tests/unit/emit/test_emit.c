/* What schedules, transformations and emission promise: barriers where threads depend on each other
 * and nowhere else, guards where they are needed and nowhere else, refusals with their reason. */
#include "emit.h"
#include "knl_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_source source;
    struct fw_sink sink;
    struct fw_loop_program *program;
    struct fw_emission *emission;
    char code[8];
    char message[512];
    struct fw_position place;
    unsigned errors;
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    if (world->errors++)
        return;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    snprintf(world->message, sizeof(world->message), "%s", diagnostic->message);
    world->place = fw_span_position(diagnostic->span);
}

static enum fw_status emit_text(struct world *world, const char *text, enum fw_emit_target target)
{
    memset(world, 0, sizeof(*world));
    world->arena = fw_arena_new(0);
    world->poly = fw_poly_new();
    world->source = (struct fw_source){"test.knl", text, strlen(text)};
    world->sink = (struct fw_sink){hear, world};
    enum fw_status status =
        fw_knl_read(&world->program, world->arena, world->poly, &world->source, &world->sink);
    return status == FW_OK ? fw_emit(&world->emission, world->program, target) : status;
}

static void leave(struct world *world)
{
    fw_poly_free(world->poly);
    fw_arena_free(world->arena);
}

static void assert_text(struct world *world, const char *text, enum fw_emit_target target)
{
    enum fw_status status = emit_text(world, text, target);
    if (status != FW_OK)
        print_error("%s: %s\n", world->code, world->message);
    assert_int_equal(status, FW_OK);
}

static unsigned times(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

/* The program is refused with that code, in that line (0: any), and a word of the reason. */
static void refused(const char *text, const char *code, unsigned line, const char *word)
{
    struct world world;
    enum fw_status status = emit_text(&world, text, FW_EMIT_OPENCL);
    if (status == FW_OK)
        print_error("not refused with %s:\n%s", code, text);
    assert_int_equal(status, FW_ERROR_INPUT);
    assert_int_equal(world.errors, 1);
    if (strcmp(world.code, code) != 0 || !strstr(world.message, word))
        print_error("%s: %s\n", world.code, world.message);
    assert_string_equal(world.code, code);
    assert_non_null(strstr(world.message, word));
    if (line)
        assert_int_equal(world.place.line, line);
    leave(&world);
}

static int64_t barriers_at(struct world *world, int64_t n)
{
    struct fw_count *count = NULL;
    mpz_t value;
    mpz_init(value);
    assert_int_equal(fw_loop_schedule_barriers(&count, world->emission->schedule), FW_OK);
    if (count)
        assert_int_equal(fw_count_evaluate(value, count, world->poly, &n), FW_OK);
    int64_t result = mpz_get_si(value);
    mpz_clear(value);
    fw_count_free(count);
    return result;
}

#define MATMUL(assume)                                                                             \
    "kernel mm\ndomain [n] -> {[i, j, k]: 0 <= i, j, k < n}\nassume " assume                       \
    "\narray a, b: f32\nc[i, j] = sum(k, a[i, k]*b[k, j])\n"                                       \
    "split i 16 outer=block.1 inner=thread.1\nsplit j 16 outer=block.0 inner=thread.0\nsplit k "   \
    "16\n"
#define FETCH "prefetch a over i_inner, k_inner\nprefetch b over k_inner, j_inner\n"

static void guards_stand_where_they_are_needed(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world, MATMUL("n >= 16 and n mod 16 = 0") FETCH, FW_EMIT_OPENCL);
    assert_int_equal(times(world.emission->text, "if ("), 0);
    assert_int_equal(times(world.emission->text, "barrier("), 2);
    assert_int_equal(barriers_at(&world, 160), 20);
    leave(&world);
    assert_text(&world, MATMUL("n >= 1") FETCH, FW_EMIT_CUDA);
    assert_true(times(world.emission->text, "if (") >= 3);
    assert_int_equal(times(world.emission->text, "__syncthreads()"), 2);
    assert_int_equal(barriers_at(&world, 161), 22);
    leave(&world);
}

/* Each thread touches what it stored itself: nobody needs to wait. */
static void own_elements_need_no_barrier(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world,
                "domain [n] -> {[b, t]: 0 <= b < n and 0 <= t < 32}\nassume n >= 1\narray x: f32\n"
                "temporary s: f32 shared\ns[t] = x[b, t]\ny[b, t] = s[t]\n"
                "tag b block.0 unordered\ntag t thread.0\n",
                FW_EMIT_OPENCL);
    assert_int_equal(world.emission->schedule->barriers.count, 0);
    leave(&world);
    assert_text(&world,
                "domain [n] -> {[b, t]: 0 <= b < n and 0 <= t < 32}\nassume n >= 1\narray x: f32\n"
                "temporary s: f32 shared\ns[t] = x[b, t]\ny[b, t] = s[31 - t]\n"
                "tag b block.0 unordered\ntag t thread.0 unordered\n",
                FW_EMIT_OPENCL);
    assert_int_equal(world.emission->schedule->barriers.count, 1);
    leave(&world);
}

/* What is fetched once before a loop, and only read in it, needs one barrier before the loop. */
static void barriers_do_not_stand_in_loops_that_only_read(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world,
                "domain [n] -> {[i, j, k]: 0 <= i < n and 0 <= j < 7 and 0 <= k < 32}\n"
                "assume n >= 1\narray a: f32\ny[i, j] = sum(k, a[k]*(j + k))\n"
                "split i 32 outer=block.0 inner=thread.0\nprefetch a over k\n",
                FW_EMIT_OPENCL);
    assert_int_equal(world.emission->schedule->barriers.count, 1);
    assert_int_equal(world.emission->schedule->barriers.at[0].loop_count, 0);
    leave(&world);
}

static void loops_are_unrolled(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world,
                "domain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 4}\nassume n >= 1\narray x: f32\n"
                "y[i, j] = 2*x[i, j]\ntag j unroll\n",
                FW_EMIT_C);
    assert_int_equal(times(world.emission->text, "2.0f*x["), 4);
    assert_int_equal(times(world.emission->text, "for ("), 1);
    leave(&world);
}

static void indices_are_wide_unless_sizes_are_known(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world, MATMUL("n >= 1"), FW_EMIT_OPENCL);
    assert_true(times(world.emission->text, "(long)") > 0);
    leave(&world);
    assert_text(&world, MATMUL("1 <= n <= 4096"), FW_EMIT_OPENCL);
    assert_int_equal(times(world.emission->text, "(long)"), 0);
    leave(&world);
}

static void the_work_remover_keeps_the_memory_traffic(void **state)
{
    struct world world;
    (void)state;
    assert_text(&world, MATMUL("n >= 16 and n mod 16 = 0") FETCH "strip a, c\n", FW_EMIT_OPENCL);
    const char *text = world.emission->text;
    assert_int_equal(times(text, "barrier("), 0);
    assert_int_equal(times(text, "a_fetch"), 0);
    assert_non_null(strstr(text, "read_tgt = read_tgt + b[(long)(16*k_outer + b_dim_0)*n + "
                                 "(16*j_outer + b_dim_1)];"));
    assert_int_equal(times(text, "read_tgt_dest["), 1);
    leave(&world);
    assert_text(&world, MATMUL("n >= 16 and n mod 16 = 0") FETCH "strip a\n", FW_EMIT_OPENCL);
    assert_int_equal(times(world.emission->text, "read_tgt_dest"), 0);
    assert_non_null(strstr(world.emission->text, "= read_tgt;"));
    leave(&world);
    refused(MATMUL("n >= 1") "strip a, b, c\n", "LOOP091", 9, "would be left");
    refused(MATMUL("n >= 1") "strip d\n", "LOOP077", 9, "'d'");
}

static void orders_that_change_results_are_refused(void **state)
{
    (void)state;
    refused("domain [n] -> {[i, j]: 1 <= i < n and 0 <= j < n - 1}\nassume n >= 3\n"
            "array a: f32[n, n]\na[i, j] = a[i - 1, j + 1] + 1\norder j, i\n",
            "LOOP070", 5, "another order");
    refused("domain [n] -> {[i, j]: 0 <= i, j < n}\nassume n >= 1\narray a: f32\n"
            "b[i, j] = a[i, j]\norder i, j\norder j, i\n",
            "LOOP054", 6, "around");
    refused("domain [n] -> {[i]: 0 <= i < n}\ndomain {[j]: 0 <= j <= i}\nassume n >= 1\n"
            "array a: f32\nb[i, j] = a[i, j]\norder j, i\n",
            "LOOP054", 6, "around");
}

static void circles_and_impossible_orders_are_refused(void **state)
{
    (void)state;
    refused("domain {[i]: 0 <= i < 9}\narray a: f32\nb[i] = a[i] {id=x, dep=y}\n"
            "c[i] = a[i] {id=y, dep=x}\n",
            "LOOP114", 0, "circle");
    refused("domain [n] -> {[i, j, k]: 0 <= i, j, k < n}\nassume n >= 1\narray a: f32\n"
            "b[i, j] = a[i, j]\nc[i] = a[i, i]\nd[j] = a[j, j]\n",
            "LOOP053", 0, "neither");
    refused("domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32\n"
            "b[i] = a[i]\nc[i] = b[i + 1]\n",
            "LOOP058", 5, "later");
    refused("domain {[i, j]: 0 <= i, j < 9}\narray a: f32\ntemporary t: f32[10] private\n"
            "t[i] = a[i]\nb[j] = t[j + 1]\n",
            "LOOP058", 5, "nothing has stored");
    refused("domain [n] -> {[i, j]: 0 <= i, j < n}\nassume n >= 1\narray a: f32\n"
            "b[i] = a[i]\nc[j] = b[n - 1 - j]\ntag i block.0 unordered\ntag j block.0 unordered\n",
            "LOOP057", 0, "different blocks");
}

static void prefetching_has_limits(void **state)
{
    (void)state;
    refused(MATMUL("n >= 1") "prefetch a over i_inner, k_outer\n", "LOOP083", 9, "constant size");
    refused(MATMUL("n >= 1") "prefetch c over i_inner\n", "LOOP080", 5, "stored");
    refused(MATMUL("n >= 1") "prefetch a over k_inner tag=x\n", "LOOP082", 9, "with this tag");
    refused("domain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 20000}\nassume n >= 1\narray a: f32\n"
            "b[i] = sum(j, a[j])\nprefetch a over j\n",
            "LOOP084", 5, "does not fit");
    refused("domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32\narray p: s32\n"
            "b[i] = a[p[i]]\nsplit i 8\nprefetch a over i_inner\n",
            "LOOP081", 5, "affine");
    refused("domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32\n"
            "b[i] = a[i] + a[i + 40]\nsplit i 16 outer=block.0 inner=thread.0\n"
            "prefetch a over i_inner\n",
            "LOOP086", 6, "box");
}

#define COPIES(copies, variables)                                                                  \
    "domain [n] -> {[i, k, c, v]: 0 <= i < n and 0 <= k < n and 0 <= c < " copies                  \
    " and 0 <= v < " variables "}\n"                                                               \
    "domain {[first]: 0 <= first < " variables "}\ndomain {[last]: 0 <= last < " variables         \
    "}\nassume n >= 1\narray start: f32\ntemporary x: f32[" variables "] private\n"                \
    "x[first] = start[first] {id=init, inames=i:first}\n"                                          \
    "x[v] = x[(v + 3) % " variables "] + 1 {id=update, dep=init, inames=i:k:c:v}\n"                \
    "y[i] = sum(last, x[last]) {dep=update}\ntag i block.0\n"                                      \
    "tag first unroll\ntag last unroll\ntag v unroll\ntag c unroll\norder k, c, v\n"

/* Copies count for each statement; where they are many, the compiler makes them of the outer loop.
 */
static void many_copies_are_the_compilers(void **state)
{
    (void)state;
    struct world world;
    assert_text(&world, COPIES("8", "32"), FW_EMIT_CUDA);
    assert_int_equal(times(world.emission->text, "#pragma unroll"), 0);
    assert_int_equal(times(world.emission->text, " % 32] + 1"), 256);
    leave(&world);
    assert_text(&world, COPIES("64", "32"), FW_EMIT_CUDA);
    assert_int_equal(times(world.emission->text, "#pragma unroll"), 1);
    assert_int_equal(times(world.emission->text, " % 32] + 1"), 32);
    assert_non_null(
        strstr(world.emission->text, "#pragma unroll\n        for (int c = 0; c <= 63"));
    leave(&world);
    assert_text(&world, COPIES("64", "32"), FW_EMIT_C);
    assert_int_equal(times(world.emission->text, "#pragma unroll"), 0);
    assert_int_equal(times(world.emission->text, " % 32] + 1"), 32);
    leave(&world);
    refused(COPIES("256", "32"), "EMIT004", 0, "too many");
}

static void other_transformations_refuse(void **state)
{
    (void)state;
    refused(MATMUL("n >= 1") "privatize a over k_inner\n", "LOOP076", 9, "own temporary");
    refused(MATMUL("n >= 1") "realize\nprivatize acc_k_outer_k_inner over k_inner\n", "LOOP076", 0,
            "outside of the loop");
    refused(MATMUL("n >= 1") "duplicate k_inner as q in id=nothing\n", "LOOP071", 9, "k_inner");
    refused(MATMUL("n >= 1") "rename i_inner c\n", "LOOP003", 9, "taken");
    refused(MATMUL("n >= 1") "axes a 0, 0\n", "LOOP077", 9, "each once");
    refused(MATMUL("n >= 1") "coarsen i_inner 17\n", "LOOP040", 9, "16");
    refused(MATMUL("n >= 1") "coarsen k_inner 2\n", "LOOP075", 9, "threads");
    refused(MATMUL("n >= 1") "join k_outer, k_inner into k\n", "LOOP074", 0, "depends");
    refused(MATMUL("n >= 1") "tag k_outer unroll\n", "EMIT004", 0, "not constant");
    refused("domain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 4}\nassume n >= 1\narray a: f32[n]\n"
            "a[i] = a[i] + 1\nadd j to writes=a\n",
            "LOOP072", 5, "done again");
    refused("domain [n, m] -> {[i]: 0 <= i < n}\ndomain {[j]: 0 <= j < m}\nassume n >= 1\n"
            "array a: f32\nb[i] = a[i]\nadd j to writes=b\n",
            "LOOP073", 6, "no iteration");
    refused("domain {[i]: 0 <= i < 2000}\narray a: f32\nb[i] = a[i]\ntag i thread.0\n", "LOOP062",
            0, "1024");
    refused("domain {[i, j]: 0 <= i < 20 and 0 <= j < 8}\narray a: f32[20]\n"
            "a[i] = a[i] + 1\nb[j] = 2\ntag j thread.0\n",
            "LOOP059", 3, "axes");
}

static void accesses_stay_inside(void **state)
{
    struct world world;
    (void)state;
    refused("domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32\nb[i] = a[i - 1]\n",
            "EMIT003", 4, "subscript 0 of 'a'");
    refused("domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32[n]\nb[i] = a[i + 1]\n",
            "EMIT003", 4, "n = ");
    assert_text(&world,
                "domain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray a: f32[n]\n"
                "b[i] = if(i + 1 < n, a[i + 1], 0)\n",
                FW_EMIT_C);
    leave(&world);
}

/* Any order of the C interface gives what the language gives. */
static void the_builder_does_the_same(void **state)
{
    struct world world;
    const char *const sweeps[] = {"i_inner", "k_inner"};
    const struct fw_loop_prefetch prefetch = {.array = "a", .sweeps = sweeps, .sweep_count = 2};
    struct fw_span nowhere = {0};
    (void)state;
    assert_text(&world, MATMUL("n >= 16 and n mod 16 = 0") "prefetch a over i_inner, k_inner\n",
                FW_EMIT_OPENCL);
    char *expected = strdup(world.emission->text);
    leave(&world);
    assert_text(&world, MATMUL("n >= 16 and n mod 16 = 0"), FW_EMIT_OPENCL);
    assert_int_equal(fw_loop_add_prefetch(world.program, &prefetch, nowhere), FW_OK);
    assert_int_equal(fw_emit(&world.emission, world.program, FW_EMIT_OPENCL), FW_OK);
    assert_string_equal(world.emission->text, expected);
    free(expected);
    leave(&world);
}

static struct fw_loop_expression *name(struct fw_loop_program *program, const char *text)
{
    return fw_loop_access(program, text, NULL, NULL, 0, (struct fw_span){0});
}

static struct fw_loop_expression *element(struct fw_loop_program *program, const char *array,
                                          const char *const *subscripts, uint32_t count)
{
    struct fw_loop_expression *at[FW_LOOP_RANK_MOST];
    for (uint32_t i = 0; i < count; i++)
        at[i] = name(program, subscripts[i]);
    return fw_loop_access(program, array, NULL, at, count, (struct fw_span){0});
}

/* res[m, k, i] = sum(j, diff_mat[m, i, j]*u[k, j]) */
static void build_differentiation(struct fw_loop_program *p)
{
    static const char domain[] =
        "[nmatrices, nelements, nunit_nodes] -> {[m, k, i, j]: 0 <= m < nmatrices and 0 <= k < "
        "nelements and 0 <= i, j < nunit_nodes}";
    static const char assumption[] =
        "nmatrices >= 1 and nelements >= 16 and nelements mod 16 = 0 and nunit_nodes >= 16 and "
        "nunit_nodes mod 16 = 0";
    static const char *const mki[] = {"m", "k", "i"}, *const mij[] = {"m", "i", "j"},
                             *const kj[] = {"k", "j"}, *const j = "j";
    struct fw_span nowhere = {0};
    p->name = fw_loop_intern(p, "dg_prefetch_u", 13);
    assert_int_equal(fw_loop_add_domain(p, domain, nowhere), FW_OK);
    assert_int_equal(fw_loop_assume(p, assumption, nowhere), FW_OK);
    fw_loop_add_array(p, "diff_mat", nowhere)->type = FW_TYPE_F32;
    fw_loop_add_array(p, "u", nowhere)->type = FW_TYPE_F32;
    struct fw_loop_expression *factors[] = {element(p, "diff_mat", mij, 3), element(p, "u", kj, 2)};
    struct fw_loop_expression *product =
        fw_loop_operation(p, FW_LOOP_MULTIPLY, NULL, factors, 2, nowhere);
    fw_loop_add_statement(p, element(p, "res", mki, 3),
                          fw_loop_reduce(p, "sum", &j, 1, product, nowhere), nowhere);
    assert_int_equal(fw_loop_finish(p), FW_OK);
}

static void split_and_tag(struct fw_loop_program *p, const char *loop, const char *outer,
                          const char *inner)
{
    const char *const parts[] = {"outer", "inner"}, *const tags[] = {outer, inner};
    struct fw_span nowhere = {0};
    char part[64];
    assert_int_equal(fw_loop_split(p, loop, 16, nowhere), FW_OK);
    for (unsigned i = 0; i < 2; i++) {
        struct fw_loop_tag tag;
        assert_true(fw_loop_tag_read(&tag, tags[i]));
        snprintf(part, sizeof(part), "%s_%s", loop, parts[i]);
        assert_int_equal(fw_loop_set_tag(p, part, tag, false, nowhere), FW_OK);
    }
}

/* A variant of the paper from C, transformation by transformation, has the code of its text. */
static void a_variant_is_built_from_c(void **state)
{
    static const char *const sweeps[] = {"k_inner", "j_inner"}, *const m = "m",
                             *const order[] = {"j_outer", "j_inner", "m"};
    const struct fw_loop_prefetch prefetch = {.array = "u", .sweeps = sweeps, .sweep_count = 2};
    const struct fw_loop_selector fetch = {FW_LOOP_BY_ID, "*fetch*"}, all = {FW_LOOP_BY_ID, NULL},
                                  init = {FW_LOOP_BY_ID, "*init*"},
                                  store = {FW_LOOP_BY_TARGET, "res"};
    static char text[1 << 14];
    struct fw_span nowhere = {0};
    struct world world;
    char path[4096];
    (void)state;
    const char *source = getenv("FOREWARP_SOURCE");
    snprintf(path, sizeof(path), "%s/kernels/knl/dg_prefetch_u.knl", source ? source : ".");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_text(&world, text, FW_EMIT_CUDA);
    char *expected = strdup(world.emission->text);
    struct fw_loop_program *p = fw_loop_new(world.arena, world.poly, &world.sink);
    build_differentiation(p);
    split_and_tag(p, "i", "block.1", "thread.1");
    split_and_tag(p, "k", "block.0", "thread.0");
    assert_int_equal(fw_loop_split(p, "j", 16, nowhere), FW_OK);
    assert_int_equal(fw_loop_add_prefetch(p, &prefetch, nowhere), FW_OK);
    assert_int_equal(fw_loop_fix(p, "nmatrices", 3, nowhere), FW_OK);
    assert_int_equal(fw_loop_add_loop(p, "i_outer", fetch, nowhere), FW_OK);
    assert_int_equal(fw_loop_realize(p, all, nowhere), FW_OK);
    assert_int_equal(fw_loop_privatize(p, "acc_j_outer_j_inner", &m, 1, nowhere), FW_OK);
    assert_int_equal(fw_loop_duplicate(p, "m", "m_init", init, nowhere), FW_OK);
    assert_int_equal(fw_loop_duplicate(p, "m", "m_store", store, nowhere), FW_OK);
    assert_int_equal(fw_loop_set_order(p, order, 3, false, nowhere), FW_OK);
    assert_int_equal(fw_emit(&world.emission, p, FW_EMIT_CUDA), FW_OK);
    assert_string_equal(world.emission->text, expected);
    free(expected);
    leave(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_stand_where_they_are_needed),
        cmocka_unit_test(own_elements_need_no_barrier),
        cmocka_unit_test(barriers_do_not_stand_in_loops_that_only_read),
        cmocka_unit_test(loops_are_unrolled),
        cmocka_unit_test(indices_are_wide_unless_sizes_are_known),
        cmocka_unit_test(the_work_remover_keeps_the_memory_traffic),
        cmocka_unit_test(orders_that_change_results_are_refused),
        cmocka_unit_test(circles_and_impossible_orders_are_refused),
        cmocka_unit_test(prefetching_has_limits),
        cmocka_unit_test(many_copies_are_the_compilers),
        cmocka_unit_test(other_transformations_refuse),
        cmocka_unit_test(accesses_stay_inside),
        cmocka_unit_test(the_builder_does_the_same),
        cmocka_unit_test(a_variant_is_built_from_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
