/* See probe_opencl.h.  Chains are of the kernel's arguments, and their ends are stored under a
 * condition on one of them. */
#include "probe_opencl.h"

static const char plain[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define HEAD global ulong *out, global ulong *data, uint n, uint never\n"
    "kernel void empty(HEAD)\n{\n}\n"
    /* One thread walks a ring of `bytes` with strides of 128 bytes, n loads; the ring is made by
     * the thread, and walked once before. */
    "kernel void chase(HEAD, ulong bytes)\n{\n"
    "    ulong count = bytes / 128, step = (ulong)(count * 0.618) | 1, at = 0;\n"
    "    for (ulong i = 0; i < count; i++)\n"
    "        data[16 * i] = 16 * ((i + step) % count);\n"
    "    for (uint i = 0; i < n; i++)\n        at = data[at];\n"
    "    if ((uint)at == never)\n        out[0] = at;\n}\n"
    "kernel void build(HEAD, ulong bytes)\n{\n"
    "    ulong count = bytes / 128, step = (ulong)(count * 0.618) | 1, at = 0;\n"
    "    for (ulong i = 0; i < count; i++)\n"
    "        data[16 * i] = 16 * ((i + step) % count);\n"
    "    if ((uint)data[at] == never)\n        out[0] = at;\n}\n"
    "#define SPAN ulong size = bytes / 16, at = get_global_id(0) % size, by = get_global_size(0); "
    "\\\n"
    "    uint4 sum = (uint4)(never)\n"
    "kernel void read(HEAD, ulong bytes)\n{\n    SPAN;\n"
    "    for (uint i = 0; i < 8 * n; i++) {\n"
    "        sum ^= ((global uint4 *)data)[at];\n        at = (at + by) % size;\n    }\n"
    "    if (sum.x + sum.y + sum.z + sum.w == never)\n        out[0] = sum.x;\n}\n"
    "kernel void write(HEAD, ulong bytes)\n{\n    SPAN;\n"
    "    for (uint i = 0; i < 8 * n; i++) {\n"
    "        ((global uint4 *)data)[at] = sum;\n        at = (at + by) % size;\n    }\n}\n"
    "kernel void copy(HEAD, ulong bytes)\n{\n    SPAN;\n"
    "    for (uint i = 0; i < 8 * n; i++) {\n"
    "        ((global uint4 *)data)[at + size] = ((global uint4 *)data)[at];\n"
    "        at = (at + by) % size;\n    }\n    if (sum.x != never)\n        out[0] = 1;\n}\n";

/* X(name, type, double needed, statement) */
#define OPERATIONS(X)                                                                              \
    X("fma_f32", "float", "x[c] = fma(x[c], a, b)")                                                \
    X("fma_f64", "double", "x[c] = fma(x[c], a, b)")                                               \
    X("mad_s32", "uint", "x[c] = x[c] * a + b")                                                    \
    X("div_f32", "float", "x[c] = a / x[c]")                                                       \
    X("rsqrt_f32", "float", "x[c] = native_rsqrt(x[c])")

const char *const fw_probe_opencl_operations[FW_PROBE_OPENCL_OPERATIONS] = {
#define X(name, type, statement) name,
    OPERATIONS(X)
#undef X
};

void fw_probe_opencl_source(struct fw_buffer *out)
{
    fw_buffer_add(out, plain, sizeof plain - 1);
#define X(name, type, statement)                                                                   \
    fw_buffer_printf(out,                                                                          \
                     "kernel void %s(HEAD)\n{\n    %s a = (%s)(never & 3), b = a / 2, x[8];\n"     \
                     "    for (int c = 0; c < 8; c++)\n        x[c] = get_local_id(0) + c + 1;\n"  \
                     "    for (uint i = 0; i < n; i++)\n"                                          \
                     "        for (int k = 0; k < 4; k++)\n"                                       \
                     "            for (int c = 0; c < 8; c++)\n                %s;\n"              \
                     "    %s sum = 0;\n    for (int c = 0; c < 8; c++)\n        sum += x[c];\n"    \
                     "    if (sum == (%s)never)\n        out[0] = 1;\n}\n",                        \
                     name, type, type, statement, type, type);
    OPERATIONS(X)
#undef X
}
