/* Fragments of wmma: what they are loaded, stored and multiplied by, as ptxas 13.0 for sm_90 has
 * it. */
#include "lowering_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct fw_buffer module_of(const char *text)
{
    struct fw_buffer all = fw_buffer_new(fw_arena_new(0));
    fw_buffer_printf(&all,
                     ".version 8.4\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
                     ".reg .b32 %%r<40>; .reg .f32 %%f<40>; .reg .f64 %%d<8>; .reg .b64 %%p;\n"
                     ".shared .align 32 .b8 own[4096];\n.reg .b32 %%s, %%n;\n"
                     "ld.param.u64 %%p,[a]; ld.param.u32 %%n,[n]; mov.u32 %%s, own;\n%s\nret; }\n",
                     text);
    return all;
}

static unsigned issued(const char *text, enum fw_machine operation)
{
    struct fw_buffer all = module_of(text);
    return lowered_count(&all, operation, 90);
}

#define WORDS8 "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}"
#define WORDS4 "{%r0,%r1,%r2,%r3}"
#define SUMS   "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}"

static void factors_are_loaded_by_words(void **state)
{
    const char *natural = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " WORDS8 ",[%p],%n;";
    const char *turned = "wmma.load.a.sync.aligned.col.m16n16k16.global.f16 " WORDS8 ",[%p],%n;";
    const char *shared = "wmma.load.b.sync.aligned.row.m32n8k16.shared.f16 " WORDS8 ",[%s],%n;";
    const char *both = "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 " WORDS8 ",[%s],%n;";
    const char *tf32 = "wmma.load.b.sync.aligned.col.m16n16k8.tf32 " WORDS4 ",[%p],%n;";
    const char *bytes = "wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r0,%r1},[%s],%n;";
    const char *single = "wmma.load.a.sync.aligned.col.m16n16k16.shared.s8 {%r0,%r1},[%s],%n;";
    (void)state;
    assert_int_equal(issued(natural, FW_MACHINE_LDG), 4);
    assert_int_equal(issued(natural, FW_MACHINE_MOVM), 0);
    assert_int_equal(issued(turned, FW_MACHINE_LDG), 4);
    assert_int_equal(issued(turned, FW_MACHINE_MOVM), 4);
    assert_int_equal(issued(shared, FW_MACHINE_LDSM), 1);
    assert_int_equal(issued(both, FW_MACHINE_LDSM), 2);
    assert_int_equal(issued(tf32, FW_MACHINE_LD), 4);
    assert_int_equal(issued(tf32, FW_MACHINE_IMAD_WIDE), 5);
    assert_int_equal(issued(bytes, FW_MACHINE_LDSM), 1);
    assert_int_equal(issued(single, FW_MACHINE_LDS), 8);
}

static void sums_lie_in_pairs_along_a_row(void **state)
{
    const char *pairs = "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p]," SUMS ",%n;";
    const char *single = "wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 " SUMS ",[%s],%n;";
    const char *flat = "wmma.load.c.sync.aligned.col.m8n32k16.shared.f32 " SUMS ",[%s],%n;";
    const char *wide = "wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d0,%d1},[%p],%n;";
    (void)state;
    assert_int_equal(issued(pairs, FW_MACHINE_STG_64), 4);
    assert_int_equal(issued(single, FW_MACHINE_LDS), 8);
    assert_int_equal(issued(flat, FW_MACHINE_LDS_64), 4);
    assert_int_equal(issued(wide, FW_MACHINE_LDG_128), 1);
}

