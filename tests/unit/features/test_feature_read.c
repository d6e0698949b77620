/* Identifiers of features: what each part asks for, and what is refused. */
#include "feature.h"
#include "text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct heard {
    unsigned errors;
    char code[8];
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct heard *heard = user;
    heard->errors++;
    strncpy(heard->code, diagnostic->code, sizeof(heard->code) - 1);
}

static int set_up(void **state)
{
    *state = fw_arena_new((size_t)1 << 28);
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    fw_arena_free(*state);
    return 0;
}

static struct fw_feature read_of(struct fw_arena *arena, const char *text)
{
    struct fw_feature feature;
    struct heard heard = {0};
    const struct fw_sink sink = {hear, &heard};
    if (fw_feature_read(&feature, arena, text, (struct fw_span){0}, &sink))
        fail_msg("%s is refused", text);
    assert_int_equal(heard.errors, 0);
    assert_string_equal(feature.name, text);
    return feature;
}

static void refused(struct fw_arena *arena, const char *text)
{
    struct fw_feature feature;
    struct heard heard = {0};
    const struct fw_sink sink = {hear, &heard};
    if (fw_feature_read(&feature, arena, text, (struct fw_span){0}, &sink) != FW_ERROR_INPUT)
        fail_msg("%.60s is taken", text);
    assert_int_equal(heard.errors, 1);
    assert_string_equal(heard.code, "FEAT001");
}

static void words_are_the_tables(void **state)
{
    static const struct {
        const char *text;
        enum fw_feature_kind kind;
        enum fw_feature_of of;
        bool code; /* compiled code alone tells it */
    } rows[] = {{"f_op", FW_FEATURE_OPERATION, 0, false},
                {"f_mem_access", FW_FEATURE_MEMORY, 0, false},
                {"f_sync_barrier_local", FW_FEATURE_BARRIER, 0, false},
                {"f_sync_kernel_launch", FW_FEATURE_KERNEL_LAUNCH, 0, false},
                {"f_thread_groups", FW_FEATURE_THREAD_GROUPS, 0, false},
                {"f_sub_groups", FW_FEATURE_SUB_GROUPS, 0, false},
                {"f_threads", FW_FEATURE_THREADS, 0, false},
                {"f_flops", FW_FEATURE_FLOPS, 0, false},
                {"f_issued", FW_FEATURE_ISSUED, 0, true},
                {"f_machine_FFMA", FW_FEATURE_MACHINE, 0, true},
                {"f_sectors_load", FW_FEATURE_SECTORS, FW_FEATURE_OF_LOADS, true},
                {"f_sectors_store", FW_FEATURE_SECTORS, FW_FEATURE_OF_STORES, true},
                {"f_sectors_part", FW_FEATURE_SECTORS, FW_FEATURE_OF_PARTS, true},
                {"f_lines_load", FW_FEATURE_LINES, FW_FEATURE_OF_LOADS, true},
                {"f_lines_store", FW_FEATURE_LINES, FW_FEATURE_OF_STORES, true},
                {"f_atomic_passes", FW_FEATURE_ATOMICS, FW_FEATURE_OF_ALL, true},
                {"f_atomic_slice", FW_FEATURE_ATOMICS, FW_FEATURE_OF_SLICE, true},
                {"f_chain", FW_FEATURE_CHAIN, FW_FEATURE_OF_ALL, true},
                {"f_chain_fma", FW_FEATURE_CHAIN, FW_FEATURE_OF_ALL, true},
                {"f_chain_load", FW_FEATURE_CHAIN, FW_FEATURE_OF_LOADS, true},
                {"f_chain_shared", FW_FEATURE_CHAIN, FW_FEATURE_OF_SHARED, true},
                {"f_wavefronts_global", FW_FEATURE_WAVEFRONTS, FW_FEATURE_OF_GLOBAL, true},
                {"f_wavefronts_shared", FW_FEATURE_WAVEFRONTS, FW_FEATURE_OF_SHARED, true},
                {"f_bytes_l2_to_l1", FW_FEATURE_VOLUME, FW_FEATURE_OF_L2_TO_L1, true},
                {"f_bytes_l1_to_l2", FW_FEATURE_VOLUME, FW_FEATURE_OF_L1_TO_L2, true},
                {"f_bytes_dram_read", FW_FEATURE_VOLUME, FW_FEATURE_OF_DRAM_READ, true},
                {"f_bytes_dram_write", FW_FEATURE_VOLUME, FW_FEATURE_OF_DRAM_WRITE, true},
                {"f_occupancy", FW_FEATURE_OCCUPANCY, 0, true},
                {"f_waves", FW_FEATURE_WAVES, 0, true},
                {"f_registers", FW_FEATURE_REGISTERS, 0, true},
                {"f_cl_wall_time_nvidia_geforce", FW_FEATURE_MEASURED, 0, false},
                {"f_cuda_wall_time", FW_FEATURE_MEASURED, 0, false},
                {"f_seconds_h200", FW_FEATURE_MEASURED, 0, false},
                {"f_watts", FW_FEATURE_MEASURED, 0, false},
                {"f_joules_of_mine", FW_FEATURE_MEASURED, 0, false}};
    bool seen[FW_FEATURE_KIND_COUNT] = {false};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        struct fw_feature feature = read_of(*state, rows[r].text);
        if (feature.kind != rows[r].kind || feature.of != rows[r].of ||
            fw_feature_needs_code(feature.kind) != rows[r].code)
            fail_msg("%s", rows[r].text);
        seen[feature.kind] = true;
    }
    seen[FW_FEATURE_OWN] = true; /* whatever the caller calls them */
    for (int k = 0; k < FW_FEATURE_KIND_COUNT; k++) {
        const struct fw_feature_about *about = fw_feature_about((enum fw_feature_kind)k);
        assert_true(seen[k]);
        assert_true(*about->identifier && *about->granularity && *about->layer && *about->about);
    }
}

