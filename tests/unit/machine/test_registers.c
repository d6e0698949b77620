/* The register estimate against what ptxas allocates, for every kernel of
 * data/lowering/ptxas_registers.txt (made by scripts/study-registers).  What comes out is committed
 * as data/lowering/registers.txt and must come out again; FOREWARP_ACCEPT=1 writes it anew. */
#include "register_testing.h"
#include "residency.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, GROUPS = 7, NAME = 128, MANY = 40 };

/* One kernel; estimates are compared as a share of ptxas's number. */
struct row {
    char file[NAME], kernel[NAME];
    unsigned theirs;
    struct fw_registers ours;
    unsigned limited; /* the estimate, as far as launch bounds leave registers */
};

static struct row rows[ROWS];
static unsigned row_count;

static const char *root(void)
{
    const char *named = getenv("FOREWARP_SOURCE");
    return named ? named : ".";
}

static char *read_file(struct fw_arena *arena, const char *name, size_t *length)
{
    FILE *file = fopen(fw_arena_printf(arena, "%s/%s", root(), name), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = fw_arena_alloc(arena, (size_t)size + 1);
    *length = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

static struct fw_module *read_module(struct fw_arena *arena, const char *name)
{
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_module *module;
    source->name = name;
    source->text = read_file(arena, name, &source->length);
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    return module;
}

/* The estimate within the kernel's launch bounds, as ptxas keeps them. */
static unsigned limit(const struct fw_module *module, const struct row *row,
                      const struct fw_device *device)
{
    const struct fw_function *function = fw_module_kernel(module, row->kernel);
    struct fw_kernel kernel = {
        .resources = {.registers = row->ours.estimate, .registers_source = "liveness"},
        .min_blocks = function->min_blocks,
        .max_registers = function->max_registers};
    struct fw_launch launch = {.block = {0}};
    struct fw_resources limited;
    memcpy(kernel.max_block, function->max_threads, sizeof kernel.max_block);
    memcpy(kernel.required_block, function->required_threads, sizeof kernel.required_block);
    fw_residency_limit(&limited, &kernel, &launch, device);
    return limited.registers;
}

static void read_rows(const struct fw_device *device)
{
    struct fw_arena *arena = fw_arena_new(0), *own = NULL;
    struct fw_module *module = NULL;
    size_t length;
    char *text = read_file(arena, "data/lowering/ptxas_registers.txt", &length);
    for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
        struct row *row = &rows[row_count];
        if (*line == '#' ||
            sscanf(line, "%127s | %127s | %u", row->file, row->kernel, &row->theirs) != 3)
            continue;
        if (!row_count || strcmp(row[-1].file, row->file) != 0) {
            if (own)
                fw_arena_free(own);
            own = fw_arena_new(0);
            module = read_module(own, row->file);
        }
        row->ours = estimate(own, module, row->kernel);
        row->limited = limit(module, row, device);
        assert_true(++row_count < ROWS);
    }
    fw_arena_free(own);
    fw_arena_free(arena);
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* What a group of kernels has in its file's name; the last takes those of many registers. */
static const char *const groups[GROUPS][2] = {
    {"generated", "generated/found"}, {"traffic", "data/h200/traffic"},
    {"pressure", "pressure.ptx"},     {"random", "random.ptx"},
    {"examples", "tests/golden"},     {"all", ""},
    {"all, ptxas above 40", ""}};

static void add_group(struct fw_buffer *text, unsigned group)
{
    static double shares[ROWS], apart[ROWS];
    unsigned count = 0;
    double sum = 0;
    for (unsigned i = 0; i < row_count; i++) {
        if (!strstr(rows[i].file, groups[group][1]) ||
            (group == GROUPS - 1 && rows[i].theirs <= MANY))
            continue;
        double ours = rows[i].limited, theirs = rows[i].theirs;
        shares[count] = ours / theirs;
        apart[count] = ours > theirs ? ours - theirs : theirs - ours;
        sum += apart[count++];
    }
    assert_true(count > 0);
    qsort(shares, count, sizeof *shares, ascending);
    fw_buffer_printf(text, "# %s | %u | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f\n",
                     groups[group][0], count, shares[0], shares[count / 10], shares[count / 2],
                     shares[count * 9 / 10], shares[count - 1], sum / count);
    if (group == GROUPS - 1) { /* what the models lean on: occupancy starts to fall there */
        assert_true(shares[count / 2] > 0.9 && shares[count / 2] < 1.1);
        assert_true(shares[count - 1] <= 1.5);
    }
}

static void registers_are_near_those_of_ptxas(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_device *device;
    size_t length;
    (void)state;
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", root());
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    read_rows(device);
    fw_buffer_printf(
        &text, "# Registers a thread: fw_registers_estimate, and what ptxas 13.0 allocates\n"
               "# (ptxas_registers.txt).  Made by: FOREWARP_ACCEPT=1 test-registers.\n"
               "# Estimates as a share of ptxas's number: kernels | least | 10%% | median | 90%% | "
               "most |\n# mean difference without sign, registers\n");
    for (unsigned g = 0; g < GROUPS; g++)
        add_group(&text, g);
    fputs(text.text, stderr);
    fw_buffer_printf(&text, "# Columns: file | kernel | most live | the same in the order of the "
                            "text | loaded together |\n# predicates | estimate | ptxas\n");
    for (unsigned i = 0; i < row_count; i++)
        fw_buffer_printf(&text, "%s | %s | %u | %u | %u | %u | %u | %u\n", rows[i].file,
                         rows[i].kernel, rows[i].ours.live, rows[i].ours.text, rows[i].ours.loads,
                         rows[i].ours.predicates, rows[i].limited, rows[i].theirs);
    if (getenv("FOREWARP_ACCEPT")) {
        FILE *file = fopen(fw_arena_printf(arena, "%s/data/lowering/registers.txt", root()), "wb");
        assert_non_null(file);
        assert_true(fputs(text.text, file) >= 0);
        fclose(file);
    }
    assert_string_equal(read_file(arena, "data/lowering/registers.txt", &length), text.text);
    fw_arena_free(arena);
}

/* Registers that each iteration writes before it reads them meet what they were at the loop's head,
 * and nobody reads what meets there. */
static void phis_that_nobody_reads_take_none(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    (void)state;
    fw_buffer_printf(&body, "mov.f32 %%f99, 0f00000000;\nmov.u32 %%r3, 0;\nHEAD:\n");
    for (int i = 1; i <= 30; i++)
        fw_buffer_printf(&body,
                         "ld.global.f32 %%f%d, [%%d4+%d];\nsetp.gt.s32 %%p1, %%r1, %d;\n"
                         "@%%p1 bra M%d;\nmul.f32 %%f%d, %%f%d, %%f%d;\nM%d:\n"
                         "add.f32 %%f99, %%f99, %%f%d;\n",
                         i, 4 * i, i, i, i, i, i, i, i);
    fw_buffer_printf(&body, "add.s32 %%r3, %%r3, 1;\nsetp.lt.s32 %%p2, %%r3, %%r1;\n"
                            "@%%p2 bra HEAD;\nst.global.f32 [%%d4], %%f99;\n");
    assert_in_range(estimate_text("", body.text).live, 4, 8);
    fw_arena_free(arena);
}

/* Invariants of two loops, the inner one of which leaves them alone; the outer one stores them. */
enum invariants { ONE_OPERATION, TWO_OPERATIONS, LOADED };

static struct fw_registers registers_around_loops(int invariants, enum invariants kind)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    for (int i = 20; i < 20 + invariants; i++) {
        if (kind == ONE_OPERATION)
            fw_buffer_printf(&body, "xor.b32 %%r%d, %%r2, %d;\n", i, 12345 * i);
        else if (kind == TWO_OPERATIONS)
            fw_buffer_printf(&body, "and.b32 %%r%d, %%r2, %d;\nmax.s32 %%r%d, %%r%d, %d;\n", i,
                             12345 * i, i, i, i);
        else
            fw_buffer_printf(&body, "ld.global.u32 %%r%d, [%%d4+%d];\n", i, 4 * i);
    }
    fw_buffer_printf(&body, "mov.f32 %%f2, 0f00000000;\nOUTER:\nmov.u32 %%r3, 0;\nINNER:\n"
                            ".pragma \"nounroll\";\nld.global.f32 %%f1, [%%d4];\n"
                            "add.f32 %%f2, %%f2, %%f1;\nadd.s32 %%r3, %%r3, 1;\n"
                            "setp.lt.s32 %%p1, %%r3, %%r2;\n@%%p1 bra INNER;\n");
    for (int i = 20; i < 20 + invariants; i++)
        fw_buffer_printf(&body, "st.shared.u32 [%d], %%r%d;\n", 4 * i, i);
    fw_buffer_printf(&body, "setp.gt.f32 %%p2, %%f2, 0f3F800000;\n@%%p2 bra OUTER;\n"
                            "st.global.f32 [%%d4], %%f2;\n");
    struct fw_registers registers = estimate_text("", body.text);
    fw_arena_free(arena);
    return registers;
}

/* Integers that cost an operation are made again where registers would cost resident warps; those
 * that cost two are not where a block reads them, nor what comes from memory, nor anything where
 * so many registers are needed that it helps no more. */
static void integers_are_made_again_where_warps_would_be_lost(void **state)
{
    (void)state;
    struct fw_registers few = registers_around_loops(28, ONE_OPERATION);
    assert_true(few.live + 7 > 32 && few.least < few.live);
    assert_int_equal(few.estimate, 32);
    assert_true(registers_around_loops(28, TWO_OPERATIONS).estimate > 32);
    assert_true(registers_around_loops(28, LOADED).estimate > 32);
    assert_true(registers_around_loops(90, ONE_OPERATION).estimate > 90);
}

/* Loads stay in flight as far as that costs no resident warps: with 84 registers there are as many
 * as with 96; in a block of their own, loads ask for no more than that block needs. */
static unsigned estimate_beside(int values, int loads, bool apart)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer body = fw_buffer_new(arena);
    for (int i = 1; i <= values; i++) /* each is read last first: all are there at one time */
        fw_buffer_printf(&body, "fma.rn.f32 %%f%d, %%f%d, 0f40000000, 0f3F800000;\n", i,
                         i > 1 ? i - 1 : 199);
    fw_buffer_printf(&body, "mov.f32 %%f120, 0f00000000;\n");
    for (int i = values; i >= 1; i--)
        fw_buffer_printf(&body, "fma.rn.f32 %%f120, %%f120, %%f120, %%f%d;\n", i);
    fw_buffer_printf(&body, "st.global.f32 [%%d4], %%f120;\n");
    if (apart)
        fw_buffer_printf(&body, "setp.gt.f32 %%p1, %%f120, 0f3F800000;\n@%%p1 bra HEAD;\n"
                                "bar.sync 0;\nHEAD:\n");
    for (int i = 0; i < loads; i++)
        fw_buffer_printf(&body, "ld.shared.f32 %%f%d, [%d];\n", 130 + i, 4 * i);
    for (int i = 0; i < loads; i++)
        fw_buffer_printf(&body, "fma.rn.f32 %%f120, %%f120, %%f120, %%f%d;\n", 130 + i);
    fw_buffer_printf(&body, "st.global.f32 [%%d4+4], %%f120;\n");
    unsigned registers = estimate_text("", body.text).estimate;
    fw_arena_free(arena);
    return registers;
}

