/* Predictions from emulated blocks: what is taken from them, what is not, and for how long. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thread i, but for the last 96, runs trips[i % 32] iterations of 8 chained products, and of one
 * load from a row of out.
 */
static const char loops[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry loops(.param .u64 trips, .param .u64 out)\n{\n"
    ".reg .pred %p<3>;\n.reg .f32 %f<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    ".file 1 \"loops.cu\"\n"
    "ld.param.u64 %rd1, [trips];\nld.param.u64 %rd2, [out];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r6, %r5, 256, %r1;\n"
    "setp.ge.u32 %p2, %r6, 2559904;\n@%p2 bra END;\nand.b32 %r2, %r1, 31;\nmul.wide.u32 %rd3, %r2, "
    "4;\n"
    "add.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r3, [%rd4];\nmov.u32 %r4, 0;\n"
    "mov.f32 %f1, 0f3F800001;\nmov.f32 %f2, 0f3F800001;\n"
    "mul.wide.u32 %rd5, %r6, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "L:\n.loc 1 7 0\n"
    "ld.global.f32 %f3, [%rd6];\nadd.f32 %f1, %f1, %f3;\nadd.s64 %rd6, %rd6, 10240000;\n"
    "mul.f32 %f1, %f1, %f2;\nmul.f32 %f1, %f1, %f2;\nmul.f32 %f1, %f1, %f2;\n"
    "mul.f32 %f1, %f1, %f2;\nmul.f32 %f1, %f1, %f2;\nmul.f32 %f1, %f1, %f2;\n"
    "mul.f32 %f1, %f1, %f2;\nmul.f32 %f1, %f1, %f2;\n"
    "add.s32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra L;\n"
    "st.global.f32 [%rd2], %f1;\nEND:\nret;\n}\n";

/* Each of 2560000 threads adds 1 to votes[places[i]]. */
static const char voting[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry voting(.param .u64 places, .param .u64 votes)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [places];\nld.param.u64 %rd2, [votes];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r6, %r5, 256, %r1;\n"
    "mul.wide.u32 %rd3, %r6, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r3, [%rd4];\n"
    "mul.wide.u32 %rd5, %r3, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
    "atom.global.add.u32 %r7, [%rd6], 1;\nret;\n}\n";

/* Warps whose flag is less than 8000 run a chain of 1000 products. */
static const char some[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry some(.param .u64 flags, .param .u64 out)\n{\n"
    ".reg .pred %p<3>;\n.reg .f32 %f<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    ".file 1 \"some.cu\"\n"
    "ld.param.u64 %rd1, [flags];\nld.param.u64 %rd2, [out];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r6, %r5, 256, %r1;\n"
    "shr.u32 %r2, %r6, 5;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "ld.global.u32 %r3, [%rd4];\nsetp.ge.u32 %p2, %r3, 8000;\n.loc 1 7 0\n@%p2 bra END;\n"
    "mov.u32 %r4, 0;\nmov.f32 %f1, 0f3F800001;\nL:\nmul.f32 %f1, %f1, %f1;\n"
    "add.s32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 1000;\n@%p1 bra L;\n"
    "st.global.f32 [%rd2], %f1;\nEND:\nret;\n}\n";

/* Each thread adds up 16 words from table[starts[i]] on. */
static const char walking[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry walking(.param .u64 starts, .param .u64 table, .param .u64 out)\n{\n"
    ".reg .pred %p<3>;\n.reg .f32 %f<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<12>;\n"
    "ld.param.u64 %rd1, [starts];\nld.param.u64 %rd2, [table];\nld.param.u64 %rd3, [out];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r6, %r5, 256, %r1;\n"
    "mul.wide.u32 %rd4, %r6, 4;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r3, [%rd5];\n"
    "mul.wide.u32 %rd6, %r3, 4;\nadd.s64 %rd7, %rd2, %rd6;\nmov.u32 %r4, 0;\n"
    "mov.f32 %f1, 0f00000000;\nL:\nld.global.f32 %f3, [%rd7];\nadd.f32 %f1, %f1, %f3;\n"
    "add.s64 %rd7, %rd7, 4;\nadd.s32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 16;\n@%p1 bra L;\n"
    "add.s64 %rd8, %rd3, %rd4;\nst.global.f32 [%rd8], %f1;\nret;\n}\n";

struct bench {
    struct fw_context *context;
    struct fw_program *program;
    struct fw_worker *worker;
    struct fw_device *device;
    char code[16];
};

static void hear(void *user, const struct fw_message *message)
{
    struct bench *bench = user;
    if (message->severity == FW_MESSAGE_ERROR)
        snprintf(bench->code, sizeof(bench->code), "%s", message->code);
}

static int set_up_with(void **state, const char *text)
{
    static struct bench bench;
    const struct fw_kernel *kernel;
    struct fw_context_options options = {.size = sizeof(options),
                                         .data = getenv("FOREWARP_SOURCE"),
                                         .message = hear,
                                         .user = &bench};
    struct fw_program_options language = {.size = sizeof(language), .language = FW_PROGRAM_PTX};
    memset(&bench, 0, sizeof(bench));
    *state = &bench;
    if (fw_context_new(&bench.context, &options) ||
        fw_context_device(&bench.device, bench.context, "h200") ||
        fw_program_parse(&bench.program, bench.context, "loops.ptx", text, strlen(text),
                         &language) ||
        fw_program_kernel(&kernel, bench.program, NULL) ||
        fw_worker_new(&bench.worker, bench.program, kernel))
        return -1;
    fw_worker_set_grid(bench.worker, 10000, 1, 1);
    fw_worker_set_block(bench.worker, 256, 1, 1);
    return 0;
}

static int set_up(void **state)
{
    return set_up_with(state, loops);
}

static int set_up_voting(void **state)
{
    return set_up_with(state, voting);
}

static int set_up_some(void **state)
{
    return set_up_with(state, some);
}

static int set_up_walking(void **state)
{
    return set_up_with(state, walking);
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    fw_worker_free(bench->worker);
    fw_program_free(bench->program);
    fw_context_device_free(bench->device);
    fw_context_free(bench->context);
    return 0;
}

/* Predicts with these contents (NULL: without emulating). */
static const struct fw_answer *predict(struct bench *bench, const char *content)
{
    const struct fw_answer *answer;
    struct fw_emulate_settings emulate = {
        .size = sizeof(emulate), .arguments = &content, .argument_count = 1};
    struct fw_predict_settings settings = {.size = sizeof(settings),
                                           .models = "roofline,traffic",
                                           .emulate = content ? &emulate : NULL};
    assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings), FW_OK);
    return answer;
}

/* The one branch, loop or array that is not known; a length that it follows from stands before it.
 */
static const struct fw_unknown_row *unknown_of(const struct fw_answer *answer)
{
    bool length = answer->unknown_count && strcmp(answer->unknowns[0].kind, "length") == 0;
    assert_int_equal(answer->unknown_count, length ? 2 : 1);
    return &answer->unknowns[length ? 1 : 0];
}

static double issued(const struct fw_answer *answer)
{
    const struct fw_prediction *last = &answer->predictions[answer->prediction_count - 1];
    assert_string_equal(last->model, "roofline");
    for (size_t t = 0; t < last->term_count; t++)
        if (strcmp(last->terms[t].name, "issue") == 0)
            return last->terms[t].amount;
    fail_msg("no issue");
    return 0;
}

static double quantity(const struct fw_answer *answer, const char *key)
{
    for (size_t q = 0; q < answer->predictions[0].quantity_count; q++)
        if (strcmp(answer->predictions[0].quantities[q].kind->key, key) == 0)
            return answer->predictions[0].quantities[q].value;
    fail_msg("no %s", key);
    return 0;
}

static void measured_values_are_used_once(void **state)
{
    struct bench *bench = *state;
    const struct fw_answer *answer = predict(bench, NULL);
    const double usual = issued(answer);
    assert_string_equal(unknown_of(answer)->source, "default");
    assert_null(answer->emulation);
    answer = predict(bench, "trips=u32[32]:value(40)");
    assert_string_equal(unknown_of(answer)->source, "emulated");
    assert_true(unknown_of(answer)->value == 40);
    assert_int_equal(unknown_of(answer)->blocks, answer->emulation->blocks_run);
    assert_int_equal(unknown_of(answer)->observations, 256 * answer->emulation->blocks_run - 96);
    assert_true(issued(answer) > 1.5 * usual);
    answer = predict(bench, NULL); /* the launch is the user's again */
    assert_string_equal(unknown_of(answer)->source, "default");
    assert_true(issued(answer) == usual);
}

static void what_is_stated_stays(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(fw_worker_bind(bench->worker, "trips@loops.cu:7=5"), FW_OK);
    const struct fw_answer *answer = predict(bench, "trips=u32[32]:value(40)");
    assert_string_equal(unknown_of(answer)->source, "stated");
    assert_true(unknown_of(answer)->value == 5);
}

static void what_depends_on_other_contents_keeps_its_default(void **state)
{
    struct bench *bench = *state;
    const struct fw_answer *answer = predict(bench, "out=f32[256M]:zero");
    assert_string_equal(unknown_of(answer)->source, "default");
    assert_non_null(strstr(unknown_of(answer)->kept, "trips"));
}

/* One lane in 32 runs 64 iterations, the others 1: a thread's mean is 2.97, and each warp issues
 * 64, and asks for as many rows. */
static void warps_issue_as_often_as_their_longest_thread(void **state)
{
    struct bench *bench = *state;
    const struct fw_answer *answer = predict(bench, "trips=u32[32]:value(64)");
    const double all = issued(answer), sectors = quantity(answer, "global_load_sectors");
    const double moved = quantity(answer, "l2_to_l1_bytes");
    answer = predict(bench, "trips=u32[32]:ramp(1,0,0)");
    const double one = issued(answer);
    FILE *file = fopen("sample.npy", "wb");
    assert_non_null(file);
    fprintf(file, "%cNUMPY%c%cv%c%-117s\n", 0x93, 1, 0, 0,
            "{'descr': '<u4', 'fortran_order': False, 'shape': (32,), }");
    for (unsigned i = 0; i < 32; i++) {
        const unsigned char trips[4] = {i == 9 ? 64 : 1};
        assert_int_equal(fwrite(trips, 1, 4, file), 4);
    }
    assert_int_equal(fclose(file), 0);
    answer = predict(bench, "trips=@sample.npy");
    remove("sample.npy");
    assert_true(fabs(unknown_of(answer)->value - 95.0 / 32) < 1e-9);
    assert_true(unknown_of(answer)->has_warps);
    assert_true(unknown_of(answer)->warps == 64);
    assert_true(one < 0.2 * all);
    assert_true(fabs(issued(answer) / all - 1) < 1e-6);
    assert_true(fabs(quantity(answer, "global_load_sectors") / sectors - 1) < 0.02);
    assert_true(fabs(quantity(answer, "l2_to_l1_bytes") / moved - 1) < 0.02);
}

static void blocks_of_the_sample_are_the_stated_number(void **state)
{
    struct bench *bench = *state;
    const char *content = "trips=u32[32]:value(2)";
    const struct fw_answer *answer;
    struct fw_emulate_settings emulate = {
        .size = sizeof(emulate), .arguments = &content, .argument_count = 1};
    struct fw_predict_settings settings = {.size = sizeof(settings), .emulate = &emulate};
    static const uint64_t numbers[] = {1, 2, 3, 7, 64, 9999, 10000, 20000};
    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
        emulate.blocks = numbers[n];
        assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings),
                         FW_OK);
        assert_int_equal(answer->emulation->blocks_run, numbers[n] < 10000 ? numbers[n] : 10000);
        assert_true(unknown_of(answer)->value == 2);
    }
    emulate.every = 2;
    assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings),
                     FW_ERROR_USAGE);
    assert_string_equal(bench->code, "API017");
    emulate = (struct fw_emulate_settings){.size = 0};
    assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings),
                     FW_ERROR_USAGE);
    assert_string_equal(bench->code, "API009");
}