static void operations_have_a_type_and_a_name(void **state)
{
    struct fw_feature feature = read_of(*state, "f_op_float32_madd");
    assert_int_equal(feature.type, FW_TYPE_F32);
    assert_string_equal(feature.name_of, "madd");
    feature = read_of(*state, "f_op_f32");
    assert_int_equal(feature.type, FW_TYPE_F32);
    assert_null(feature.name_of);
    feature = read_of(*state, "f_op_func:sqrt_f64"); /* in the other order, as statistics say it */
    assert_int_equal(feature.type, FW_TYPE_F64);
    assert_string_equal(feature.name_of, "sqrt");
    static const struct {
        const char *text;
        enum fw_type type;
    } types[] = {{"f_op_int64_add", FW_TYPE_S64},       {"f_op_s64_add", FW_TYPE_S64},
                 {"f_op_uint8_add", FW_TYPE_U8},        {"f_op_bfloat16_add", FW_TYPE_BF16},
                 {"f_op_bf16_add", FW_TYPE_BF16},       {"f_op_float16_add", FW_TYPE_F16},
                 {"f_mem_access_float64", FW_TYPE_F64}, {"f_mem_access_b32", FW_TYPE_B32}};
    for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
        assert_int_equal(read_of(*state, types[t].text).type, types[t].type);
    feature = read_of(*state, "f_issued_fma");
    assert_string_equal(feature.name_of, "fma");
    feature = read_of(*state, "f_machine_IMAD.WIDE");
    assert_string_equal(feature.name_of, "IMAD.WIDE");
}

static void a_limit_is(const struct fw_feature_limit *limit, enum fw_feature_relation relation,
                       int64_t factor, const char *parameter)
{
    assert_int_equal(limit->relation, relation);
    if (relation == FW_FEATURE_ANY)
        return;
    assert_int_equal(limit->factor, factor);
    if (parameter)
        assert_string_equal(limit->parameter, parameter);
    else
        assert_null(limit->parameter);
}

/* The paper's longest, in its order and in others. */
static void accesses_have_parts_in_any_order(void **state)
{
    static const char *const texts[] = {
        "f_mem_access_tag:aLD_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:<n*16}_afr:>1",
        "f_mem_access_afr:>1_gstrides:{0:<16*n}_lstrides:{1:>15;0:1}_load_float32_global_tag:aLD",
        "f_mem_access_load_afr:>1_tag:aLD_f32_x_lstrides:{0:=1,1:>15}_f32_gstrides:{0:<n*4*4}_"
        "global"};
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++) {
        struct fw_feature feature = read_of(*state, texts[t]);
        assert_int_equal(feature.kind, FW_FEATURE_MEMORY);
        assert_int_equal(feature.space, FW_SPACE_GLOBAL);
        assert_int_equal(feature.type, FW_TYPE_F32);
        assert_true(feature.loads && !feature.stores && !feature.atomics);
        assert_string_equal(feature.tag, t < 2 ? "aLD" : "aLD_f32_x");
        assert_null(feature.array);
        a_limit_is(&feature.thread_strides[0], FW_FEATURE_EQUAL, 1, NULL);
        a_limit_is(&feature.thread_strides[1], FW_FEATURE_GREATER, 15, NULL);
        a_limit_is(&feature.thread_strides[2], FW_FEATURE_ANY, 0, NULL);
        a_limit_is(&feature.block_strides[0], FW_FEATURE_LESS, 16, "n");
        a_limit_is(&feature.block_strides[1], FW_FEATURE_ANY, 0, NULL);
        a_limit_is(&feature.ratio, FW_FEATURE_GREATER, 1, NULL);
    }
}

