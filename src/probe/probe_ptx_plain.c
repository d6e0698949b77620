/* PTX of launches, clocks, idling, and of the matrix unit's own way in.  See probe_ptx.h. */
#include "probe_ptx_internal.h"

void fw_probe_ptx_plain(struct fw_buffer *out)
{
    probe_head(out, 70);
    probe_open(out, "empty", "", 1024);
    fw_buffer_printf(out, "    ret;\n}\n");
    probe_open(out, "clocks", "", 32);
    fw_buffer_printf(out,
                     "    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra ALL;\n"
                     "    cvt.rn.f32.u32 %%f0,%%never;\n    mov.f32 %%f1,%%f0;\n"
                     "    mov.u64 %%start,%%clock64;\n    mov.u64 %%t1,%%globaltimer;\nTURN:\n");
    for (int i = 0; i < 32; i++)
        fw_buffer_printf(out, "    fma.rn.f32 %%f1,%%f1,%%f0,%%f0;\n");
    fw_buffer_printf(out, "    sub.u32 %%n,%%n,1;\n    setp.ne.u32 %%p3,%%n,0;\n"
                          "    @%%p3 bra TURN;\n    mov.u64 %%stop,%%clock64;\n"
                          "    mov.u64 %%t2,%%globaltimer;\n    sub.u64 %%stop,%%stop,%%start;\n"
                          "    sub.u64 %%t2,%%t2,%%t1;\n    st.global.u64 [%%out],%%stop;\n"
                          "    st.global.u64 [%%out+8],%%t2;\n    mov.u32 %%r1,%%nsmid;\n"
                          "    cvt.u64.u32 %%t3,%%r1;\n    st.global.u64 [%%out+16],%%t3;\n"
                          "    mov.u32 %%r1,WARP_SZ;\n    cvt.u64.u32 %%t3,%%r1;\n"
                          "    st.global.u64 [%%out+24],%%t3;\n    mov.b32 %%sum,%%f1;\nALL:\n");
    probe_close(out);
    probe_open(out, "idle", "", 32);
    fw_buffer_printf(out,
                     "    mov.u64 %%t1,%%globaltimer;\n    mul.wide.u32 %%t2,%%n,1000;\nSLEEP:\n"
                     "    nanosleep.u32 500000;\n    mov.u64 %%t3,%%globaltimer;\n"
                     "    sub.u64 %%t3,%%t3,%%t1;\n    setp.lt.u64 %%p1,%%t3,%%t2;\n"
                     "    @%%p1 bra SLEEP;\n");
    probe_close(out);
}

enum { ACCUMULATORS = 128, SHARED_BYTES = 40960 };

/* The forms of wgmma: what each multiplies, into what, how deep, and the operands behind the
 * descriptors. */
const struct fw_probe_product fw_probe_products[FW_PROBE_PRODUCTS] = {
    {"wgmma_bf16", "f32.bf16.bf16", ",1,1,1,0,0", 16, true},
    {"wgmma_f16", "f32.f16.f16", ",1,1,1,0,0", 16, true},
    {"wgmma_tf32", "f32.tf32.tf32", ",1,1,1", 8, true},
    {"wgmma_fp8", "f32.e4m3.e4m3", ",1,1,1", 32, true},
    {"wgmma_int8", "s32.s8.s8", ",1", 32, false},
};

static void products(struct fw_buffer *out, const struct fw_probe_product *product)
{
    for (int k = 0; k < FW_PROBE_WGMMA_UNROLL; k++) {
        fw_buffer_printf(out, "    wgmma.mma_async.sync.aligned.m64n256k%d.%s {", product->depth,
                         product->types);
        for (int i = 0; i < ACCUMULATORS; i++)
            fw_buffer_printf(out, "%s%%a%d", i ? "," : "", i);
        fw_buffer_printf(out, "},%%t1,%%t2%s;\n", product->operands);
    }
}

/* Descriptors of shared memory without swizzling (PTX ISA, "Matrix Descriptor Format"): the address
 * and both offsets in units of 16 bytes.  Any will do here: products of any numbers take as long.
 */
static void product_kernel(struct fw_buffer *out, const struct fw_probe_product *product)
{
    probe_open(out, product->name, "", 128);
    fw_buffer_printf(
        out,
        "    .reg .%s %%a<%d>;\n    .shared .align 1024 .b8 pool[%d];\n"
        "    mov.u32 %%r1,pool;\n    mov.u32 %%r2,%%me;\nFILL:\n"
        "    mad.lo.u32 %%r3,%%r2,4,%%r1;\n    mad.lo.u32 %%r4,%%r2,40503,%%never;\n"
        "    and.b32 %%r4,%%r4,0x3fff3fff;\n    st.shared.u32 [%%r3],%%r4;\n"
        "    add.u32 %%r2,%%r2,128;\n    setp.lt.u32 %%p0,%%r2,%d;\n    @%%p0 bra FILL;\n"
        "    fence.proxy.async.shared::cta;\n    bar.sync 0;\n",
        product->is_float ? "f32" : "b32", ACCUMULATORS, SHARED_BYTES, SHARED_BYTES / 4);
    fw_buffer_printf(out, "    shr.u32 %%r5,%%r1,4;\n    cvt.u64.u32 %%t1,%%r5;\n"
                          "    or.b64 %%t1,%%t1,0x0000002000080000;\n"
                          "    add.u64 %%t2,%%t1,512;\n");
    for (int i = 0; i < ACCUMULATORS; i++)
        fw_buffer_printf(out, "    mov.b32 %%a%d,0;\n", i);
    fw_buffer_printf(out, "    mov.u64 %%start,%%clock64;\nTURN:\n    wgmma.fence.sync.aligned;\n");
    products(out, product);
    fw_buffer_printf(out, "    wgmma.commit_group.sync.aligned;\n"
                          "    wgmma.wait_group.sync.aligned 0;\n    sub.u32 %%n,%%n,1;\n"
                          "    setp.ne.u32 %%p1,%%n,0;\n    @%%p1 bra TURN;\n"
                          "    mov.u64 %%stop,%%clock64;\n    sub.u64 %%stop,%%stop,%%start;\n"
                          "    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra SINK;\n"
                          "    mov.u32 %%r6,%%ctaid.x;\n    mad.wide.u32 %%t3,%%r6,8,%%out;\n"
                          "    st.global.u64 [%%t3],%%stop;\nSINK:\n");
    for (int i = 0; i < ACCUMULATORS; i++)
        fw_buffer_printf(out, "    mov.b32 %%r7,%%a%d;\n    xor.b32 %%sum,%%sum,%%r7;\n", i);
    probe_close(out);
}

void fw_probe_ptx_wgmma(struct fw_buffer *out)
{
    fw_buffer_printf(out, ".version 8.0\n.target sm_90a\n.address_size 64\n");
    for (int i = 0; i < FW_PROBE_PRODUCTS; i++)
        product_kernel(out, &fw_probe_products[i]);
}
