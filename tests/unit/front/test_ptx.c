/* What src/front/ptx and the IR's printer promise of good input. */
#include "ptx_testing.h"

static struct fw_instruction *read_one(const char *text)
{
    struct fw_function *function = read_body(text);
    assert_int_equal(function->instruction_count, 1);
    return &function->instructions[0];
}

/* instruction text as printed; operands written; registers defined; registers read */
static const struct row {
    const char *text;
    unsigned destinations, definitions, uses;
} rows[] = {
    {"add.cc.u32 %r1, %r2, %r3;", 1, 1, 2},
    {"mov.b64 {%r1, %r2}, %rd1;", 1, 2, 1},
    {"mov.b64 %rd1, {%r1, %r2};", 1, 1, 2},
    {"mov.b128 %rq1, {%rd1, %rd2};", 1, 1, 2},
    {"mov.u32 %r1, WARP_SZ;", 1, 1, 0},
    {"setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;", 1, 2, 3},
    {"setp.eq.s32 %p1|_, %r1, 4;", 1, 1, 1},
    {"lop3.b32 %r1, %r2, %r3, %r4, 150;", 1, 1, 3},
    {"ld.global.v2.f32 {%f1, _}, [%rd1+8];", 1, 1, 1},
    {"ld.global.L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", 1, 4, 1},
    {"ld.global.nc.L2::cache_hint.b32 %r1, [%rd1], %rd2;", 1, 1, 2},
    {"ld.weak.global.b32 %r1, [%rd1].unified, %rd2;", 1, 1, 2},
    {"st.global.v2.f32 [%rd1], {%f1, 0f3F800000};", 0, 0, 2},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];", 0, 0, 3},
    {"red.global.add.f32 [%rd1], %f1;", 0, 0, 2},
    {"red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2, [%r3];", 0,
     0, 3},
    {"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", 1, 1, 3},
    {"atom.global.add.u32 _, [%rd1], 1;", 1, 0, 1},
    {"multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", 1, 4, 1},
    {"multimem.st.relaxed.sys.global.f32 [%rd1], %f1;", 0, 0, 2},
    {"multimem.red.relaxed.sys.global.add.f32 [%rd1], %f1;", 0, 0, 2},
    {"cp.async.ca.shared.global [%r1], [%rd1], 16;", 0, 0, 2},
    {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;", 0, 0, 3},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];", 0, 0, 1},
    {"cp.async.wait_group 2;", 0, 0, 0},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];",
     0, 0, 4},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
     "cluster [%r1], [%rd1, {%r2, %r3}], [%r4], %rs1;",
     0, 0, 6},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r1], %r2;", 0, 0, 3},
    {"cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r2}];", 0, 0, 2},
    {"bar.sync 0;", 0, 0, 0},
    {"bar.red.popc.u32 %r1, 0, 64, %p1;", 1, 1, 1},
    {"barrier.cta.red.and.aligned.pred %p1, 0, !%p2;", 1, 1, 1},
    {"barrier.cluster.arrive.release.aligned;", 0, 0, 0},
    {"bar.warp.sync 4294967295;", 0, 0, 0},
    {"mbarrier.init.shared::cta.b64 [bar], 128;", 0, 0, 0},
    {"mbarrier.arrive.shared::cta.b64 %rd1, [%r1];", 1, 1, 1},
    {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 512;", 1, 0, 1},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1+8];", 1, 0, 1},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2;", 0, 0, 2},
    {"mbarrier.test_wait.shared::cta.b64 %p1, [%r1], %rd1;", 1, 1, 2},
    {"mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;", 1, 1, 2},
    {"mbarrier.pending_count.b64 %r1, %rd1;", 1, 1, 1},
    {"mbarrier.inval.shared.b64 [%r1];", 0, 0, 1},
    {"shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;", 1, 2, 1},
    {"vote.sync.ballot.b32 %r1, %p1, -1;", 1, 1, 1},
    {"match.all.sync.b32 %r1|%p1, %r2, -1;", 1, 2, 1},
    {"elect.sync %r1|%p1, -1;", 1, 2, 0},
    {"elect.sync _|%p1, -1;", 1, 1, 0},
    {"redux.sync.add.s32 %r1, %r2, -1;", 1, 1, 1},
    {"mapa.shared::cluster.u32 %r1, %r2, %r3;", 1, 1, 2},
    {"mapa.u64 %rd1, bar+8, 1;", 1, 1, 0},
    {"cvta.to.global.u64 %rd1, %rd2;", 1, 1, 1},
    {"isspacep.shared::cluster %p1, %rd1;", 1, 1, 1},
    {"tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;", 0, 0, 2},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
     "[%rd1], [%r1], 128;",
     0, 0, 2},
    {"fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", 0, 0, 1},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], "
     "[%r2];",
     0, 0, 2},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %rq1;", 1, 1, 1},
    {"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %rq1;", 1,
     3, 1},
    {"clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %rq1;", 1, 1, 1},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2}, [%rd1], %r3;", 1, 2, 2},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1, %f2}, %r3;", 0, 0, 4},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1, %r2}, {%r3}, {%f3, %f4};",
     1, 2, 5},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, "
     "1, 0, 0;",
     1, 4, 3},
    {"wgmma.wait_group.sync.aligned 0;", 0, 0, 0},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;", 0, 0, 1},
    {"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];", 1, 2, 1},
    {"tcgen05.ld.sync.aligned.16x32bx2.x1.pack::16b.b32 {%r1}, [%r3], 4;", 1, 1, 1},
    {"tcgen05.st.sync.aligned.16x64b.x1.b32 [%r1], {%r2};", 0, 0, 2},
    {"tcgen05.mma.cta_group::1.kind::tf32 [%r1], %rd1, %rd2, %r2, {%r3, %r4}, %p1;", 0, 0, 7},
    {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%r1];", 0, 0, 1},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];", 1, 4, 2},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [t, {%f5, %f6}];", 1, 5, 2},
    {"suld.b.2d.v2.b32.trap {%r1, %r2}, [%rd1, {%r3, %r4}];", 1, 2, 3},
    {"sust.b.1d.b32.clamp [%rd1, {%r1}], {%r2};", 0, 0, 3},
    {"vadd.u32.u32.u32.sat %r1.b0, %r2.h1, %r3.b3, %r4;", 1, 1, 3},
    {"vmad.s32.s32.s32 %r1, %r2, -%r3, %r4;", 1, 1, 3},
    {"alloca.u64 %rd1, 64, 16;", 1, 1, 0},
    {"stackrestore.u64 %rd1;", 0, 0, 1},
    {"createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F800000;", 1, 1, 0},
    {"prefetch.global.L2::evict_last [%rd1];", 0, 0, 1},
    {"setmaxnreg.inc.sync.aligned.u32 240;", 0, 0, 0},
    {"griddepcontrol.launch_dependents;", 0, 0, 0},
    {"cvt.rn.satfinite.relu.e4m3x2.f32 %rs1, %f1, %f2;", 1, 1, 2},
    {"st.bulk.weak.shared::cta [%r1], 1024, 0;", 0, 0, 1},
};