static void loads_take_registers_that_cost_no_warps(void **state)
{
    (void)state;
    unsigned need = estimate_beside(76, 0, false);
    assert_in_range(need, 81, 90);
    assert_int_equal(estimate_beside(76, 5, false), need + 4);
    assert_int_equal(estimate_beside(76, 40, false), 96);
    assert_int_equal(estimate_beside(76, 40, true), need);
}

/* Where a thread has fewer registers than loads in flight would fill, nothing is spilled. */
static void registers_of_loads_are_not_spilled(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", root());
    struct fw_pressure pressure = {.need = 60};
    struct fw_kernel kernel = {.resources = {.registers = 70,
                                             .registers_source = "liveness",
                                             .pressures = &pressure,
                                             .pressure_count = 1}};
    struct fw_launch launch = {.block = {128, 1, 1}};
    struct fw_resources limited;
    struct fw_device *device;
    (void)state;
    assert_int_equal(fw_device_read(&device, arena, profile, NULL), FW_OK);
    for (uint32_t most = 56; most <= 72; most += 8) {
        kernel.max_registers = most;
        fw_residency_limit(&limited, &kernel, &launch, device);
        assert_int_equal(limited.registers, most < 70 ? most : 70);
        assert_int_equal(limited.wanted_registers, most < 60 ? 60 : 0);
    }
    fw_arena_free(arena);
}