/* Of the seconds that atomic operations take, with the places 0, 1, 2, ... and in another order. */
static void addresses_are_those_of_the_sample(void **state)
{
    static const char *const contents[2][2] = {
        {"places=u32[2560000]:index", "votes=u32[2560000]:zero"},
        {"places=u32[2560000]:permutation", "votes=u32[2560000]:zero"}};
    struct bench *bench = *state;
    double seconds[2];
    for (int c = 0; c < 2; c++) {
        const struct fw_answer *answer;
        struct fw_emulate_settings emulate = {
            .size = sizeof(emulate), .arguments = contents[c], .argument_count = 2};
        struct fw_predict_settings settings = {
            .size = sizeof(settings), .models = "trace", .emulate = &emulate};
        assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings),
                         FW_OK);
        seconds[c] = answer->predictions[0].seconds;
    }
    assert_true(seconds[1] > 3 * seconds[0]);
}

/* A tenth of the warps run a chain: all of every tenth block, whose place is soon free again, or
 * some of more than half of the blocks, each of which keeps its place as long.  How many blocks do
 * is not known from few of them. */
static void blocks_do_what_others_do_not(void **state)
{
    static const char *const contents[] = {
        "flags=u32[80000]:index", "flags=u32[80000]:random(0,80000)", "flags=u32[80000]:value(1)"};
    struct bench *bench = *state;
    double seconds[3];
    for (int c = 0; c < 3; c++) {
        const struct fw_answer *answer;
        struct fw_emulate_settings emulate = {
            .size = sizeof(emulate), .arguments = &contents[c], .argument_count = 1};
        struct fw_predict_settings settings = {
            .size = sizeof(settings), .models = "trace", .emulate = &emulate};
        assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings),
                         FW_OK);
        assert_int_equal(answer->unknown_count, 1);
        assert_true(fabs(unknown_of(answer)->value - (c < 2 ? 0.9 : 0)) < 0.02);
        assert_true((answer->emulation->blocks_run > 64) == (c == 0));
        seconds[c] = answer->predictions[0].seconds;
    }
    assert_true(seconds[0] < 0.7 * seconds[1]);
    assert_true(seconds[0] < 0.2 * seconds[2]);
}