static void destinations_follow_the_sub_operation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct row *row = &rows[i];
        struct fw_function *function = read_body(row->text);
        struct fw_instruction *instruction = &function->instructions[0];
        if (function->instruction_count != 1 || instruction->destinations != row->destinations ||
            fw_instruction_definitions(instruction, NULL, NULL) != row->definitions ||
            fw_instruction_uses(instruction, NULL, NULL) != row->uses || diagnostics.length)
            fail_msg("%s: %u destinations, %u definitions, %u uses\n%s", row->text,
                     instruction->destinations, fw_instruction_definitions(instruction, NULL, NULL),
                     fw_instruction_uses(instruction, NULL, NULL), diagnostics.text);
        if (!strstr(row->text, "WARP_SZ"))
            assert_string_equal(fw_instruction_text(arena, function, instruction), row->text);
    }
}

static void modifiers_mean_what_ir_h_says(void **state)
{
    (void)state;
    struct fw_instruction *i = read_one("fma.rn.ftz.sat.f32 %f1, %f2, %f3, %f4;");
    assert_int_equal(i->opcode, FW_OP_FMA);
    assert_int_equal(i->rounding, FW_ROUND_RN);
    assert_int_equal(i->flags, FW_FLAG_FTZ | FW_FLAG_SAT);
    assert_int_equal(i->types[0], FW_TYPE_F32);
    assert_int_equal(i->type_count, 1);
    assert_int_equal(i->modifier_count, 4);
    assert_string_equal(i->modifiers[1], "ftz");
    assert_int_equal(i->vector, 1);
    i = read_one("setp.lo.or.u32 %p1, %r1, %r2, %p2;");
    assert_int_equal(i->compare, FW_CMP_LO);
    assert_int_equal(i->mode, FW_MODE_OR);
    i = read_one("mul.lo.s32 %r1, %r2, %r3;");
    assert_int_equal(i->compare, FW_CMP_NONE);
    assert_int_equal(i->mode, FW_MODE_LO);
    i = read_one("mad.wide.u32 %rd1, %r2, %r3, %rd2;");
    assert_int_equal(i->mode, FW_MODE_WIDE);
    i = read_one("vote.sync.uni.pred %p1, %p2, -1;");
    assert_int_equal(i->mode, FW_MODE_UNI);
    assert_int_equal(i->types[0], FW_TYPE_PRED);
    i = read_one("shf.l.wrap.b32 %r1, %r2, %r3, %r4;");
    assert_int_equal(i->mode, FW_MODE_L);
    assert_int_equal(i->flags, FW_FLAG_WRAP);
    i = read_one("cvt.rzi.s32.f64 %r1, %fd1;");
    assert_int_equal(i->types[0], FW_TYPE_S32);
    assert_int_equal(i->types[1], FW_TYPE_F64);
    i = read_one("ld.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];");
    assert_int_equal(i->space, FW_SPACE_GENERIC);
    assert_int_equal(i->vector, 4);
    i = read_one("ld.param::entry.u32 %r1, [n];");
    assert_int_equal(i->space, FW_SPACE_PARAM);
    i = read_one("cp.async.ca.shared.global [%r1], [%rd1], 16;");
    assert_int_equal(i->space, FW_SPACE_SHARED);
    assert_int_equal(i->source_space, FW_SPACE_GLOBAL);
    assert_int_equal(i->flags & FW_FLAG_ASYNC, FW_FLAG_ASYNC);
    i = read_one("atom.shared::cta.inc.u32 %r1, [%r2], 7;");
    assert_int_equal(i->mode, FW_MODE_INC);
    assert_int_equal(i->space, FW_SPACE_SHARED);
    i = read_one("min.NaN.xorsign.abs.f32 %f1, %f2, %f3;");
    assert_int_equal(i->flags, FW_FLAG_NAN | FW_FLAG_ABS);
    i = read_one("cvta.to.shared.u64 %rd1, %rd2;");
    assert_int_equal(i->flags, FW_FLAG_TO);
    assert_int_equal(i->space, FW_SPACE_SHARED);
    i = read_one("add .s32 %r1, %r2, 3 ;");
    assert_int_equal(i->types[0], FW_TYPE_S32);
}