/* Loads that a barrier parts are not in flight together. */
static void batches_of_loads_end_at_barriers(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer together = fw_buffer_new(arena), parted = fw_buffer_new(arena);
    (void)state;
    for (int i = 0; i < 12; i++) {
        const char *load = fw_arena_printf(arena,
                                           "ld.global.f32 %%f%d, [%%d4+%d];\n"
                                           "add.f32 %%f100, %%f100, %%f%d;\n",
                                           i + 1, 4 * i, i + 1);
        fw_buffer_printf(&together, "%s%s", i ? "" : "mov.f32 %f100, 0f00000000;\n", load);
        fw_buffer_printf(&parted, "%s%sbar.sync 0;\n", i ? "" : "mov.f32 %f100, 0f00000000;\n",
                         load);
    }
    fw_buffer_printf(&together, "st.global.f32 [%%d4], %%f100;\n");
    fw_buffer_printf(&parted, "st.global.f32 [%%d4], %%f100;\n");
    assert_int_equal(estimate_text("", together.text).loads, 12);
    assert_int_equal(estimate_text("", parted.text).loads, 1);
    fw_arena_free(arena);
}

/* Loads whose values are stored as they are stay in flight beyond 32 registers where they are many;
 * `space`: where they are stored. */
static unsigned estimate_of_copies(int copies, const char *space)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    for (int i = 0; i < copies; i++)
        fw_buffer_printf(&text, "ld.global.nc.f32 %%f%d, [%%d4+%d];\n", i + 1, 4 * i);
    for (int i = 0; i < copies; i++)
        fw_buffer_printf(&text, "st.%s.f32 [%%d5+%d], %%f%d;\n", space, 4 * i, i + 1);
    unsigned registers = estimate_text("", text.text).estimate;
    fw_arena_free(arena);
    return registers;
}