/* A tenth of the warps run a chain, by 512 of which their share is known to 0.013.  Before the
 * chain's loop all blocks can tell it. */
static void branches_before_loops_are_counted_in_more_blocks(void **state)
{
    const char *content = "flags=u32[80000]:ramp(0,0,80000)"; /* i * 7919 mod 80000 */
    struct bench *bench = *state;
    const struct fw_answer *answer = predict(bench, content);
    const struct fw_unknown_row *row = unknown_of(answer);
    assert_true(answer->emulation->blocks_run < 200);
    assert_true(row->blocks > 5000);
    assert_true(fabs(row->value - 0.9) < 0.002);
}

/* Bytes from L2, with places that data lead to. */
static double moved_with(struct bench *bench, const char *content)
{
    const struct fw_answer *answer;
    struct fw_emulate_settings emulate = {
        .size = sizeof(emulate), .arguments = &content, .argument_count = 1};
    struct fw_predict_settings settings = {
        .size = sizeof(settings), .models = "traffic", .emulate = &emulate};
    assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, &settings), FW_OK);
    return quantity(answer, "l2_to_l1_bytes");
}

/* Threads whose rows overlap those of their neighbours load what their block has in L1: 16 bytes a
 * thread, and 4 of its start.  Rows that begin anywhere have two or three sectors each. */
static void blocks_find_what_they_have_loaded(void **state)
{
    struct bench *bench = *state;
    const double threads = 2560000;
    const double beside = moved_with(bench, "starts=u32[2560000]:ramp(0,4,0)");
    const double anywhere = moved_with(bench, "starts=u32[2560000]:random(0,100000000)");
    assert_true(fabs(beside / threads / (16 + 4) - 1) < 0.1);
    assert_true(anywhere / threads > 2 * 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(measured_values_are_used_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(addresses_are_those_of_the_sample, set_up_voting,
                                        tear_down),
        cmocka_unit_test_setup_teardown(blocks_do_what_others_do_not, set_up_some, tear_down),
        cmocka_unit_test_setup_teardown(branches_before_loops_are_counted_in_more_blocks,
                                        set_up_some, tear_down),
        cmocka_unit_test_setup_teardown(blocks_find_what_they_have_loaded, set_up_walking,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_stated_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_depends_on_other_contents_keeps_its_default, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(warps_issue_as_often_as_their_longest_thread, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(blocks_of_the_sample_are_the_stated_number, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