static void unknown_opcodes_are_kept_with_one_warning(void **state)
{
    (void)state;
    struct fw_function *function = read_body(
        "frobnicate.x9.f32 %r1, [%rd1]; frobnicate.y.u32 %r2; frobnicate.x9.f32 %r3, [a];");
    assert_int_equal(function->instruction_count, 3);
    struct fw_instruction *first = &function->instructions[0];
    assert_int_equal(first->opcode, FW_OP_OTHER);
    assert_string_equal(first->name, "frobnicate");
    assert_string_equal(first->modifiers[0], "x9");
    assert_int_equal(first->destinations, 0);
    assert_reported("PTX012");
    assert_null(strstr(strstr(diagnostics.text, "PTX012") + 1, "PTX012"));
}

static void literals_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } integers[] = {{"42", 42},
                    {"-7", -7},
                    {"0x7fU", 127},
                    {"0XFF", 255},
                    {"017", 15},
                    {"0b101", 5},
                    {"0", 0},
                    {"00", 0},
                    {"18446744073709551615", -1},
                    {"0xFFFFFFFFFFFFFFFFU", -1},
                    {"9223372036854775807", INT64_MAX},
                    {"-9223372036854775808", INT64_MIN},
                    {"(1 << 4) | 3", 19},
                    {"2 + 3 * 4", 14},
                    {"10 - 2 - 3", 5},
                    {"~0", -1},
                    {"!0", 1},
                    {"-8 / 3", -2},
                    {"-8 % 3", -2},
                    {"0xFFFFFFFFFFFFFFFF / 2", INT64_MAX},
                    {"(.s64) 0xFFFFFFFFFFFFFFFF >> 1", -1},
                    {"5 > 3 ? 10 : 20", 10},
                    {"0 ? 1 : 0 ? 2 : 3", 3},
                    {"1 && 0 || 1", 1},
                    {"WARP_SZ * 2 - 1", 63},
                    {"6 ^ 5 & 4", 2},
                    {"3 != 3", 0},
                    {"1 << 64", 0},
                    {"(-9223372036854775807 - 1) / -1", INT64_MIN}};
    for (size_t i = 0; i < sizeof(integers) / sizeof(*integers); i++) {
        struct fw_instruction *mov =
            read_one(fw_arena_printf(arena, "mov.u64 %%rd1, %s;", integers[i].text));
        assert_int_equal(mov->operands[1].kind, FW_OPERAND_INTEGER);
        if (mov->operands[1].immediate != integers[i].value)
            fail_msg("%s is read as %lld", integers[i].text, (long long)mov->operands[1].immediate);
    }
    struct fw_operand *operand = &read_one("mov.f32 %f1, 0f3F800000;")->operands[1];
    assert_int_equal(operand->kind, FW_OPERAND_FLOAT);
    assert_true(operand->single);
    assert_int_equal(operand->immediate, 0x3f800000);
    operand = &read_one("mov.f32 %f1, -0F3f800000;")->operands[1];
    assert_int_equal(operand->immediate, 0xbf800000);
    operand = &read_one("mov.f64 %fd1, 0dBFF0000000000000;")->operands[1];
    assert_false(operand->single);
    assert_int_equal(operand->immediate, (int64_t)0xbff0000000000000);
    operand = &read_one("mov.f64 %fd1, 1.5e3;")->operands[1];
    assert_int_equal(operand->immediate, 0x4097700000000000);
}