static void loads_that_are_stored_stay_in_flight(void **state)
{
    (void)state;
    print_message("%u %u %u\n", estimate_of_copies(24, "local"), estimate_of_copies(32, "local"),
                  estimate_of_copies(32, "shared"));
    assert_int_equal(estimate_of_copies(32, "local"), 40);
    assert_int_equal(estimate_of_copies(24, "local"), 32);
    assert_int_equal(estimate_of_copies(32, "shared"), 32);
}

/* A loop that loads and sums; `more` is in it, too. */
static unsigned loads_of_a_loop(const char *more)
{
    struct fw_arena *arena = fw_arena_new(0);
    const char *text = fw_arena_printf(arena,
                                       "mov.u32 %%r1, 0;\nmov.f32 %%f1, 0f00000000;\n"
                                       "L:\n"
                                       "ld.global.f32 %%f2, [%%d4];\n"
                                       "add.f32 %%f1, %%f1, %%f2;\n"
                                       "%s"
                                       "add.s64 %%d4, %%d4, 4096;\n"
                                       "add.s32 %%r1, %%r1, 1;\n"
                                       "setp.lt.s32 %%p1, %%r1, %%r2;\n"
                                       "@%%p1 bra L;\n"
                                       "st.global.f32 [%%d4], %%f1;\n",
                                       more);
    unsigned loads = estimate_text("", text).loads;
    fw_arena_free(arena);
    return loads;
}

