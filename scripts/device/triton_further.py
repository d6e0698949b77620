"""Triton kernels as people write them, beside those of triton_kernels.py: normalisations, losses, optimizers, products of
many kinds, attention forward, backward and decoded, scans, sorts and gathers.  LAUNCHES has two sizes of each.

A launch is made from a maker of tensors, so that kernels are compiled, too, where there is no GPU (write-triton-further):
the maker gives tensors that have a type, a shape and an address alone.  PROBES has kernels beside the halves."""
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


# Normalisations, losses and what goes element by element.


@triton.jit
def softmax_persistent(output_ptr, input_ptr, input_row_stride, output_row_stride, n_rows, n_cols,
                       BLOCK_SIZE: tl.constexpr, num_stages: tl.constexpr):
    row_start = tl.program_id(0)
    row_step = tl.num_programs(0)
    for row_idx in tl.range(row_start, n_rows, row_step, num_stages=num_stages):
        row_start_ptr = input_ptr + row_idx * input_row_stride
        col_offsets = tl.arange(0, BLOCK_SIZE)
        mask = col_offsets < n_cols
        row = tl.load(row_start_ptr + col_offsets, mask=mask, other=-float('inf'))
        row_minus_max = row - tl.max(row, axis=0)
        numerator = tl.exp(row_minus_max)
        denominator = tl.sum(numerator, axis=0)
        tl.store(output_ptr + row_idx * output_row_stride + col_offsets, numerator / denominator, mask=mask)