static void limits_are_numbers_and_parameters(void **state)
{
    static const struct {
        const char *text;
        enum fw_feature_relation relation;
        int64_t factor;
        const char *parameter;
    } rows[] = {{"0", FW_FEATURE_EQUAL, 0, NULL},
                {"-3", FW_FEATURE_EQUAL, -3, NULL},
                {"<=n", FW_FEATURE_LESS_EQUAL, 1, "n"},
                {">=-2*n_rows", FW_FEATURE_GREATER_EQUAL, -2, "n_rows"},
                {"<_x1*8*2", FW_FEATURE_LESS, 16, "_x1"},
                {"=9223372036854775807", FW_FEATURE_EQUAL, INT64_MAX, NULL},
                {">-9223372036854775808", FW_FEATURE_GREATER, INT64_MIN, NULL}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        const char *strides = fw_arena_printf(*state, "f_mem_access_gstrides:{2:%s}", rows[r].text);
        const char *ratio = fw_arena_printf(*state, "f_mem_access_afr:%s", rows[r].text);
        struct fw_feature feature = read_of(*state, strides);
        a_limit_is(&feature.block_strides[2], rows[r].relation, rows[r].factor, rows[r].parameter);
        feature = read_of(*state, ratio);
        a_limit_is(&feature.ratio, rows[r].relation, rows[r].factor, rows[r].parameter);
    }
}

static void spaces_and_directions(void **state)
{
    assert_int_equal(read_of(*state, "f_mem_access_local").space, FW_SPACE_SHARED);
    assert_int_equal(read_of(*state, "f_mem_access_shared").space, FW_SPACE_SHARED);
    assert_int_equal(read_of(*state, "f_mem_access_const").space, FW_SPACE_CONST);
    struct fw_feature feature = read_of(*state, "f_mem_access_store");
    assert_true(feature.stores && !feature.loads && !feature.atomics);
    feature = read_of(*state, "f_mem_access_atomic");
    assert_true(feature.atomics && !feature.loads && !feature.stores);
    feature = read_of(*state, "f_mem_access_load_store"); /* either of them */
    assert_true(feature.loads && feature.stores && !feature.atomics);
}

/* Names go on over underscores until a part begins; a word that only begins like one is the
 * name's. */
static void names_may_have_underscores(void **state)
{
    static const struct {
        const char *text, *array, *tag;
        bool loads;
    } rows[] = {{"f_mem_access_array:a_fetch", "a_fetch", NULL, false},
                {"f_mem_access_array:a_fetch_load", "a_fetch", NULL, true},
                {"f_mem_access_array:a_loaded_load", "a_loaded", NULL, true},
                {"f_mem_access_array:x_global_id", NULL, NULL, false}, /* a part "id" */
                {"f_mem_access_array:row_integral_float32_load", "row_integral", NULL, true},
                {"f_mem_access_array:_x__y_", "_x__y_", NULL, false},
                {"f_mem_access_array:in_float_load", "in_float", NULL, true},
                {"f_mem_access_tag:the_first_array:b_2_load", "b_2", "the_first", true},
                {"f_mem_access_array:b_2_tag:t_1_load_afr:1", "b_2", "t_1", true}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        if (!rows[r].array) {
            refused(*state, rows[r].text);
            continue;
        }
        struct fw_feature feature = read_of(*state, rows[r].text);
        assert_string_equal(feature.array, rows[r].array);
        if (rows[r].tag)
            assert_string_equal(feature.tag, rows[r].tag);
        else
            assert_null(feature.tag);
        assert_int_equal(feature.loads, rows[r].loads);
    }
}