static void addresses_take_every_form(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool based;
        const char *variable;
        int64_t offset;
    } addresses[] = {{"[%rd1]", true, NULL, 0},      {"[%rd1+-8]", true, NULL, -8},
                     {"[%rd1-8]", true, NULL, -8},   {"[%rd1 + 4*2 - 1]", true, NULL, 7},
                     {"[sym]", false, "sym", 0},     {"[sym+4]", false, "sym", 4},
                     {"[sym+-4]", false, "sym", -4}, {"[4096]", false, NULL, 4096},
                     {"[4+sym]", false, "sym", 4},   {"sym[3]", false, "sym", 12},
                     {"[sym[1]]", false, "sym", 4},  {"[-1]", false, NULL, -1}};
    for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
        struct fw_instruction *load =
            read_one(fw_arena_printf(arena, "ld.global.u32 %%r1, %s;", addresses[i].text));
        struct fw_operand *operand = &load->operands[1];
        if (operand->kind != FW_OPERAND_ADDRESS ||
            (operand->index != FW_NO_INDEX) != addresses[i].based ||
            (operand->variable != NULL) != (addresses[i].variable != NULL) ||
            operand->immediate != addresses[i].offset)
            fail_msg("%s", addresses[i].text);
    }
    struct fw_operand *source = &read_one("mov.u64 %rd1, sym+8;")->operands[1];
    assert_int_equal(source->kind, FW_OPERAND_SYMBOL);
    assert_int_equal(source->immediate, 8);
    source = &read_one("mov.u64 %rd1, generic(sym)+4;")->operands[1];
    assert_int_equal(source->kind, FW_OPERAND_SYMBOL);
    assert_int_equal(source->selector, FW_SELECT_GENERIC);
    assert_int_equal(source->immediate, 4);
    source = &read_one("mov.u64 %rd1, sym[2];")->operands[1];
    assert_int_equal(source->kind, FW_OPERAND_SYMBOL);
    assert_int_equal(source->immediate, 8);
    struct fw_instruction *load = read_one("ld.global.v2.u32 {%r5, %r6}, [%rd1];");
    assert_string_equal(load->modifiers[0], "global");
}

static void special_registers_are_known(void **state)
{
    (void)state;
    struct fw_operand *operand = &read_one("mov.u32 %r1, %ctaid.y;")->operands[1];
    assert_int_equal(operand->kind, FW_OPERAND_SPECIAL);
    assert_int_equal(operand->index, FW_SREG_CTAID_Y);
    operand = &read_one("mov.u32 %r1, %envreg3;")->operands[1];
    assert_int_equal(operand->index, FW_SREG_RESERVED);
    assert_string_equal(operand->name, "%envreg3");
    operand = &read_one("mov.u64 %rd1, %clock64;")->operands[1];
    assert_int_equal(operand->index, FW_SREG_CLOCK64);
    operand = &read_one("mov.u32 %r1, %cluster_ctarank;")->operands[1];
    assert_int_equal(operand->index, FW_SREG_CLUSTER_CTARANK);
    operand = &read_one("mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;")->operands[1];
    assert_int_equal(operand->kind, FW_OPERAND_VECTOR);
    assert_int_equal(operand->elements[2].index, FW_SREG_TID_Z);
}