static void products_are_several_of_the_tensor_core(void **state)
{
    const char *half =
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " SUMS "," WORDS8 "," WORDS8 "," SUMS ";";
    const char *tf32 = "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " SUMS "," WORDS4
                       "," WORDS4 "," SUMS ";";
    const char *bytes = "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 " WORDS8
                        ",{%r8,%r9},{%r10,%r11}," WORDS8 ";";
    const char *wide = "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%d0,%d1},{%d2},{%d3},"
                       "{%d0,%d1};";
    (void)state;
    assert_int_equal(issued(half, FW_MACHINE_HMMA), 2);
    assert_int_equal(issued(tf32, FW_MACHINE_HMMA), 4);
    assert_int_equal(issued(bytes, FW_MACHINE_IMMA), 2);
    assert_int_equal(issued(wide, FW_MACHINE_DMMA), 1);
}

static void factors_of_tf32_keep_the_bits_that_no_product_sees(void **state)
{
    const char *factor =
        "cvt.rna.tf32.f32 %r0,%f0;\nwmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " SUMS
        "," WORDS4 "," WORDS4 "," SUMS ";";
    const char *stored = "cvt.rna.tf32.f32 %r0,%f0;\nst.global.u32 [%p],%r0;";
    (void)state;
    assert_int_equal(issued(factor, FW_MACHINE_LOP3), 0);
    assert_int_equal(issued(stored, FW_MACHINE_LOP3), 1);
}

/* ---- every row of the study ---- */

/* What a fragment becomes: loads and stores by their machine operation, what turns elements or puts
 * them together, and all else, which makes addresses. */
struct becomes {
    unsigned moves[FW_MACHINE_COUNT], turns, parts, others;
};

/* Adds `count` of what ptxas calls `name`: "LDG.E.64", "LDSM.16.MT88.4", "LDS.U8". */
static void add(struct becomes *to, const char *name, unsigned count)
{
    char plain[32];
    const bool memory = strncmp(name, "LD", 2) == 0 || strncmp(name, "ST", 2) == 0;
    snprintf(plain, sizeof(plain), "%.*s%s", (int)strcspn(name, "."), name,
             strncmp(name, "LDSM", 4) == 0   ? ""
             : memory && strstr(name, ".64") ? ".64"
             : strstr(name, ".128")          ? ".128"
                                             : "");
    if (strcmp(plain, "MOVM") == 0)
        to->turns += count;
    else if (strcmp(plain, "PRMT") == 0)
        to->parts += count;
    else if (!memory)
        to->others += count;
    for (enum fw_machine m = 0; m < FW_MACHINE_COUNT && memory; m++)
        if (strcmp(fw_machine_text(m), plain) == 0)
            to->moves[m] += count;
}

static void add_measured(struct becomes *to, char *list)
{
    for (char *name = strtok(list, " \n"); name; name = strtok(NULL, " \n")) {
        char *times = strchr(name, '*');
        assert_non_null(times);
        *times = '\0';
        add(to, name, (unsigned)strtoul(times + 1, NULL, 10));
    }
}

static void add_lowered(struct becomes *to, const char *text)
{
    struct fw_buffer all = module_of(text);
    struct fw_arena *arena = all.arena;
    struct fw_source source = {"lowered", all.text, all.length};
    struct fw_module *module;
    struct fw_lowering *lowering;
    assert_int_equal(fw_ptx_read(&module, arena, &source, NULL), FW_OK);
    struct fw_function *function = fw_module_kernel(module, "k");
    assert_int_equal(fw_ir_prepare(arena, function, FW_IR_MOST_INSTRUCTIONS, NULL), FW_OK);
    assert_int_equal(fw_lower(&lowering, arena, function, 90), FW_OK);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (unsigned c = 0;
             function->instructions[i].opcode == FW_OP_WMMA && c < lowering->instructions[i].count;
             c++)
            add(to, fw_machine_text(lowering->instructions[i].at[c].operation),
                lowering->instructions[i].at[c].count);
    fw_arena_free(arena);
}