/* Iterations that ptxas joins load together, but not behind what one of them stores. */
static void batches_go_over_joined_iterations(void **state)
{
    (void)state;
    assert_int_equal(loads_of_a_loop(""), 4);
    assert_int_equal(loads_of_a_loop("st.global.f32 [%d4+512], %f1;\n"), 1);
}

/* Of what is live where most is, the registers that loads of the block fill. */
static void loaded_values_are_told_apart(void **state)
{
    enum { LOADS = 8 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer kept = fw_buffer_new(arena);
    (void)state;
    for (int i = 1; i <= LOADS; i++)
        fw_buffer_printf(&kept, "ld.global.f32 %%f%d, [%%d4+%d];\n", i, 128 * i);
    for (int i = 1; i <= LOADS; i++) /* each twice: all are there before the first ends */
        fw_buffer_printf(&kept, "mul.f32 %%f%d, %%f%d, %%f%d;\n", 20 + i, i, i % LOADS + 1);
    for (int i = 1; i <= LOADS; i++)
        fw_buffer_printf(&kept, "st.global.f32 [%%d4+%d], %%f%d;\n", 128 * i, 20 + i);
    assert_in_range(estimate_text("", kept.text).loaded, 2, LOADS);
    assert_int_equal(
        estimate_text("", "mul.f32 %f1, %f2, %f3;\nst.global.f32 [%d4], %f1;\n").loaded, 0);
    fw_arena_free(arena);
}

/* Of what is live where most is, the integers that the warp shares and that a loop reads; not those
 * that it leaves alone, nor numbers in floating point. */
static void shared_integers_are_told_apart(void **state)
{
    (void)state;
    const char *before = "mul.lo.s32 %r5, %r1, %r1;\nmul.wide.s32 %d5, %r5, 4;\n"
                         "add.s64 %d6, %d5, 12;\ncvt.rn.f32.s32 %f5, %r5;\nmov.u32 %r6, 0;\n";
    const char *loop = "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, %r2;\n@%p1 bra HEAD;\n"
                       "st.global.u64 [%d4], %d6;\nst.global.f32 [%d4], %f5;\n";
    const char *reads[] = {"", "st.global.u64 [%d4+8], %d6;\n", "st.global.f32 [%d4+8], %f5;\n"};
    const uint32_t common[] = {0, 2, 0};
    struct fw_arena *arena = fw_arena_new(0);
    for (int i = 0; i < 3; i++) {
        struct fw_buffer body = fw_buffer_new(arena);
        fw_buffer_printf(&body, "%sHEAD:\nld.global.f32 %%f1, [%%d4];\n", before);
        fw_buffer_printf(&body, "st.global.f32 [%%d4], %%f1;\n%s%s", reads[i], loop);
        assert_int_equal(estimate_text("", body.text).common, common[i]);
    }
    fw_arena_free(arena);
}

/* Integers that a loop leaves alone and that can be made again behind it take no registers from its
 * loads if the warp shares them and leaves the loop together. */
static void shared_integers_are_made_again_behind_loops(void **state)
{
    (void)state;
    const struct {
        const char *factor, *bound; /* %r1: an argument; %r2: threadIdx.x */
        uint32_t others;
    } loops[] = {{"%r1", "%r1", 2}, {"%r2", "%r1", 0}, {"%r1", "%r2", 0}};
    struct fw_arena *arena = fw_arena_new(0);
    for (unsigned i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
        const char *body = fw_arena_printf(
            arena,
            "mul.wide.s32 %%d5, %s, 12;\nadd.s64 %%d6, %%d5, 12;\nmov.u32 %%r6, 0;\n"
            "HEAD:\nld.global.f32 %%f1, [%%d4];\nst.global.f32 [%%d4], %%f1;\n"
            "add.s32 %%r6, %%r6, 1;\nsetp.lt.s32 %%p1, %%r6, %s;\n@%%p1 bra HEAD;\n"
            "st.global.u64 [%%d4], %%d6;\n",
            loops[i].factor, loops[i].bound);
        assert_int_equal(estimate_text("", body).others, loops[i].others);
    }
    fw_arena_free(arena);
}

/* What loads behind branches fill that become predicates, and what alone is computed from a load.
 */
static void loads_under_predicates_fill_registers(void **state)
{
    enum { LOADS = 8 };
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct fw_buffer kept = fw_buffer_new(arena);
        for (int i = 1; i <= LOADS; i++) {
            fw_buffer_printf(&kept, "mov.f32 %%f%d, 0f00000000;\nsetp.lt.s32 %%p1, %%r1, %d;\n", i,
                             4 * i);
            fw_buffer_printf(&kept, "@%%p1 bra L%d;\n", i);
            fw_buffer_printf(&kept, "ld.global.f32 %%f%d, [%%d4+%d];\n", i, 128 * i);
            if (way == 1)
                fw_buffer_printf(&kept, "mul.f32 %%f%d, %%f%d, 0f40000000;\n", i, i);
            fw_buffer_printf(&kept, "L%d:\n", i);
        }
        for (int i = 1; i <= LOADS; i++) /* each twice: all are there before the first ends */
            fw_buffer_printf(&kept, "mul.f32 %%f%d, %%f%d, %%f%d;\n", 20 + i, i, i % LOADS + 1);
        for (int i = 1; i <= LOADS; i++)
            fw_buffer_printf(&kept, "st.global.f32 [%%d4+%d], %%f%d;\n", 128 * i, 20 + i);
        assert_in_range(estimate_text("", kept.text).loaded, 2, LOADS);
    }
    fw_arena_free(arena);
}