static void blocks_may_begin_without_a_label(void **state)
{
    (void)state;
    struct fw_function *function =
        read_body("@%p1 bra $L__BB0_2;\nadd.s32 %r1, %r1, 1;\n@!%p2 bra.uni BB0_1;\n$L__BB0_2: "
                  "BB0_1: ret; END:");
    assert_int_equal(function->instruction_count, 4);
    assert_int_equal(function->label_count, 3);
    const struct fw_instruction *branch = &function->instructions[0];
    assert_int_equal(branch->target_count, 1);
    assert_int_equal(function->labels[branch->targets[0]].instruction, 3);
    assert_false(branch->guard_negated);
    branch = &function->instructions[2];
    assert_true(branch->guard_negated);
    assert_int_equal(branch->flags & FW_FLAG_UNIFORM, FW_FLAG_UNIFORM);
    assert_string_equal(function->labels[branch->targets[0]].name, "BB0_1");
    assert_int_equal(function->labels[2].instruction, 4);
}

static void inner_blocks_have_their_own_names(void **state)
{
    (void)state;
    /* The outer L stands before, the inner one after the branch inside: the inner one is meant. */
    struct fw_function *function = read_body(
        "L: mov.u32 %r1, 1;\n"
        "{ .reg .b32 %r1; .reg .pred p; @p bra L; mov.u32 %r1, 2; L: add.s32 %r1, %r1, %r2;\n"
        "  { .reg .b32 %r<4>; mov.u32 %r1, %r2; } bra OUT; }\n"
        "{ .reg .pred p; @!p bra L; } OUT: mov.u32 %r3, %r1;");
    const struct fw_instruction *i = function->instructions;
    assert_int_equal(function->labels[i[1].targets[0]].instruction, 3);
    assert_int_equal(function->labels[i[6].targets[0]].instruction, 0);
    assert_int_equal(function->labels[i[5].targets[0]].instruction, 7);
    uint32_t outer = i[0].operands[0].index, inner = i[2].operands[0].index;
    assert_int_not_equal(outer, inner);
    assert_int_equal(i[3].operands[0].index, inner);
    assert_int_equal(i[7].operands[1].index, outer);
    assert_int_not_equal(i[4].operands[0].index, inner);
    assert_int_not_equal(i[4].operands[0].index, outer);
    assert_int_not_equal(i[4].operands[1].index, i[3].operands[2].index); /* %r2 */
    assert_int_not_equal(i[1].guard, i[6].guard);
    for (uint32_t a = 0; a < function->register_count; a++)
        for (uint32_t b = 0; b < a; b++)
            assert_string_not_equal(function->registers[a].name, function->registers[b].name);
}

static void register_ranges_cost_nothing(void **state)
{
    (void)state;
    struct fw_module *module =
        read_good(HEAD ".entry k() { .reg .b32 %r<16000000>; .reg .f32 %r1a<3>, x, y<2>;\n"
                       "mov.b32 %r15999999, %r0; mov.f32 %r1a2, x; mov.f32 y1, y0; }");
    assert_int_equal(module->functions[0]->register_count, 6);
    assert_int_equal(module->functions[0]->registers[2].type, FW_TYPE_F32);
    bad_body(".reg .b32 %huge<4000000000>;", "PTX011");
    bad_body("mov.u32 %r1, %r20;", "PTX007");
    bad_body("mov.u32 %r1, %r01;", "PTX007");
}