static void what_names_nothing_is_refused(void **state)
{
    static const char *const texts[] = {
        "", "f", "f_", "f_times", "madd", "f_ops", "f_threadss", "f_memory", "F_op",
        /* operations */
        "f_op_", "f_op__madd", "f_op_float32_madd_", "f_op_float32_float64", "f_op_f32_madd_f32",
        "f_op_add_mul", "f_op_func:", "f_op_func:_float32",
        /* parts of accesses */
        "f_mem_access_", "f_mem_access__load", "f_mem_access_load_", "f_mem_access_q",
        "f_mem_access_float33", "f_mem_access_float", "f_mem_access_float32_float64",
        "f_mem_access_f32_float32", "f_mem_access_global_local",
        "f_mem_access_tag:", "f_mem_access_tag:a_tag:b",
        "f_mem_access_array:", "f_mem_access_array:a_array:b", "f_mem_access_tag",
        "f_mem_access_loads", "f_mem_accessload",
        /* constraints */
        "f_mem_access_lstrides:", "f_mem_access_lstrides:{", "f_mem_access_lstrides:{0:1",
        "f_mem_access_lstrides:0:1", "f_mem_access_lstrides:{3:1}", "f_mem_access_lstrides:{-1:1}",
        "f_mem_access_lstrides:{0}", "f_mem_access_lstrides:{0:}",
        "f_mem_access_lstrides:{0:1;0:2}", "f_mem_access_lstrides:{0:1;;1:2}",
        "f_mem_access_lstrides:{0:1}x", "f_mem_access_lstrides:{0:1}_lstrides:{0:2}",
        "f_mem_access_lstrides:{ 0:1}", "f_mem_access_lstrides:{0:!1}",
        "f_mem_access_lstrides:{0:<>1}", "f_mem_access_lstrides:{0:n*m}",
        "f_mem_access_lstrides:{0:n*}", "f_mem_access_lstrides:{0:*n}",
        "f_mem_access_lstrides:{0:16n}", "f_mem_access_lstrides:{0:1.5}",
        "f_mem_access_lstrides:{0:- 1}", "f_mem_access_lstrides:{0:n+1}",
        "f_mem_access_lstrides:{0:9223372036854775808}",
        "f_mem_access_lstrides:{0:4294967296*4294967296}", "f_mem_access_afr",
        "f_mem_access_afr:", "f_mem_access_afr:>", "f_mem_access_afr:>1>2", "f_mem_access_afr:{>1}",
        "f_mem_access_afr:>1_afr:<2",
        /* one word, and more behind it */
        "f_sync_barrier_global", "f_sync_barrier_local_x", "f_flops_float32", "f_issued_",
        "f_issuedalu", "f_machine", "f_machine_", "f_sectors", "f_bytes_dram", "f_wavefronts_local",
        "f_secondss"};
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
        refused(*state, texts[t]);
}

/* `count` copies of `part` between two texts. */
static char *repeated(const char *before, const char *part, size_t count, const char *after)
{
    size_t length = strlen(part), at = strlen(before);
    char *text = malloc(at + count * length + strlen(after) + 1);
    assert_non_null(text);
    memcpy(text, before, at);
    for (size_t c = 0; c < count; c++, at += length)
        memcpy(text + at, part, length);
    memcpy(text + at, after, strlen(after) + 1);
    return text;
}

static void long_input_takes_no_longer_than_its_length(void **state)
{
    enum { MANY = 200000 };
    static const struct {
        const char *before, *part, *after;
        bool taken;
    } rows[] = {{"f_mem_access", "_load", "", true},
                {"f_mem_access", "_tag:a", "", false},
                {"f_mem_access_array:", "_x", "_load", true},
                {"f_mem_access_array:a", "_loa", "_load", true},
                {"f_mem_access_lstrides:", "{", "", false},
                {"f_mem_access_lstrides:{0:n", "*1", "}", true},
                {"f_mem_access_lstrides:{0:2", "*2", "}", false},
                {"f_mem_access_lstrides:{0:1", ";", "}", false},
                {"f_mem_access_afr:", "<", "1", false},
                {"f_mem_access_afr:", "1", "", false},
                {"f_op", "_madd", "", false},
                {"f_op_", "m", "", true},
                {"f_machine_", ".", "", true},
                {"f_seconds", "_", "", true},
                {"", "f_", "", false}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        char *text = repeated(rows[r].before, rows[r].part, MANY, rows[r].after);
        struct fw_feature feature;
        enum fw_status status = fw_feature_read(&feature, *state, text, (struct fw_span){0}, NULL);
        if (status != (rows[r].taken ? FW_OK : FW_ERROR_INPUT))
            fail_msg("%s, many %s", rows[r].before, rows[r].part);
        free(text);
        fw_arena_reset(*state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_the_tables),
        cmocka_unit_test(operations_have_a_type_and_a_name),
        cmocka_unit_test(accesses_have_parts_in_any_order),
        cmocka_unit_test(limits_are_numbers_and_parameters),
        cmocka_unit_test(spaces_and_directions),
        cmocka_unit_test(names_may_have_underscores),
        cmocka_unit_test(what_names_nothing_is_refused),
        cmocka_unit_test(long_input_takes_no_longer_than_its_length),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