@triton.jit
def softmax_online(out_ptr, in_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    in_ptr += row * stride
    out_ptr += row * stride
    m = tl.full([BLOCK], -float('inf'), tl.float32)
    s = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(in_ptr + at, mask=at < n_cols, other=-float('inf')).to(tl.float32)
        m_new = tl.maximum(m, x)
        s = s * tl.exp(m - m_new) + tl.exp(x - m_new)
        m = m_new
    top = tl.max(m, axis=0)
    total = tl.sum(s * tl.exp(m - top), axis=0)
    for start in range(0, n_cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < n_cols
        x = tl.load(in_ptr + at, mask=inside).to(tl.float32)
        tl.store(out_ptr + at, (tl.exp(x - top) / total).to(tl.float16), mask=inside)


@triton.jit
def layer_norm_forward(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    _mean = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        a = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        _mean += a
    mean = tl.sum(_mean, axis=0) / N
    _var = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        x = tl.load(X + cols, mask=cols < N, other=0.).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.)
        _var += x * x
    var = tl.sum(_var, axis=0) / N
    rstd = 1 / tl.sqrt(var + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        w = tl.load(W + cols, mask=mask)
        b = tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.).to(tl.float32)
        tl.store(Y + cols, (x - mean) * rstd * w + b, mask=mask)


@triton.jit
def layer_norm_backward_dx(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP_SIZE_M: tl.constexpr,
                           BLOCK_SIZE_N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE_N)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock_id = row % GROUP_SIZE_M
    Lock += lock_id
    Count = Lock + GROUP_SIZE_M
    DW = DW + lock_id * N + cols
    DB = DB + lock_id * N + cols
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = (x - mean) * rstd
    wdy = w * dy
    xhat = tl.where(mask, xhat, 0.)
    wdy = tl.where(mask, wdy, 0.)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    dx = (wdy - (xhat * c1 + c2)) * rstd
    tl.store(DX + cols, dx, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)


@triton.jit
def layer_norm_backward_dwdb(DW, DB, FINAL_DW, FINAL_DB, M, N, BLOCK_SIZE_M: tl.constexpr,
                             BLOCK_SIZE_N: tl.constexpr):
    pid = tl.program_id(0)
    cols = pid * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    dw = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    db = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for i in range(0, M, BLOCK_SIZE_M):
        rows = i + tl.arange(0, BLOCK_SIZE_M)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        offs = rows[:, None] * N + cols[None, :]
        dw += tl.load(DW + offs, mask=mask, other=0.)
        db += tl.load(DB + offs, mask=mask, other=0.)
    sum_dw = tl.sum(dw, axis=0)
    sum_db = tl.sum(db, axis=0)
    tl.store(FINAL_DW + cols, sum_dw, mask=cols < N)
    tl.store(FINAL_DB + cols, sum_db, mask=cols < N)


@triton.jit
def rms_norm_residual(x_ptr, residual_ptr, weight_ptr, out_ptr, stride, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < n_cols
    x = tl.load(x_ptr + row * stride + at, mask=mask, other=0.0).to(tl.float32)
    residual = tl.load(residual_ptr + row * stride + at, mask=mask, other=0.0).to(tl.float32)
    x += residual
    tl.store(residual_ptr + row * stride + at, x.to(tl.bfloat16), mask=mask)
    inverse = tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    weight = tl.load(weight_ptr + at, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + row * stride + at, (x * inverse * weight).to(tl.bfloat16), mask=mask)


@triton.jit
def tanh(x):
    return 2 * tl.sigmoid(2 * x) - 1


@triton.jit
def geglu_dropout(gate_ptr, up_ptr, out_ptr, n_elements, p, seed, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    gate = tl.load(gate_ptr + offsets, mask=mask).to(tl.float32)
    up = tl.load(up_ptr + offsets, mask=mask)
    gelu = 0.5 * gate * (1 + tanh(0.7978845608028654 * (gate + 0.044715 * gate * gate * gate)))
    value = gelu.to(up.dtype) * up
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, value / (1 - p), 0.0), mask=mask)


@triton.jit
def cross_entropy(logits_ptr, labels_ptr, loss_ptr, stride, n_cols, n_rows, ignore_index, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    logits_ptr += row * stride
    label = tl.load(labels_ptr + row)
    if label == ignore_index:
        for i in range(0, n_cols, BLOCK):
            at = i + tl.arange(0, BLOCK)
            tl.store(logits_ptr + at, 0.0, mask=at < n_cols)
        return
    m = float("-inf")
    d = 0.0
    label_logit = tl.load(logits_ptr + label).to(tl.float32)
    for i in range(0, n_cols, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < n_cols, other=float("-inf")).to(tl.float32)
        block_max = tl.max(x)
        m_new = tl.maximum(m, block_max)
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new))
        m = m_new
    for i in range(0, n_cols, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < n_cols, other=float("-inf")).to(tl.float32)
        gradient = tl.exp(x - m) / d / n_rows
        gradient = tl.where(at == label, gradient - 1.0 / n_rows, gradient)
        tl.store(logits_ptr + at, gradient, mask=at < n_cols)
    tl.debug_barrier()
    tl.store(loss_ptr + row, tl.log(d) + m - label_logit)


@triton.jit
def rotary_embedding(q_ptr, q_row_stride, k_ptr, k_row_stride, cos_ptr, sin_ptr, seq_len, n_qh: tl.constexpr,
                     n_kh: tl.constexpr, hd: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    q_ptr += pid * q_row_stride
    k_ptr += pid * k_row_stride
    position = pid % seq_len
    half = tl.arange(0, hd // 2)
    cos = tl.load(cos_ptr + position * hd + half)
    sin = tl.load(sin_ptr + position * hd + half)
    first_q = tl.arange(0, n_qh)[:, None] * hd + half[None, :]
    first_k = tl.arange(0, n_kh)[:, None] * hd + half[None, :]
    q1 = tl.load(q_ptr + first_q).to(sin.dtype)
    k1 = tl.load(k_ptr + first_k).to(sin.dtype)
    q2 = tl.load(q_ptr + first_q + hd // 2).to(sin.dtype)
    k2 = tl.load(k_ptr + first_k + hd // 2).to(sin.dtype)
    tl.store(q_ptr + first_q, q1 * cos[None, :] - q2 * sin[None, :])
    tl.store(q_ptr + first_q + hd // 2, q2 * cos[None, :] + q1 * sin[None, :])
    tl.store(k_ptr + first_k, k1 * cos[None, :] - k2 * sin[None, :])
    tl.store(k_ptr + first_k + hd // 2, k2 * cos[None, :] + k1 * sin[None, :])


@triton.jit
def adamw_step(param_ptr, grad_ptr, m_ptr, v_ptr, n, lr, beta1, beta2, eps, decay, correction1, correction2,
               BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    param = tl.load(param_ptr + at, mask=mask)
    grad = tl.load(grad_ptr + at, mask=mask).to(tl.float32)
    m = tl.load(m_ptr + at, mask=mask)
    v = tl.load(v_ptr + at, mask=mask)
    param *= 1 - lr * decay
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    param -= lr * (m / correction1) / (tl.sqrt(v / correction2) + eps)
    tl.store(param_ptr + at, param, mask=mask)
    tl.store(m_ptr + at, m, mask=mask)
    tl.store(v_ptr + at, v, mask=mask)


# Products.


@triton.jit
def tile_of(pid, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    num_pid_m = tl.cdiv(M, BLOCK_M)
    num_pid_n = tl.cdiv(N, BLOCK_N)
    num_pid_in_group = GROUP_M * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_M)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m
    return pid_m, pid_n


@triton.jit
def matmul_leaky_grouped(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                         BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr, BLOCK_SIZE_K: tl.constexpr,
                         GROUP_SIZE_M: tl.constexpr):
    pid_m, pid_n = tile_of(tl.program_id(0), M, N, BLOCK_SIZE_M, BLOCK_SIZE_N, GROUP_SIZE_M)
    offs_am = (pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)) % M
    offs_bn = (pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)) % N
    offs_k = tl.arange(0, BLOCK_SIZE_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_SIZE_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_SIZE_K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_SIZE_K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BLOCK_SIZE_K * stride_ak
        b_ptrs += BLOCK_SIZE_K * stride_bk
    accumulator = tl.where(accumulator >= 0, accumulator, 0.01 * accumulator)
    c = accumulator.to(tl.float16)
    offs_cm = pid_m * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
    offs_cn = pid_n * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, c, mask=(offs_cm[:, None] < M) & (offs_cn[None, :] < N))


@triton.jit
def matmul_many_problems(group_a_ptrs, group_b_ptrs, group_c_ptrs, group_gemm_sizes, g_lds, group_size,
                         NUM_SM: tl.constexpr, BLOCK_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr,
                         BLOCK_SIZE_K: tl.constexpr):
    tile_idx = tl.program_id(0)
    last_problem_end = 0
    for g in range(group_size):
        gm = tl.load(group_gemm_sizes + g * 3)
        gn = tl.load(group_gemm_sizes + g * 3 + 1)
        gk = tl.load(group_gemm_sizes + g * 3 + 2)
        num_m_tiles = tl.cdiv(gm, BLOCK_SIZE_M)
        num_n_tiles = tl.cdiv(gn, BLOCK_SIZE_N)
        num_tiles = num_m_tiles * num_n_tiles
        while tile_idx >= last_problem_end and tile_idx < last_problem_end + num_tiles:
            k = gk
            lda = tl.load(g_lds + g * 3)
            ldb = tl.load(g_lds + g * 3 + 1)
            ldc = tl.load(g_lds + g * 3 + 2)
            a_ptr = tl.load(group_a_ptrs + g).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(group_b_ptrs + g).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(group_c_ptrs + g).to(tl.pointer_type(tl.float16))
            tile_idx_in_gemm = tile_idx - last_problem_end
            tile_m_idx = tile_idx_in_gemm // num_n_tiles
            tile_n_idx = tile_idx_in_gemm % num_n_tiles
            offs_am = tile_m_idx * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
            offs_bn = tile_n_idx * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
            offs_k = tl.arange(0, BLOCK_SIZE_K)
            a_ptrs = a_ptr + offs_am[:, None] * lda + offs_k[None, :]
            b_ptrs = b_ptr + offs_k[:, None] * ldb + offs_bn[None, :]
            accumulator = tl.zeros((BLOCK_SIZE_M, BLOCK_SIZE_N), dtype=tl.float32)
            for kk in range(0, tl.cdiv(k, BLOCK_SIZE_K)):
                tl.multiple_of(a_ptrs, [16, 16])
                tl.multiple_of(b_ptrs, [16, 16])
                a = tl.load(a_ptrs)
                b = tl.load(b_ptrs)
                accumulator += tl.dot(a, b)
                a_ptrs += BLOCK_SIZE_K
                b_ptrs += BLOCK_SIZE_K * ldb
            c = accumulator.to(tl.float16)
            offs_cm = tile_m_idx * BLOCK_SIZE_M + tl.arange(0, BLOCK_SIZE_M)
            offs_cn = tile_n_idx * BLOCK_SIZE_N + tl.arange(0, BLOCK_SIZE_N)
            c_ptrs = c_ptr + ldc * offs_cm[:, None] + offs_cn[None, :]
            tl.store(c_ptrs, c)
            tile_idx += NUM_SM
        last_problem_end = last_problem_end + num_tiles


@triton.jit
def matmul_split_k(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK_M: tl.constexpr,
                   BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr):
    pid_m = tl.program_id(0) // tl.cdiv(N, BLOCK_N)
    pid_n = tl.program_id(0) % tl.cdiv(N, BLOCK_N)
    pid_k = tl.program_id(1)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = pid_k * BLOCK_K + tl.arange(0, BLOCK_K)
    A = a_ptr + rm[:, None] * stride_am + rk[None, :]
    B = b_ptr + rk[:, None] * stride_bk + rn[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        acc += tl.dot(tl.load(A), tl.load(B))
        A += BLOCK_K * SPLIT_K
        B += BLOCK_K * SPLIT_K * stride_bk
    C = c_ptr + rm[:, None] * stride_cm + rn[None, :]
    tl.atomic_add(C, acc, mask=(rm < M)[:, None] & (rn < N)[None, :], sem="relaxed")


@triton.jit
def matmul_persistent_tensors(a_desc, b_desc, c_desc, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                              BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr, NUM_SMS: tl.constexpr):
    start_pid = tl.program_id(0)
    num_tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    k_tiles = tl.cdiv(K, BLOCK_K)
    for tile_id in tl.range(start_pid, num_tiles, NUM_SMS, flatten=True):
        pid_m, pid_n = tile_of(tile_id, M, N, BLOCK_M, BLOCK_N, GROUP_M)
        offs_am = pid_m * BLOCK_M
        offs_bn = pid_n * BLOCK_N
        accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for ki in range(k_tiles):
            a = a_desc.load([offs_am, ki * BLOCK_K])
            b = b_desc.load([offs_bn, ki * BLOCK_K])
            accumulator = tl.dot(a, b.T, accumulator)
        c_desc.store([offs_am, offs_bn], accumulator.to(tl.float16))


@triton.jit
def matmul_made_descriptors(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                            BLOCK_K: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BLOCK_M, BLOCK_K])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BLOCK_N, BLOCK_K])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    row = tl.program_id(0) * BLOCK_M
    column = tl.program_id(1) * BLOCK_N
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        accumulator = tl.dot(a_desc.load([row, k]), b_desc.load([column, k]).T, accumulator)
    c_desc.store([row, column], accumulator.to(tl.bfloat16))


@triton.jit
def matmul_int8_scaled(a_ptr, b_ptr, c_ptr, a_scale_ptr, b_scale_ptr, M, N, K, stride_am, stride_bn, stride_cm,
                       BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr):
    pid_m, pid_n = tile_of(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP_M)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    A = a_ptr + rm[:, None] * stride_am + rk[None, :]
    B = b_ptr + rn[None, :] * stride_bn + rk[:, None]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.int32)
    for k in range(K, 0, -BLOCK_K):
        acc += tl.dot(tl.load(A), tl.load(B))
        A += BLOCK_K
        B += BLOCK_K
    scale_a = tl.load(a_scale_ptr + rm)
    scale_b = tl.load(b_scale_ptr + rn)
    c = acc.to(tl.float32) * scale_a[:, None] * scale_b[None, :]
    tl.store(c_ptr + rm[:, None] * stride_cm + rn[None, :], c.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def matmul_fp8_blocks(a_ptr, b_ptr, c_ptr, a_s_ptr, b_s_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                      BLOCK_K: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    k = tl.cdiv(K, BLOCK_K)
    offs_m = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    offs_n = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    b_ptrs = b_ptr + offs_n[None, :] * K + offs_k[:, None]
    a_s_ptrs = a_s_ptr + offs_m * k
    b_s_ptrs = b_s_ptr + (offs_n // BLOCK_K) * k
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for i in range(k):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - i * BLOCK_K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - i * BLOCK_K, other=0.0)
        a_s = tl.load(a_s_ptrs)
        b_s = tl.load(b_s_ptrs)
        accumulator += tl.dot(a, b) * a_s[:, None] * b_s[None, :]
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K
        a_s_ptrs += 1
        b_s_ptrs += 1
    c = accumulator.to(tl.bfloat16)
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + offs_m[:, None] * N + offs_n[None, :]
    tl.store(c_ptrs, c, mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


@triton.jit
def matmul_batched_bias(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, batch_a, batch_b, batch_c, BLOCK_M: tl.constexpr,
                        BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    batch = tl.program_id(1)
    pid_m = tl.program_id(0) // tl.cdiv(N, BLOCK_N)
    pid_n = tl.program_id(0) % tl.cdiv(N, BLOCK_N)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + batch * batch_a + rm[:, None] * K + rk[None, :]
    b_ptrs = b_ptr + batch * batch_b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * N
    acc += tl.load(bias_ptr + rn)[None, :]
    tl.store(c_ptr + batch * batch_c + rm[:, None] * N + rn[None, :], tl.maximum(acc, 0).to(tl.float16),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def matmul_weights_int4(a_ptr, qw_ptr, scales_ptr, zeros_ptr, c_ptr, M, N, K, group_size, BLOCK_M: tl.constexpr,
                        BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rm[:, None] * K + rk[None, :]
    w_ptrs = qw_ptr + (rk[:, None] // 8) * N + rn[None, :]
    shifts = (rk % 8) * 4
    zero_shifts = (rn % 8) * 4
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        group = k * BLOCK_K // group_size
        scales = tl.load(scales_ptr + group * N + rn)
        zeros = tl.load(zeros_ptr + group * (N // 8) + rn // 8)
        zeros = ((zeros >> zero_shifts) & 15) + 1
        a = tl.load(a_ptrs, mask=rm[:, None] < M, other=0.)
        w = tl.load(w_ptrs)
        w = (w >> shifts[:, None]) & 15
        w = ((w - zeros[None, :]) * scales[None, :]).to(tl.float16)
        acc += tl.dot(a, w)
        a_ptrs += BLOCK_K
        w_ptrs += (BLOCK_K // 8) * N
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def moe_gathered(a_ptr, b_ptr, c_ptr, topk_weights_ptr, sorted_token_ids_ptr, expert_ids_ptr, num_tokens_post_padded_ptr,
                 N, K, num_valid_tokens, stride_be, top_k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                 BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr, EM):
    pid_m, pid_n = tile_of(tl.program_id(0), EM, N, BLOCK_M, BLOCK_N, GROUP_M)
    num_tokens_post_padded = tl.load(num_tokens_post_padded_ptr)
    if pid_m * BLOCK_M >= num_tokens_post_padded:
        return
    offs_token_id = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_token = tl.load(sorted_token_ids_ptr + offs_token_id)
    token_mask = offs_token < num_valid_tokens
    offs_bn = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (offs_token[:, None] // top_k * K + offs_k[None, :])
    off_experts = tl.load(expert_ids_ptr + pid_m).to(tl.int64)
    b_ptrs = b_ptr + off_experts * stride_be + (offs_k[:, None] + offs_bn[None, :] * K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=token_mask[:, None] & (offs_k[None, :] < K - k * BLOCK_K), other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0.0)
        accumulator += tl.dot(a, b)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K
    moe_weight = tl.load(topk_weights_ptr + offs_token, mask=token_mask, other=0)
    accumulator = accumulator * moe_weight[:, None]
    offs_cn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + N * offs_token[:, None] + offs_cn[None, :]
    tl.store(c_ptrs, accumulator.to(tl.float16), mask=token_mask[:, None] & (offs_cn[None, :] < N))


@triton.jit
def conv2d_implicit(x_ptr, w_ptr, y_ptr, batch, C, H, W, K, P, Q, R: tl.constexpr, S: tl.constexpr, PAD: tl.constexpr,
                    BLOCK_NPQ: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_C: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    npq = pid_m * BLOCK_NPQ + tl.arange(0, BLOCK_NPQ)
    n = npq // (P * Q)
    rest = npq % (P * Q)
    p = rest // Q
    q = rest % Q
    k = pid_n * BLOCK_K + tl.arange(0, BLOCK_K)
    accumulator = tl.zeros((BLOCK_NPQ, BLOCK_K), dtype=tl.float32)
    num_c = tl.cdiv(C, BLOCK_C)
    for i in range(0, R * S * num_c):
        c0 = (i % num_c) * BLOCK_C
        rs = i // num_c
        r = rs // S
        s = rs % S
        h = p + r - PAD
        w = q + s - PAD
        c = c0 + tl.arange(0, BLOCK_C)
        x_mask = ((n < batch) & (h >= 0) & (h < H) & (w >= 0) & (w < W))[:, None] & (c < C)[None, :]
        x = tl.load(x_ptr + ((n * H + h) * W + w)[:, None] * C + c[None, :], mask=x_mask, other=0.0)
        weight = tl.load(w_ptr + k[None, :] * (R * S * C) + (rs * C + c)[:, None],
                         mask=(c < C)[:, None] & (k < K)[None, :], other=0.0)
        accumulator = tl.dot(x, weight, accumulator)
    tl.store(y_ptr + npq[:, None] * K + k[None, :], accumulator.to(tl.float16),
             mask=(npq < batch * P * Q)[:, None] & (k < K)[None, :])


# Attention.


@triton.jit
def attention_causal_alibi(Q, K, V, Out, slopes, sm_scale, stride_h, H, N_CTX, HEAD_DIM: tl.constexpr,
                           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1)
    base = off_hz.to(tl.int64) * stride_h
    slope = tl.load(slopes + off_hz % H)
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, HEAD_DIM)
    q = tl.load(Q + base + offs_m[:, None] * HEAD_DIM + offs_d[None, :])
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    for start_n in range(0, (start_m + 1) * BLOCK_M, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        k = tl.load(K + base + (start_n + offs_n)[None, :] * HEAD_DIM + offs_d[:, None])
        qk = tl.dot(q, k) * qk_scale
        distance = offs_m[:, None] - (start_n + offs_n)[None, :]
        qk = tl.where(distance >= 0, qk - slope * distance, -1.0e6)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V + base + (start_n + offs_n)[:, None] * HEAD_DIM + offs_d[None, :])
        acc = tl.dot(p.to(tl.float16), v, acc)
        m_i = m_ij
    acc = acc / l_i[:, None]
    tl.store(Out + base + offs_m[:, None] * HEAD_DIM + offs_d[None, :], acc.to(tl.float16))


@triton.jit
def attention_backward_preprocess(O, DO, Delta, N_CTX, BLOCK_M: tl.constexpr, HEAD_DIM: tl.constexpr):
    off_m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    off_hz = tl.program_id(1)
    off_n = tl.arange(0, HEAD_DIM)
    at = off_hz * HEAD_DIM * N_CTX + off_m[:, None] * HEAD_DIM + off_n[None, :]
    o = tl.load(O + at)
    do = tl.load(DO + at).to(tl.float32)
    tl.store(Delta + off_hz * N_CTX + off_m, tl.sum(o * do, axis=1))


@triton.jit
def attention_backward_dkdv(Q, K, V, sm_scale, DO, DK, DV, M, D, N_CTX, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                            BLOCK_N: tl.constexpr):
    bhid = tl.program_id(1)
    off_chz = (bhid * N_CTX).to(tl.int64)
    adj = off_chz * HEAD_DIM
    Q += adj
    K += adj
    V += adj
    DO += adj
    DK += adj
    DV += adj
    M += off_chz
    D += off_chz
    start_n = tl.program_id(0) * BLOCK_N
    offs_n = start_n + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, HEAD_DIM)
    k = tl.load(K + offs_n[:, None] * HEAD_DIM + offs_k[None, :])
    v = tl.load(V + offs_n[:, None] * HEAD_DIM + offs_k[None, :])
    dk = tl.zeros([BLOCK_N, HEAD_DIM], dtype=tl.float32)
    dv = tl.zeros([BLOCK_N, HEAD_DIM], dtype=tl.float32)
    for start_m in range(start_n, N_CTX, BLOCK_M):
        offs_m = start_m + tl.arange(0, BLOCK_M)
        qT = tl.load(Q + offs_m[None, :] * HEAD_DIM + offs_k[:, None])
        m = tl.load(M + offs_m)
        qkT = tl.dot(k, qT)
        pT = tl.math.exp2(qkT - m[None, :])
        mask = offs_m[None, :] >= offs_n[:, None]
        pT = tl.where(mask, pT, 0.0)
        do = tl.load(DO + offs_m[:, None] * HEAD_DIM + offs_k[None, :])
        dv += tl.dot(pT.to(tl.float16), do)
        Di = tl.load(D + offs_m)
        dpT = tl.dot(v, tl.trans(do)).to(tl.float32)
        dsT = (pT * (dpT - Di[None, :])).to(tl.float16)
        dk += tl.dot(dsT, tl.trans(qT))
    tl.store(DV + offs_n[:, None] * HEAD_DIM + offs_k[None, :], dv.to(tl.float16))
    dk *= sm_scale
    tl.store(DK + offs_n[:, None] * HEAD_DIM + offs_k[None, :], dk.to(tl.float16))


@triton.jit
def attention_backward_dq(Q, K, V, DO, DQ, M, D, N_CTX, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                          BLOCK_N: tl.constexpr):
    bhid = tl.program_id(1)
    off_chz = (bhid * N_CTX).to(tl.int64)
    adj = off_chz * HEAD_DIM
    start_m = tl.program_id(0) * BLOCK_M
    offs_m = start_m + tl.arange(0, BLOCK_M)
    offs_k = tl.arange(0, HEAD_DIM)
    q = tl.load(Q + adj + offs_m[:, None] * HEAD_DIM + offs_k[None, :])
    do = tl.load(DO + adj + offs_m[:, None] * HEAD_DIM + offs_k[None, :])
    m = tl.load(M + off_chz + offs_m)[:, None]
    Di = tl.load(D + off_chz + offs_m)
    dq = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    for start_n in range(0, start_m + BLOCK_M, BLOCK_N):
        offs_n = start_n + tl.arange(0, BLOCK_N)
        kT = tl.load(K + adj + offs_n[None, :] * HEAD_DIM + offs_k[:, None])
        vT = tl.load(V + adj + offs_n[None, :] * HEAD_DIM + offs_k[:, None])
        p = tl.math.exp2(tl.dot(q, kT) - m)
        p = tl.where(offs_m[:, None] >= offs_n[None, :], p, 0.0)
        dp = tl.dot(do, vT).to(tl.float32)
        ds = (p * (dp - Di[:, None])).to(tl.float16)
        dq += tl.dot(ds, tl.trans(kT))
    dq *= 0.6931471824645996
    tl.store(DQ + adj + offs_m[:, None] * HEAD_DIM + offs_k[None, :], dq.to(tl.float16))


@triton.jit
def decode_split(Q, K, V, sm_scale, Partial, Lse, kv_len, stride_kb, stride_kn, stride_kh, HEADS: tl.constexpr,
                 KV_GROUP: tl.constexpr, HEAD_DIM: tl.constexpr, BLOCK_H: tl.constexpr, BLOCK_N: tl.constexpr,
                 SPLITS: tl.constexpr):
    batch = tl.program_id(0)
    kv_head = tl.program_id(1)
    split = tl.program_id(2)
    heads = kv_head * KV_GROUP + tl.arange(0, BLOCK_H)
    inside = tl.arange(0, BLOCK_H) < KV_GROUP
    d = tl.arange(0, HEAD_DIM)
    q = tl.load(Q + (batch * HEADS + heads)[:, None] * HEAD_DIM + d[None, :], mask=inside[:, None], other=0.0)
    length = tl.cdiv(kv_len, SPLITS)
    begin = split * length
    end = tl.minimum(begin + length, kv_len)
    m = tl.zeros([BLOCK_H], dtype=tl.float32) - float("inf")
    total = tl.zeros([BLOCK_H], dtype=tl.float32)
    acc = tl.zeros([BLOCK_H, HEAD_DIM], dtype=tl.float32)
    for start in range(begin, end, BLOCK_N):
        n = start + tl.arange(0, BLOCK_N)
        k = tl.load(K + batch * stride_kb + n[None, :] * stride_kn + kv_head * stride_kh + d[:, None],
                    mask=n[None, :] < end, other=0.0)
        qk = tl.dot(q, k) * sm_scale
        qk = tl.where(inside[:, None] & (n[None, :] < end), qk, float("-inf"))
        v = tl.load(V + batch * stride_kb + n[:, None] * stride_kn + kv_head * stride_kh + d[None, :],
                    mask=n[:, None] < end, other=0.0)
        m_new = tl.maximum(tl.max(qk, 1), m)
        scale = tl.exp(m - m_new)
        p = tl.exp(qk - m_new[:, None])
        acc = acc * scale[:, None] + tl.dot(p.to(v.dtype), v)
        total = total * scale + tl.sum(p, 1)
        m = m_new
    at = ((batch * HEADS + heads) * SPLITS + split)
    tl.store(Partial + at[:, None] * HEAD_DIM + d[None, :], acc / total[:, None], mask=inside[:, None])
    tl.store(Lse + at, m + tl.log(total), mask=inside)


# Scans, sorts, gathers, reductions.


@triton.jit
def add_pair(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def linear_recurrence(a_ptr, x_ptr, out_ptr, length, channels, BLOCK_T: tl.constexpr, BLOCK_C: tl.constexpr):
    batch = tl.program_id(1)
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    carry = tl.zeros([BLOCK_C], tl.float32)
    for start in range(0, length, BLOCK_T):
        t = start + tl.arange(0, BLOCK_T)
        at = (batch * length + t)[:, None] * channels + c[None, :]
        a = tl.load(a_ptr + at)
        x = tl.load(x_ptr + at)
        decay, value = tl.associative_scan((a, x), 0, add_pair)
        value += decay * carry[None, :]
        tl.store(out_ptr + at, value)
        carry = tl.sum(tl.where((tl.arange(0, BLOCK_T) == BLOCK_T - 1)[:, None], value, 0.0), axis=0)


@triton.jit
def cumulative_sum(x_ptr, out_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < n_cols
        x = tl.load(x_ptr + row * stride + at, mask=mask, other=0.0)
        tl.store(out_ptr + row * stride + at, tl.cumsum(x, 0) + total, mask=mask)
        total += tl.sum(x, 0)


@triton.jit
def sort_rows(x_ptr, out_ptr, n_cols, k, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n_cols + at, mask=at < n_cols, other=-float("inf"))
    x = tl.sort(x, descending=True)
    tl.store(out_ptr + row * k + at, x, mask=at < k)


@triton.jit
def histogram_bins(x_ptr, out_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    counts = tl.zeros([BINS], tl.int32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        counts += tl.histogram(tl.load(x_ptr + at), BINS)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), counts, sem="relaxed")


@triton.jit
def embedding_gather(ids_ptr, table_ptr, position_ptr, out_ptr, seq_len, hidden, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < hidden
    index = tl.load(ids_ptr + token)
    row = tl.load(table_ptr + index * hidden + at, mask=mask)
    position = tl.load(position_ptr + (token % seq_len) * hidden + at, mask=mask)
    tl.store(out_ptr + token * hidden + at, row + position, mask=mask)


@triton.jit
def transpose_tiles(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(out_ptr + columns[:, None] * M + rows[None, :], tl.trans(x),
             mask=(columns[:, None] < N) & (rows[None, :] < M))


@triton.jit
def column_moments(x_ptr, mean_ptr, var_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros([BLOCK_N], tl.float32)
    squares = tl.zeros([BLOCK_N], tl.float32)
    for start in range(0, M, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < M) & (columns[None, :] < N)
        x = tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=mask, other=0.0)
        total += tl.sum(x, axis=0)
        squares += tl.sum(x * x, axis=0)
    mean = total / M
    tl.store(mean_ptr + columns, mean, mask=columns < N)
    tl.store(var_ptr + columns, squares / M - mean * mean, mask=columns < N)


@triton.jit
def causal_conv1d(x_ptr, w_ptr, bias_ptr, out_ptr, length, channels, WIDTH: tl.constexpr, BLOCK_T: tl.constexpr,
                  BLOCK_C: tl.constexpr):
    batch = tl.program_id(2)
    t = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    acc = tl.zeros([BLOCK_T, BLOCK_C], tl.float32) + tl.load(bias_ptr + c)[None, :]
    for j in tl.static_range(WIDTH):
        s = t - (WIDTH - 1) + j
        x = tl.load(x_ptr + (batch * length + s)[:, None] * channels + c[None, :], mask=(s >= 0)[:, None], other=0.0)
        w = tl.load(w_ptr + c * WIDTH + j)
        acc += x.to(tl.float32) * w[None, :]
    acc = acc * tl.sigmoid(acc)
    tl.store(out_ptr + (batch * length + t)[:, None] * channels + c[None, :], acc.to(tl.bfloat16))


# Kernels beside the halves, for what the learned half has none of: all of them may be looked at.


@triton.jit
def locked_columns(x_ptr, sums_ptr, lock_ptr, stride, N, GROUPS: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < N
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(ROWS):
        total += tl.load(x_ptr + (tl.program_id(0) * ROWS + i) * stride + at, mask=mask, other=0.0)
    group = tl.program_id(0) % GROUPS
    while tl.atomic_cas(lock_ptr + group, 0, 1) == 1:
        pass
    total += tl.load(sums_ptr + group * N + at, mask=mask, other=0.0)
    tl.store(sums_ptr + group * N + at, total, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + group, 0)


@triton.jit
def scale_listed(tables_ptr, sizes_ptr, factor, BLOCK: tl.constexpr):
    x = tl.load(tables_ptr + tl.program_id(1)).to(tl.pointer_type(tl.float32))
    n = tl.load(sizes_ptr + tl.program_id(1))
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(x + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)


@triton.jit
def add_made_descriptors(x_ptr, y_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    y = tl.make_tensor_descriptor(y_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    out = tl.make_tensor_descriptor(out_ptr, shape=[M, N], strides=[N, 1], block_shape=[BLOCK_M, BLOCK_N])
    row = tl.program_id(0) * BLOCK_M
    for column in range(0, N, BLOCK_N):
        out.store([row, column], x.load([row, column]) + y.load([row, column]))


@triton.jit
def sorted_medians(x_ptr, out_ptr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    x = tl.sort(tl.load(x_ptr + rows[:, None] * BLOCK + at[None, :]), dim=1)
    tl.store(out_ptr + rows, tl.sum(tl.where((at == BLOCK // 2)[None, :], x, 0.0), axis=1))


@triton.jit
def permuted_sum(x_ptr, y_ptr, out_ptr, A, B, C, BLOCK_A: tl.constexpr, BLOCK_C: tl.constexpr):
    a = tl.program_id(0) * BLOCK_A + tl.arange(0, BLOCK_A)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    b = tl.program_id(2)
    x = tl.load(x_ptr + (a[:, None] * B + b) * C + c[None, :])
    y = tl.load(y_ptr + (c[:, None] * B + b) * A + a[None, :])
    tl.store(out_ptr + (c[:, None] * B + b) * A + a[None, :], tl.trans(x) + y)


@triton.jit
def weighted_bag(ids_ptr, weights_ptr, table_ptr, out_ptr, hidden, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    bag = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < hidden
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(COUNT):
        index = tl.load(ids_ptr + bag * COUNT + i)
        total += tl.load(weights_ptr + bag * COUNT + i) * tl.load(table_ptr + index * hidden + at, mask=mask, other=0.0)
    tl.store(out_ptr + bag * hidden + at, total.to(tl.float16), mask=mask)


@triton.jit
def row_log_sums(x_ptr, out_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + at, mask=at < N, other=-float("inf"))
    top = tl.max(x, 0)
    tl.store(out_ptr + row, tl.log(tl.sum(tl.exp(x - top), 0)) + top)


@triton.jit
def column_largest(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    most = tl.full([BLOCK_M, BLOCK_N], -float("inf"), tl.float32)
    for start in range(0, M, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        x = tl.load(x_ptr + rows[:, None] * N + columns[None, :])
        most = tl.maximum(most, tl.abs(x))
    tl.store(out_ptr + columns, tl.max(most, axis=0))


# Launches: of a kernel and a size, the grid, the arguments and the options.


def power_of_two(n):
    return triton.next_power_of_2(n)


def softmax_persistent_at(t, rows, columns):
    programs = min(rows, 132 * 4)
    return ((programs,), [t((rows, columns), "float32"), t((rows, columns), "float32"), columns, columns, rows, columns],
            dict(BLOCK_SIZE=power_of_two(columns), num_stages=4, num_warps=8))


def softmax_online_at(t, rows, columns):
    return (rows,), [t((rows, columns)), t((rows, columns)), columns, columns], dict(BLOCK=4096, num_warps=8)


def layer_norm_forward_at(t, rows, columns):
    block = min(65536 // 2, power_of_two(columns))
    return ((rows,), [t((rows, columns)), t((rows, columns)), t((columns,)), t((columns,)), t((rows,), "float32"),
                      t((rows,), "float32"), columns, columns, 1e-5],
            dict(BLOCK_SIZE=block, num_warps=min(max(block // 256, 1), 8)))


def layer_norm_backward_dx_at(t, rows, columns):
    group = 96 if columns <= 4096 else 64
    return ((rows,), [t((rows, columns)), t((rows, columns)), t((group, columns)), t((group, columns)), t((rows, columns)),
                      t((columns,)), t((rows,), "float32"), t((rows,), "float32", "ones"), t((2 * group,), "int32", "zero"),
                      columns, columns],
            dict(GROUP_SIZE_M=group, BLOCK_SIZE_N=power_of_two(columns), num_warps=8))


def layer_norm_backward_dwdb_at(t, group, columns):
    return ((triton.cdiv(columns, 128),), [t((group, columns)), t((group, columns)), t((columns,)), t((columns,)), group,
                                          columns], dict(BLOCK_SIZE_M=32, BLOCK_SIZE_N=128, num_warps=4))


def rms_norm_residual_at(t, rows, columns):
    return ((rows,), [t((rows, columns), "bfloat16"), t((rows, columns), "bfloat16", "zero"), t((columns,), "bfloat16"),
                      t((rows, columns), "bfloat16"), columns, columns, 1e-6],
            dict(BLOCK=power_of_two(columns), num_warps=8))


def geglu_dropout_at(t, n):
    return ((triton.cdiv(n, 1024),), [t((n,)), t((n,)), t((n,)), n, 0.1, 1234], dict(BLOCK_SIZE=1024, num_warps=4))


def cross_entropy_at(t, rows, columns):
    return ((rows,), [t((rows, columns)), t((rows,), "int64", "index", limit=columns), t((rows,), "float32"), columns,
                      columns, rows, -100], dict(BLOCK=32768, num_warps=32))


def rotary_embedding_at(t, tokens, heads):
    kv, depth = heads // 4, 128
    return ((tokens,), [t((tokens, heads * depth), "bfloat16"), heads * depth, t((tokens, kv * depth), "bfloat16"),
                        kv * depth, t((2048, depth), "float32", "cosine"), t((2048, depth), "float32", "sine"), 2048],
            dict(n_qh=heads, n_kh=kv, hd=depth, num_warps=4))


def adamw_step_at(t, n):
    return ((triton.cdiv(n, 1024),), [t((n,), "float32"), t((n,), "bfloat16"), t((n,), "float32"),
                                     t((n,), "float32", "ones"), n, 1e-3, 0.9, 0.999, 1e-8, 0.01, 0.5, 0.1],
            dict(BLOCK=1024, num_warps=4))


def matmul_leaky_grouped_at(t, m, n, k):
    return ((triton.cdiv(m, 128) * triton.cdiv(n, 256),), [t((m, k)), t((k, n)), t((m, n)), m, n, k, k, 1, n, 1, n, 1],
            dict(BLOCK_SIZE_M=128, BLOCK_SIZE_N=256, BLOCK_SIZE_K=64, GROUP_SIZE_M=8, num_warps=8, num_stages=3))


def matmul_many_problems_at(t, problems, size):
    shapes = [(size >> (g % 2), size, size) for g in range(problems)]
    a = [t((m, k)) for m, n, k in shapes]
    b = [t((k, n)) for m, n, k in shapes]
    c = [t((m, n)) for m, n, k in shapes]
    flat = [v for s in shapes for v in s]
    lds = [v for m, n, k in shapes for v in (k, n, n)]
    made = t.values
    return ((132,), [made("int64", [x.data_ptr() for x in a]), made("int64", [x.data_ptr() for x in b]),
                     made("int64", [x.data_ptr() for x in c]), made("int32", flat), made("int32", lds), problems],
            dict(NUM_SM=132, BLOCK_SIZE_M=128, BLOCK_SIZE_N=128, BLOCK_SIZE_K=64, num_warps=4, num_stages=3),
            [a, b, c])


def matmul_split_k_at(t, m, n, k):
    return ((triton.cdiv(m, 64) * triton.cdiv(n, 128), 8), [t((m, k)), t((k, n)), t((m, n), "float32", "zero"), m, n, k, k, n,
                                                          n],
            dict(BLOCK_M=64, BLOCK_N=128, BLOCK_K=64, SPLIT_K=8, num_warps=4, num_stages=4))


def matmul_persistent_tensors_at(t, m, n, k):
    a, b, c = t((m, k)), t((n, k)), t((m, n))
    return ((min(132, (m // 128) * (n // 256)),), [TensorDescriptor(a, [m, k], [k, 1], [128, 64]), TensorDescriptor(b, [n, k], [k, 1], [256, 64]),
                                                  TensorDescriptor(c, [m, n], [n, 1], [128, 256]), m, n, k],
            dict(BLOCK_M=128, BLOCK_N=256, BLOCK_K=64, GROUP_M=8, NUM_SMS=132, num_warps=8, num_stages=3))


def matmul_made_descriptors_at(t, m, n, k):
    return ((m // 128, n // 128), [t((m, k), "bfloat16"), t((n, k), "bfloat16"), t((m, n), "bfloat16"), m, n, k],
            dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=4))


def matmul_int8_scaled_at(t, m, n, k):
    return ((triton.cdiv(m, 128) * triton.cdiv(n, 128),), [t((m, k), "int8"), t((n, k), "int8"), t((m, n)), t((m,), "float32"),
                                                          t((n,), "float32"), m, n, k, k, k, n],
            dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=128, GROUP_M=8, num_warps=8, num_stages=3))


def matmul_fp8_blocks_at(t, m, n, k):
    return ((triton.cdiv(m, 64), triton.cdiv(n, 128)), [t((m, k), "float8_e4m3fn"), t((n, k), "float8_e4m3fn"), t((m, n), "bfloat16"),
                                                        t((m, k // 128), "float32"), t((n // 128, k // 128), "float32"), m, n, k],
            dict(BLOCK_M=64, BLOCK_N=128, BLOCK_K=128, num_warps=8, num_stages=4))


def matmul_batched_bias_at(t, batch, m, n, k):
    return ((triton.cdiv(m, 64) * triton.cdiv(n, 64), batch), [t((batch, m, k)), t((batch, k, n)), t((n,)), t((batch, m, n)), m, n, k,
                                                               m * k, k * n, m * n],
            dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3))


def matmul_weights_int4_at(t, m, n, k):
    return ((triton.cdiv(m, 16), triton.cdiv(n, 128)), [t((m, k)), t((k // 8, n), "int32"), t((k // 128, n)), t((k // 128, n // 8), "int32"),
                                                        t((m, n)), m, n, k, 128],
            dict(BLOCK_M=16, BLOCK_N=128, BLOCK_K=64, num_warps=4, num_stages=4))


def moe_gathered_at(t, tokens, experts, n, k):
    top = 2
    padded = tokens * top + experts * 64
    ids, chosen, count = t.routing(tokens, experts, top, 64, padded)
    return ((padded // 64 * triton.cdiv(n, 128),), [t((tokens, k)), t((experts, n, k)), t((tokens * top, n)), t((tokens * top,), "float32"),
                                                    ids, chosen, count, n, k, tokens * top, n * k, top],
            dict(BLOCK_M=64, BLOCK_N=128, BLOCK_K=64, GROUP_M=8, EM=padded, num_warps=4, num_stages=4))


def conv2d_implicit_at(t, batch, channels, size, filters):
    return ((triton.cdiv(batch * size * size, 128), triton.cdiv(filters, 128)), [t((batch, size, size, channels)), t((filters, 3, 3, channels)),
                                                                               t((batch, size, size, filters)), batch, channels, size, size,
                                                                               filters, size, size],
            dict(R=3, S=3, PAD=1, BLOCK_NPQ=128, BLOCK_K=128, BLOCK_C=32, num_warps=8, num_stages=3))


def attention_causal_alibi_at(t, heads, length, depth):
    return ((triton.cdiv(length, 128), heads), [t((heads, length, depth)), t((heads, length, depth)), t((heads, length, depth)),
                                               t((heads, length, depth)), t((16,), "float32", "small"), 0.125, length * depth, 16, length],
            dict(HEAD_DIM=depth, BLOCK_M=128, BLOCK_N=64, num_warps=8, num_stages=3))


def attention_backward_preprocess_at(t, heads, length, depth):
    return ((length // 128, heads), [t((heads, length, depth)), t((heads, length, depth)), t((heads, length), "float32"), length],
            dict(BLOCK_M=128, HEAD_DIM=depth, num_warps=4))


def attention_backward_dkdv_at(t, heads, length, depth):
    return ((length // 128, heads), [t((heads, length, depth)), t((heads, length, depth)), t((heads, length, depth)), 0.125,
                                     *[t((heads, length, depth)) for _ in range(3)], t((heads, length), "float32"),
                                     t((heads, length), "float32"), length],
            dict(HEAD_DIM=depth, BLOCK_M=32, BLOCK_N=128, num_warps=4, num_stages=5))


def attention_backward_dq_at(t, heads, length, depth):
    return ((length // 128, heads), [*[t((heads, length, depth)) for _ in range(5)], t((heads, length), "float32"),
                                     t((heads, length), "float32"), length],
            dict(HEAD_DIM=depth, BLOCK_M=128, BLOCK_N=32, num_warps=4, num_stages=5))


def decode_split_at(t, batch, length):
    heads, group, depth, splits = 32, 4, 128, 8
    kv = heads // group
    return ((batch, kv, splits), [t((batch, heads, depth)), t((batch, length, kv, depth)), t((batch, length, kv, depth)), 0.088,
                                  t((batch, heads, splits, depth), "float32"), t((batch, heads, splits), "float32"), length,
                                  length * kv * depth, kv * depth, depth],
            dict(HEADS=heads, KV_GROUP=group, HEAD_DIM=depth, BLOCK_H=16, BLOCK_N=64, SPLITS=splits, num_warps=4, num_stages=2))


def linear_recurrence_at(t, batch, length, channels):
    shape = (batch, length, channels)
    return ((channels // 32, batch), [t(shape, "float32", "small"), t(shape, "float32"), t(shape, "float32"), length, channels],
            dict(BLOCK_T=64, BLOCK_C=32, num_warps=4))


def cumulative_sum_at(t, rows, columns):
    return (rows,), [t((rows, columns), "float32"), t((rows, columns), "float32"), columns, columns], dict(BLOCK=2048, num_warps=4)


def sort_rows_at(t, rows, columns):
    return (rows,), [t((rows, columns), "float32"), t((rows, 64), "float32"), columns, 64], dict(BLOCK=power_of_two(columns), num_warps=4)


def histogram_bins_at(t, n):
    return (528,), [t((n,), "int32", "index", limit=256), t((256,), "int32", "zero"), n], dict(BINS=256, BLOCK=2048, num_warps=4)


def embedding_gather_at(t, tokens, hidden):
    return ((tokens, triton.cdiv(hidden, 1024)), [t((tokens,), "int64", "index", limit=50257), t((50257, hidden), "bfloat16"),
                                                 t((1024, hidden), "bfloat16"), t((tokens, hidden), "bfloat16"), 1024, hidden],
            dict(BLOCK=1024, num_warps=4))


def transpose_tiles_at(t, m, n):
    return (triton.cdiv(m, 64), triton.cdiv(n, 64)), [t((m, n), "float32"), t((n, m), "float32"), m, n], dict(BLOCK_M=64, BLOCK_N=64, num_warps=4)


def column_moments_at(t, m, n):
    return (triton.cdiv(n, 32),), [t((m, n), "float32"), t((n,), "float32"), t((n,), "float32"), m, n], dict(BLOCK_M=64, BLOCK_N=32, num_warps=4)


def causal_conv1d_at(t, batch, length, channels):
    return ((length // 32, channels // 128, batch), [t((batch, length, channels), "bfloat16"), t((channels, 4), "float32"), t((channels,), "float32"),
                                                     t((batch, length, channels), "bfloat16"), length, channels],
            dict(WIDTH=4, BLOCK_T=32, BLOCK_C=128, num_warps=4))


def locked_columns_at(t, blocks, columns):
    return ((blocks,), [t((blocks * 4, columns), "float32"), t((64, columns), "float32"), t((64,), "int32", "zero"), columns, columns],
            dict(GROUPS=64, ROWS=4, BLOCK=power_of_two(columns), num_warps=8))


def scale_listed_at(t, tables, size):
    sizes = [size - 1000 * i for i in range(tables)]
    x = [t((n,), "float32") for n in sizes]
    return (64, tables), [t.values("int64", [a.data_ptr() for a in x]), t.values("int32", sizes), 1.0001], dict(BLOCK=1024, num_warps=4), x


def add_made_descriptors_at(t, m, n):
    return (m // 64,), [t((m, n)), t((m, n)), t((m, n)), m, n], dict(BLOCK_M=64, BLOCK_N=64, num_warps=4)


def sorted_medians_at(t, rows, columns):
    return (rows // 4,), [t((rows, columns), "float32"), t((rows,), "float32")], dict(ROWS=4, BLOCK=columns, num_warps=4)


def permuted_sum_at(t, a, b, c):
    return (a // 32, c // 32, b), [t((a, b, c)), t((c, b, a)), t((c, b, a)), a, b, c], dict(BLOCK_A=32, BLOCK_C=32, num_warps=4)


def weighted_bag_at(t, bags, hidden):
    return ((bags,), [t((bags, 16), "int64", "index", limit=100000), t((bags, 16), "float32"), t((100000, hidden)), t((bags, hidden)), hidden],
            dict(COUNT=16, BLOCK=power_of_two(hidden), num_warps=2))


def row_log_sums_at(t, rows, columns):
    return (rows,), [t((rows, columns), "float32"), t((rows,), "float32"), columns, columns], dict(BLOCK=power_of_two(columns), num_warps=1)


def column_largest_at(t, m, n):
    return (n // 32,), [t((m, n), "float32"), t((n,), "float32"), m, n], dict(BLOCK_M=32, BLOCK_N=32, num_warps=4)


PROBES = {
    "locked_columns": [(1024, 2000), (4096, 4096)],
    "scale_listed": [(8, 500000), (12, 4000000)],
    "add_made_descriptors": [(8448, 1024), (16896, 2048)],
    "sorted_medians": [(8192, 256), (65536, 256)],
    "permuted_sum": [(512, 16, 512), (1024, 32, 2048)],
    "weighted_bag": [(4096, 256), (32768, 512)],
    "row_log_sums": [(16384, 500), (131072, 1000)],
    "column_largest": [(4096, 4096), (16384, 8448)],
}

LAUNCHES = {
    "softmax_persistent": [(8192, 781), (4096, 6000)],
    "softmax_online": [(2048, 32000), (512, 128256)],
    "layer_norm_forward": [(4096, 1024), (4096, 8192)],
    "layer_norm_backward_dx": [(4096, 2048), (4096, 8192)],
    "layer_norm_backward_dwdb": [(96, 4096), (256, 16384)],
    "rms_norm_residual": [(4096, 4096), (16384, 5120)],
    "geglu_dropout": [(4 << 20,), (45000000,)],
    "cross_entropy": [(1024, 50257), (4096, 50257)],
    "rotary_embedding": [(4096, 32), (16384, 32)],
    "adamw_step": [(3000000,), (60000000,)],
    "matmul_leaky_grouped": [(2048, 2048, 2048), (5120, 4608, 4096)],
    "matmul_many_problems": [(4, 1024), (8, 2048)],
    "matmul_split_k": [(256, 512, 8192), (64, 4096, 16384)],
    "matmul_persistent_tensors": [(4096, 4096, 1024), (8192, 8192, 2048)],
    "matmul_made_descriptors": [(2048, 2048, 2048), (4096, 6144, 4096)],
    "matmul_int8_scaled": [(2048, 4096, 2048), (8192, 4096, 4096)],
    "matmul_fp8_blocks": [(512, 7168, 2048), (4096, 4096, 7168)],
    "matmul_batched_bias": [(48, 512, 512, 64), (96, 512, 512, 512)],
    "matmul_weights_int4": [(16, 4096, 4096), (64, 11008, 4096)],
    "moe_gathered": [(512, 8, 2048, 2048), (4096, 16, 4096, 2048)],
    "conv2d_implicit": [(16, 64, 56, 64), (32, 256, 28, 512)],
    "attention_causal_alibi": [(32, 1024, 64), (64, 4096, 64)],
    "attention_backward_preprocess": [(64, 1024, 64), (64, 8192, 64)],
    "attention_backward_dkdv": [(32, 1024, 64), (64, 2048, 64)],
    "attention_backward_dq": [(32, 1024, 64), (64, 2048, 64)],
    "decode_split": [(4, 4096), (64, 8192)],
    "linear_recurrence": [(4, 2048, 1536), (16, 4096, 2048)],
    "cumulative_sum": [(1024, 8192), (4096, 30000)],
    "sort_rows": [(2048, 1024), (8192, 2000)],
    "histogram_bins": [(1 << 22,), (1 << 26,)],
    "embedding_gather": [(4096, 768), (32768, 2048)],
    "transpose_tiles": [(2048, 2048), (8000, 6000)],
    "column_moments": [(4096, 4096), (32768, 8192)],
    "causal_conv1d": [(2, 2048, 2048), (8, 4096, 4096)],
}