static void calls_have_a_fixed_form(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD
        ".extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b)\n;\n"
        ".func nothing() { ret; }\n.func (.reg .u32 out) old(.reg .u32 in)\n"
        "{ add.u32 out, in, 1; ret; }\n"
        ".visible .entry k(.param .u64 f) { .reg .b64 %rd<3>; .reg .b32 %r<4>;\n"
        "{ .param .b64 param0;\n st.param.b64 [param0+0], %rd1; .param .b64 param1;\n"
        ".param .b32 retval0; call.uni (retval0), \nvprintf, \n(\nparam0, \nparam1\n);\n"
        "ld.param.b32 %r1, [retval0+0];\n}\n"
        "{ .param .b64 param0; call nothing; call nothing, (); }\n"
        "call (%r1), old, (%r2);\n"
        "prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[24])"
        " .noreturn;\n"
        "{ .param .b64 p0; .param .align 8 .b8 p1[24]; .param .b32 r0;\n"
        "call (r0), %rd2, (p0, p1), prototype_0; }\n"
        "t: .calltargets nothing; call %rd2, t; }\n");
    struct fw_function *k = fw_module_kernel(module, NULL);
    const struct fw_instruction *call = &k->instructions[1];
    assert_int_equal(call->opcode, FW_OP_CALL);
    assert_int_equal(call->operand_count, 3);
    assert_int_equal(call->destinations, 1);
    assert_int_equal(call->operands[0].kind, FW_OPERAND_LIST);
    assert_string_equal(call->operands[0].elements[0].variable->name, "retval0");
    assert_int_equal(call->operands[1].kind, FW_OPERAND_FUNCTION);
    assert_int_equal(call->operands[2].count, 2);
    assert_ptr_equal(call->callee, module->functions[0]);
    assert_false(call->callee->has_body);
    call = &k->instructions[3];
    assert_int_equal(call->operands[0].count, 0);
    assert_int_equal(call->operands[2].count, 0);
    assert_ptr_equal(call->callee, module->functions[1]);
    call = &k->instructions[5];
    assert_int_equal(fw_instruction_definitions(call, NULL, NULL), 1);
    assert_int_equal(fw_instruction_uses(call, NULL, NULL), 1);
    call = &k->instructions[6];
    assert_null(call->callee);
    assert_int_equal(call->operands[1].kind, FW_OPERAND_REGISTER);
    assert_int_equal(call->operands[3].kind, FW_OPERAND_TABLE);
    const struct fw_table *table = &k->tables[call->operands[3].index];
    assert_int_equal(table->kind, FW_TABLE_PROTOTYPE);
    assert_int_equal(table->parameter_count, 2);
    assert_int_equal(table->parameters[1].bytes, 24);
    assert_true(table->no_return);
    call = &k->instructions[7];
    assert_int_equal(k->tables[call->operands[3].index].kind, FW_TABLE_CALLEES);
    const struct fw_function *old = module->functions[2];
    assert_int_equal(old->results[0].space, FW_SPACE_REG);
    assert_int_equal(old->instructions[0].operands[0].index, old->results[0].reg);
    assert_int_equal(old->instructions[0].operands[1].index, old->parameters[0].reg);
}

static void functions_may_come_after_their_calls(void **state)
{
    (void)state;
    struct fw_module *module =
        read_good(HEAD ".func a(); .func b() { call a; call c; ret; } .func a() { call b; ret; }\n"
                       ".func c() { ret; } .func d();\n.alias d, c;\n.entry k() { .reg .b64 %rd1;\n"
                       "call d; mov.u64 %rd1, later; ret; }\n.func later() { ret; }");
    struct fw_function *b = module->functions[1], *k = fw_module_kernel(module, "k");
    assert_string_equal(b->instructions[0].callee->name, "a");
    assert_true(b->instructions[0].callee->has_body);
    assert_string_equal(b->instructions[1].callee->name, "c");
    assert_string_equal(k->instructions[0].callee->name, "c"); /* through the alias */
    assert_string_equal(k->instructions[0].operands[1].name, "d");
    assert_int_equal(k->instructions[1].operands[1].kind, FW_OPERAND_FUNCTION);
}

static void declarations_may_lack_their_end(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD ".visible .func (.param.u64 out) f (.param .s32 a)\n.func g()\n.file 1 \"x\"\n"
             ".func h() .noreturn\n.global .u32 v;\n.func g() { ret; }\n.func last()");
    assert_int_equal(module->function_count, 4);
    assert_true(module->functions[1]->has_body);
    assert_true(module->functions[2]->no_return);
}

static void jump_tables_become_targets(void **state)
{
    (void)state;
    struct fw_function *function =
        read_body("ts: .branchtargets A, B, A;\n@%p1 brx.idx.uni %r1, ts;\nA: ret; B: exit;");
    const struct fw_instruction *branch = &function->instructions[0];
    assert_int_equal(branch->target_count, 3);
    assert_string_equal(function->labels[branch->targets[1]].name, "B");
    assert_int_equal(branch->targets[0], branch->targets[2]);
    read_body("brx.idx %r1, later; A: ret; later: .branchtargets A;");
    bad_body("brx.idx %r1, A; A: ret;", "PTX009");
    bad_body("ts: .branchtargets A, nowhere; A: brx.idx %r1, ts;", "PTX009");
}