/* Registers of a lane: half precision is held twice in factors. */
static unsigned registers_of(bool sums, const char *type, unsigned side)
{
    static const struct {
        const char *type;
        unsigned factors, sums;
    } types[] = {{"f16", 8, 4}, {"tf32", 4, 0}, {"f32", 0, 8}, {"s32", 0, 8}, {"f64", 1, 2}};
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        if (strcmp(types[t].type, type) == 0)
            return sums ? types[t].sums : types[t].factors;
    return side / 8; /* bytes, 16 deep */
}

/* The instruction of a row: kind, order, shape, type, space. */
static void write_fragment(char *text, size_t room, char *const row[5])
{
    const bool sums = row[0][0] == 'c' || row[0][0] == 'd', stores = row[0][0] == 'd';
    const char letter = strcmp(row[3], "f64") == 0 ? 'd' : strcmp(row[3], "f32") == 0 ? 'f' : 'r';
    const char *place = strcmp(row[4], "shared") == 0 ? "[%s]" : "[%p]";
    const bool named = strcmp(row[4], "generic") != 0;
    unsigned rows = 0, columns = 0;
    char list[100] = "{", operands[200];
    assert_int_equal(sscanf(row[2], "m%un%u", &rows, &columns), 2);
    const unsigned count = registers_of(sums, row[3], row[0][0] == 'a' ? rows : columns);
    for (unsigned r = 0; r < count; r++) {
        const size_t length = strlen(list);
        snprintf(list + length, sizeof(list) - length, "%%%c%u%c", letter, r,
                 r + 1 < count ? ',' : '}');
    }
    snprintf(operands, sizeof(operands), "%s,%s", stores ? place : list, stores ? list : place);
    snprintf(text, room, "wmma.%s.%s.sync.aligned.%s.%s%s%s.%s %s,%%n;", stores ? "store" : "load",
             row[0], row[1], row[2], named ? "." : "", named ? row[4] : "", row[3], operands);
}

static void all_fragments_are_what_ptxas_makes_of_them(void **state)
{
    char path[4096], line[400];
    const char *root = getenv("FOREWARP_SOURCE");
    unsigned rows = 0, moves = 0, others[2] = {0, 0};
    (void)state;
    snprintf(path, sizeof(path), "%s/data/lowering/fragments.txt", root ? root : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        static struct becomes measured, lowered;
        char *row[6], text[400], shown[400];
        size_t columns = 0;
        snprintf(shown, sizeof(shown), "%s", line);
        for (char *at = line, *bar; columns < 6; at = bar + 3) {
            row[columns++] = at;
            bar = strstr(at, " | ");
            if (!bar)
                break;
            *bar = '\0';
        }
        if (columns < 6 || strlen(row[0]) != 1)
            continue;
        memset(&measured, 0, sizeof(measured));
        memset(&lowered, 0, sizeof(lowered));
        write_fragment(text, sizeof(text), row);
        add_measured(&measured, row[5]);
        add_lowered(&lowered, text);
        for (enum fw_machine m = 0; m < FW_MACHINE_COUNT; m++) {
            moves += measured.moves[m];
            if (measured.moves[m] != lowered.moves[m])
                fail_msg("%s%u %s", shown, lowered.moves[m], fw_machine_text(m));
        }
        if (measured.turns != lowered.turns || measured.parts != lowered.parts)
            fail_msg("%s%u MOVM, %u PRMT", shown, lowered.turns, lowered.parts);
        /* One instruction of the study makes the fragment's own address, but in shared memory. */
        others[0] += measured.others - (strcmp(row[4], "shared") != 0);
        others[1] += lowered.others;
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 228);
    assert_true(moves > 2 * rows);
    /* Addresses go by a rule. */
    assert_true(fabs((double)others[1] / others[0] - 1) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_loaded_by_words),
        cmocka_unit_test(sums_lie_in_pairs_along_a_row),
        cmocka_unit_test(products_are_several_of_the_tensor_core),
        cmocka_unit_test(factors_of_tf32_keep_the_bits_that_no_product_sees),
        cmocka_unit_test(all_fragments_are_what_ptxas_makes_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