/* Loads that stand together in the text fill registers at one time, whatever is needed later. */
static void loads_ahead_of_their_use_fill_registers(void **state)
{
    static char text[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>;\n.reg .f32 %f<30>;\n"
        ".reg .b64 %d<5>;\nld.param.u64 %d0, [a];\nmov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %d1, %r1, 16;\nadd.s64 %d2, %d0, %d1;\n"
        "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d2];\n"
        "ld.global.v4.f32 {%f4, %f5, %f6, %f7}, [%d2+4096];\n"
        "add.f32 %f8, %f0, %f4;\nadd.f32 %f9, %f1, %f5;\nadd.f32 %f10, %f2, %f6;\n"
        "add.f32 %f11, %f3, %f7;\nst.global.v4.f32 [%d2], {%f8, %f9, %f10, %f11};\n"
        "ret;\n}\n";
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_source *source = FW_NEW(arena, struct fw_source);
    struct fw_module *module;
    (void)state;
    *source = (struct fw_source){.name = "k.ptx", .text = text, .length = strlen(text)};
    assert_int_equal(fw_ptx_read(&module, arena, source, NULL), FW_OK);
    const struct fw_registers registers = estimate(arena, module, "k");
    assert_int_equal(registers.block_count, 1);
    assert_int_equal(registers.blocks[0].ahead, 8);
    assert_true(registers.blocks[0].ahead_need >= 8 + 2 &&
                registers.blocks[0].ahead_need <= 8 + 10);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_near_those_of_ptxas),
        cmocka_unit_test(phis_that_nobody_reads_take_none),
        cmocka_unit_test(integers_are_made_again_where_warps_would_be_lost),
        cmocka_unit_test(loads_take_registers_that_cost_no_warps),
        cmocka_unit_test(registers_of_loads_are_not_spilled),
        cmocka_unit_test(batches_of_loads_end_at_barriers),
        cmocka_unit_test(loads_that_are_stored_stay_in_flight),
        cmocka_unit_test(batches_go_over_joined_iterations),
        cmocka_unit_test(loaded_values_are_told_apart),
        cmocka_unit_test(shared_integers_are_told_apart),
        cmocka_unit_test(shared_integers_are_made_again_behind_loops),
        cmocka_unit_test(loads_under_predicates_fill_registers),
        cmocka_unit_test(loads_ahead_of_their_use_fill_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