static void parameters_are_laid_out(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD
        ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u8 c, .param .align 8 .b8 "
        "s[24],\n.param .u64 .ptr q, .param .f32 x, .param .texref tex, .param .v2 .f32 v) "
        ".maxntid "
        "128, 2 .minnctapersm 4 .maxnreg 64 .reqnctapercluster 2 .explicitcluster\n"
        ".maxclusterrank 8 .blocksareclusters { ret; }");
    const struct fw_function *k = module->functions[0];
    static const uint32_t offsets[] = {0, 8, 16, 40, 48, 56, 64};
    assert_int_equal(k->parameter_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(k->parameters[i].offset, offsets[i]);
        assert_int_equal(k->parameters[i].index, i);
    }
    assert_int_equal(k->parameter_bytes, 72);
    assert_int_equal(k->parameters[0].points_to, FW_SPACE_GLOBAL);
    assert_int_equal(k->parameters[0].pointee_alignment, 4);
    assert_int_equal(k->parameters[0].alignment, 8);
    assert_int_equal(k->parameters[3].points_to, FW_SPACE_GENERIC);
    assert_int_equal(k->parameters[4].points_to, FW_SPACE_NONE);
    assert_int_equal(k->max_threads[0], 128);
    assert_int_equal(k->max_threads[1], 2);
    assert_int_equal(k->max_threads[2], 1);
    assert_int_equal(k->min_blocks, 4);
    assert_int_equal(k->max_registers, 64);
    assert_int_equal(k->required_cluster[0], 2);
    assert_int_equal(k->max_cluster_rank, 8);
    assert_true(k->explicit_cluster && k->blocks_are_clusters);
}

static const struct fw_variable *find_variable(const struct fw_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i]->name, name) == 0)
            return module->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

static void initial_values_are_laid_out(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD
        ".global .b8 text[] = {72, 0x69, 33};\n.const .align 4 .f32 f[4] = {1.0, 0f40000000, -1};\n"
        ".global .u16 m[2][3] = {{1}, {4, 5, 6}};\n.global .s32 s = -2, two = {2};\n"
        ".global .v2 .u32 v[2] = {{1, 2}, {3, 4}};\n.global .u64 zero[100] = {0};\n"
        ".visible .global .align 8 .u64 ptr[3] = {generic(m)+4, 7, fn};\n"
        ".global .u8 parts[3] = {0xff(s), 0xff00(s), 1};\n.func fn() { ret; }\n"
        ".extern .shared .align 16 .b8 dyn[];\n.extern .global .u32 ext;\n"
        ".global .u32 ext = 9;\n.global .attribute(.managed) .u32 man;\n"
        ".global .samplerref smp = { addr_mode_0 = wrap, filter_mode = linear };\n"
        ".const[2] .f64 banked[1] = {0.5};\n.global .b8 wide = 256; .global .b32 bits = "
        "0f3F800000;");
    assert_null(find_variable(module, "wide")->initial);
    assert_int_equal(find_variable(module, "bits")->initial[3], 0x3f);
    assert_int_equal(find_variable(module, "text")->bytes, 3);
    assert_memory_equal(find_variable(module, "text")->initial, "Hi!", 3);
    static const float floats[4] = {1, 2, -1, 0};
    assert_memory_equal(find_variable(module, "f")->initial, floats, 16);
    static const uint16_t shorts[6] = {1, 0, 0, 4, 5, 6};
    assert_memory_equal(find_variable(module, "m")->initial, shorts, 12);
    assert_memory_equal(find_variable(module, "s")->initial, "\xfe\xff\xff\xff", 4);
    static const uint32_t pairs[4] = {1, 2, 3, 4};
    assert_memory_equal(find_variable(module, "v")->initial, pairs, 16);
    assert_null(find_variable(module, "zero")->initial);
    assert_int_equal(find_variable(module, "zero")->bytes, 800);
    const struct fw_variable *ptr = find_variable(module, "ptr");
    assert_int_equal(ptr->relocation_count, 2);
    assert_ptr_equal(ptr->relocations[0].variable, find_variable(module, "m"));
    assert_int_equal(ptr->relocations[0].addend, 4);
    assert_true(ptr->relocations[0].generic);
    assert_int_equal(ptr->relocations[1].offset, 16);
    assert_string_equal(ptr->relocations[1].function->name, "fn");
    assert_int_equal(ptr->initial[8], 7);
    assert_int_equal(find_variable(module, "parts")->relocations[1].mask, 0xff00);
    assert_true(find_variable(module, "dyn")->external);
    assert_int_equal(find_variable(module, "dyn")->bytes, 0);
    assert_int_equal(find_variable(module, "dyn")->alignment, 16);
    assert_int_equal(find_variable(module, "ext")->initial[0], 9);
    assert_true(find_variable(module, "man")->managed);
    assert_int_equal(find_variable(module, "banked")->initial[7], 0x3f);
}

static void lines_are_those_of_the_innermost_place(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD ".file 1 \"a \\\"b\\\".cu\", 1234, 99\n.file 3 \"inline.h\"\n.file 0 \"folder\" "
             "\"name.py\"\n.entry k() {\n.reg .b32 "
             "%r<3>;\n"
             "mov.u32 %r1, 0;\n.loc 1 7 3\nadd.s32 %r1, %r1, 1; add.s32 %r1, %r1, 2;\n"
             ".loc 3 20 5, function_name $L__info_string0, inlined_at 1 8 3\n"
             "$L__tmp: .pragma \"nounroll\"; ret;\n"
             ".loc\t3 21 5, function_name $L__info_string0+24, inlined_at 1 8 3\nexit; }\n"
             ".entry second() { ret; }\n"
             ".section .debug_str { $L__info_string0: .b8 1, 2 { } }\n"
             ".section\t.debug_info\n{\n.b32 .debug_abbrev+4\n}\n");
    const struct fw_instruction *i = module->functions[0]->instructions;
    assert_int_equal(i[0].line, 0);
    assert_int_equal(i[1].line, 7);
    assert_int_equal(i[2].line, 7);
    assert_int_equal(i[2].file, 1);
    assert_int_equal(i[3].line, 20);
    assert_int_equal(i[3].file, 3);
    assert_int_equal(i[4].line, 21);
    assert_int_equal(module->functions[1]->instructions[0].line, 0);
    assert_int_equal(module->file_count, 4);
    assert_string_equal(module->files[1], "a \"b\".cu");
    assert_null(module->files[2]);
    assert_string_equal(module->files[0], "folder/name.py");
}

static void the_head_is_read(void **state)
{
    (void)state;
    struct fw_module *module =
        read_good(".version 8.10 .target sm_100f, debug, texmode_independent .address_size 32 /* c "
                  "*/ // d\n.weak .func f() .noreturn { trap; }");
    assert_int_equal(module->version_major, 8);
    assert_int_equal(module->version_minor, 10);
    assert_string_equal(module->target, "sm_100f");
    assert_int_equal(module->capability, 100);
    assert_string_equal(module->target_options, "debug, texmode_independent");
    assert_int_equal(module->address_bits, 32);
    assert_true(module->functions[0]->no_return);
    assert_int_equal(module->functions[0]->linkage, FW_LINKAGE_WEAK);
}

static void vector_registers_come_apart(void **state)
{
    (void)state;
    struct fw_function *function = read_body(
        ".reg .v4 .f32 acc; .reg .v2 .u32 %q<2>; mov.f32 acc.x, 0f00000000; mov.f32 %f1, acc.b;\n"
        "st.global.v4.f32 [%rd1], acc; mov.u32 %q1.y, 3;");
    assert_string_equal(function->registers[0].name, "acc$x");
    assert_int_equal(function->instructions[1].operands[1].index, 2);
    assert_int_equal(function->instructions[2].operands[1].count, 4);
}

static void local_names_that_hide_module_names_survive_printing(void **state)
{
    (void)state;
    struct fw_module *module = read_good(
        HEAD ".global .u32 x;\n.entry k() { .reg .b32 %r<3>; { .shared .u32 x; ld.shared.u32 "
             "%r1, [x]; } ld.global.u32 %r2, [x]; y: bra y; }\n.global .u32 y;");
    const struct fw_instruction *i = module->functions[0]->instructions;
    assert_int_equal(i[0].operands[1].variable->space, FW_SPACE_SHARED);
    assert_int_equal(i[1].operands[1].variable->space, FW_SPACE_GLOBAL);
    assert_string_not_equal(i[0].operands[1].variable->name, "x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(destinations_follow_the_sub_operation),
        TEST(modifiers_mean_what_ir_h_says),
        TEST(unknown_opcodes_are_kept_with_one_warning),
        TEST(literals_are_exact),
        TEST(addresses_take_every_form),
        TEST(special_registers_are_known),
        TEST(blocks_may_begin_without_a_label),
        TEST(inner_blocks_have_their_own_names),
        TEST(register_ranges_cost_nothing),
        TEST(calls_have_a_fixed_form),
        TEST(functions_may_come_after_their_calls),
        TEST(declarations_may_lack_their_end),
        TEST(jump_tables_become_targets),
        TEST(parameters_are_laid_out),
        TEST(initial_values_are_laid_out),
        TEST(lines_are_those_of_the_innermost_place),
        TEST(the_head_is_read),
        TEST(vector_registers_come_apart),
        TEST(local_names_that_hide_module_names_survive_printing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
