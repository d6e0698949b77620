"""A third set of Triton kernels as people write them, none of the first two: normalisations of several rows, quantised
values and states, gatings, pools, scans, products with epilogues, stream-K, attention of several kinds and from pages.
LAUNCHES has two sizes of each; launches are made as those of triton_further.py."""
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor


# Normalisations, losses, quantised values, and what goes element by element.


@triton.jit
def add_rms_norm_rows(x_ptr, residual_ptr, weight_ptr, sum_ptr, out_ptr, n_rows, n_cols, eps, ROWS: tl.constexpr,
                      BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row_mask = rows < n_rows
    squares = tl.zeros([ROWS, BLOCK], tl.float32)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = row_mask[:, None] & (cols < n_cols)[None, :]
        at = rows[:, None] * n_cols + cols[None, :]
        x = tl.load(x_ptr + at, mask=mask, other=0.0, eviction_policy="evict_last").to(tl.float32)
        residual = tl.load(residual_ptr + at, mask=mask, other=0.0, eviction_policy="evict_last").to(tl.float32)
        h = x + residual
        squares += h * h
    rstd = libdevice.rsqrt(tl.sum(squares, axis=1) / n_cols + eps)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = row_mask[:, None] & (cols < n_cols)[None, :]
        at = rows[:, None] * n_cols + cols[None, :]
        x = tl.load(x_ptr + at, mask=mask, other=0.0, eviction_policy="evict_first").to(tl.float32)
        residual = tl.load(residual_ptr + at, mask=mask, other=0.0, eviction_policy="evict_first").to(tl.float32)
        weight = tl.load(weight_ptr + cols, mask=cols < n_cols, eviction_policy="evict_last").to(tl.float32)
        h = x + residual
        tl.store(sum_ptr + at, h.to(tl.float16), mask=mask)
        tl.store(out_ptr + at, (h * rstd[:, None] * weight[None, :]).to(tl.float16), mask=mask)


@triton.jit
def group_norm_silu(x_ptr, weight_ptr, bias_ptr, out_ptr, group_size, channels, spatial, groups, eps,
                    BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    base = pid.to(tl.int64) * group_size
    first = (pid % groups) * channels
    total = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, group_size, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + at, mask=at < group_size, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total, 0) / group_size
    rstd = tl.rsqrt(tl.sum(squares, 0) / group_size - mean * mean + eps)
    for start in range(0, group_size, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < group_size
        channel = first + at // spatial
        x = tl.load(x_ptr + base + at, mask=mask, other=0.0).to(tl.float32)
        y = (x - mean) * rstd * tl.load(weight_ptr + channel, mask=mask) + tl.load(bias_ptr + channel, mask=mask)
        tl.store(out_ptr + base + at, (y * tl.sigmoid(y)).to(tl.bfloat16), mask=mask)


@triton.jit
def combine_welford(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    share = tl.where(weight == 0.0, 0.0, weight_2 / weight)
    return mean_1 + delta * share, m2_1 + m2_2 + delta * delta * weight_1 * share, weight


@triton.jit
def batch_norm_stats(x_ptr, mean_ptr, var_ptr, batch, channels, spatial, BLOCK_B: tl.constexpr, BLOCK_S: tl.constexpr):
    channel = tl.program_id(0)
    mean = tl.zeros([BLOCK_B, BLOCK_S], tl.float32)
    m2 = tl.zeros([BLOCK_B, BLOCK_S], tl.float32)
    count = tl.zeros([BLOCK_B, BLOCK_S], tl.float32)
    for first in range(0, batch, BLOCK_B):
        b = first + tl.arange(0, BLOCK_B)
        for start in range(0, spatial, BLOCK_S):
            s = start + tl.arange(0, BLOCK_S)
            mask = (b < batch)[:, None] & (s < spatial)[None, :]
            x = tl.load(x_ptr + (b[:, None] * channels + channel) * spatial + s[None, :], mask=mask, other=0.0)
            count_new = count + mask.to(tl.float32)
            delta = x - mean
            mean = tl.where(mask, mean + delta / count_new, mean)
            m2 = tl.where(mask, m2 + delta * (x - mean), m2)
            count = count_new
    mean = tl.reshape(mean, (BLOCK_B * BLOCK_S,))
    m2 = tl.reshape(m2, (BLOCK_B * BLOCK_S,))
    count = tl.reshape(count, (BLOCK_B * BLOCK_S,))
    mean, m2, count = tl.reduce((mean, m2, count), 0, combine_welford)
    tl.store(mean_ptr + channel, mean)
    tl.store(var_ptr + channel, m2 / count)


@triton.jit
def quantise_rows_int8(x_ptr, out_ptr, scale_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < n_cols
    x = tl.load(x_ptr + row * stride + at, mask=mask, other=0.0).to(tl.float32)
    most = tl.maximum(tl.max(tl.abs(x), 0), 1e-10)
    scale = most / 127
    q = libdevice.rint(x * (127 / most)).to(tl.int8)
    tl.store(out_ptr + row * stride + at, q, mask=mask)
    tl.store(scale_ptr + row, scale)


@triton.jit
def dequantise_int4(w_ptr, scales_ptr, zeros_ptr, out_ptr, rows, packed, GROUP: tl.constexpr, BLOCK_R: tl.constexpr,
                    BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    c = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    wide = tl.program_id(1) * BLOCK_C * 8 + tl.arange(0, BLOCK_C * 8)
    inside = (r < rows)[:, None] & (c < packed)[None, :]
    w = tl.load(w_ptr + r[:, None] * packed + c[None, :], mask=inside, other=0)
    w = tl.interleave(w, w)
    w = tl.interleave(w, w)
    w = tl.interleave(w, w)
    shifts = (wide % 8) * 4
    w = (w >> shifts[None, :]) & 0xF
    group = r // GROUP
    zeros = tl.load(zeros_ptr + group[:, None] * packed + c[None, :], mask=inside, other=0)
    zeros = tl.interleave(zeros, zeros)
    zeros = tl.interleave(zeros, zeros)
    zeros = tl.interleave(zeros, zeros)
    zeros = (zeros >> shifts[None, :]) & 0xF
    outside = (r < rows)[:, None] & (wide < packed * 8)[None, :]
    scales = tl.load(scales_ptr + group[:, None] * packed * 8 + wide[None, :], mask=outside, other=0.0)
    tl.store(out_ptr + r[:, None] * packed * 8 + wide[None, :], ((w - zeros) * scales).to(tl.float16), mask=outside)


@triton.jit
def silu_and_mul(x_ptr, out_ptr, stride, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < width
    gate = tl.load(x_ptr + row * stride + at, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(x_ptr + row * stride + width + at, mask=mask, other=0.0)
    gate = gate / (1.0 + tl.exp(-gate))
    tl.store(out_ptr + row * width + at, gate.to(up.dtype) * up, mask=mask)


@triton.jit
def rotary_interleaved(x_ptr, positions_ptr, cos_ptr, sin_ptr, out_ptr, heads, BLOCK_H: tl.constexpr, D: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    h = tl.program_id(1) * BLOCK_H + tl.arange(0, BLOCK_H)
    d = tl.arange(0, D)
    half = tl.arange(0, D // 2)
    position = tl.load(positions_ptr + token)
    cos = tl.load(cos_ptr + position * (D // 2) + half)
    sin = tl.load(sin_ptr + position * (D // 2) + half)
    at = (token * heads + h)[:, None] * D + d[None, :]
    x = tl.load(x_ptr + at, mask=(h < heads)[:, None], other=0.0).to(tl.float32)
    first, second = tl.split(tl.reshape(x, (BLOCK_H, D // 2, 2)))
    turned = tl.join(first * cos[None, :] - second * sin[None, :], second * cos[None, :] + first * sin[None, :])
    tl.store(out_ptr + at, tl.reshape(turned, (BLOCK_H, D)).to(tl.bfloat16), mask=(h < heads)[:, None])


@triton.jit
def adam_8bit(param_ptr, grad_ptr, m_ptr, v_ptr, m_scale_ptr, v_scale_ptr, n, lr, beta1, beta2, eps, decay,
              BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    at = pid * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    grad = tl.load(grad_ptr + at, mask=mask, other=0.0).to(tl.float32)
    param = tl.load(param_ptr + at, mask=mask, other=0.0).to(tl.float32)
    m = tl.load(m_ptr + at, mask=mask, other=0).to(tl.float32) * tl.load(m_scale_ptr + pid)
    root = tl.load(v_ptr + at, mask=mask, other=0).to(tl.float32) * tl.load(v_scale_ptr + pid)
    m = m * beta1 + (1 - beta1) * grad
    v = root * root * beta2 + (1 - beta2) * grad * grad
    root = tl.sqrt(v)
    param = param - lr * (m / (root + eps) + decay * param)
    m_scale = tl.max(tl.abs(m), 0) / 127 + 1e-12
    v_scale = tl.max(root, 0) / 255 + 1e-12
    tl.store(param_ptr + at, param.to(tl.bfloat16), mask=mask)
    tl.store(m_ptr + at, libdevice.rint(m / m_scale).to(tl.int8), mask=mask)
    tl.store(v_ptr + at, libdevice.rint(root / v_scale).to(tl.uint8), mask=mask)
    tl.store(m_scale_ptr + pid, m_scale)
    tl.store(v_scale_ptr + pid, v_scale)


@triton.jit
def kl_divergence(y_ptr, y_stride, target_ptr, target_stride, loss_ptr, n_cols, eps, BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    y_ptr += pid * y_stride
    target_ptr += pid * target_stride
    at = tl.arange(0, BLOCK)
    total = 0.0
    for i in range(0, n_cols, BLOCK):
        mask = i + at < n_cols
        y = tl.load(y_ptr + i + at, mask=mask, other=0.0)
        target = tl.load(target_ptr + i + at, mask=mask, other=0.0)
        loss = target * (tl.log(tl.maximum(target, eps)) - y)
        total += tl.sum(loss, axis=0)
    tl.store(loss_ptr + pid, total)


# Choices, pools, scans, gathers and scatters.


@triton.jit
def embedding_backward(ids_ptr, grad_ptr, table_ptr, hidden, padding, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    index = tl.load(ids_ptr + token)
    if index != padding:
        at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
        mask = at < hidden
        grad = tl.load(grad_ptr + token * hidden + at, mask=mask, other=0.0).to(tl.float32)
        tl.atomic_add(table_ptr + index * hidden + at, grad, mask=mask, sem="relaxed")


@triton.jit
def larger(value_1, index_1, value_2, index_2):
    second = (value_2 > value_1) | ((value_2 == value_1) & (index_2 < index_1))
    return tl.where(second, value_2, value_1), tl.where(second, index_2, index_1)


@triton.jit
def argmax_rows(x_ptr, value_ptr, index_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = tl.full([BLOCK], -float("inf"), tl.float32)
    where = tl.zeros([BLOCK], tl.int32)
    for start in range(0, n_cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride + at, mask=at < n_cols, other=-float("inf")).to(tl.float32)
        where = tl.where(x > best, at, where)
        best = tl.maximum(best, x)
    value, index = tl.reduce((best, where), 0, larger)
    tl.store(value_ptr + row, value)
    tl.store(index_ptr + row, index)


@triton.jit
def top_k_gating(logits_ptr, weights_ptr, chosen_ptr, n_rows, EXPERTS: tl.constexpr, TOP: tl.constexpr,
                 ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    e = tl.arange(0, EXPERTS)
    k = tl.arange(0, TOP)
    inside = rows < n_rows
    x = tl.load(logits_ptr + rows[:, None] * EXPERTS + e[None, :], mask=inside[:, None], other=-float("inf")).to(tl.float32)
    x = tl.exp(x - tl.max(x, 1)[:, None])
    x = x / tl.sum(x, 1)[:, None]
    weights = tl.zeros([ROWS, TOP], tl.float32)
    chosen = tl.zeros([ROWS, TOP], tl.int32)
    for i in tl.static_range(TOP):
        value, index = tl.max(x, 1, return_indices=True)
        weights = tl.where((k == i)[None, :], value[:, None], weights)
        chosen = tl.where((k == i)[None, :], index[:, None], chosen)
        x = tl.where(e[None, :] == index[:, None], -1.0, x)
    weights = weights / tl.sum(weights, 1)[:, None]
    tl.store(weights_ptr + rows[:, None] * TOP + k[None, :], weights, mask=inside[:, None])
    tl.store(chosen_ptr + rows[:, None] * TOP + k[None, :], chosen, mask=inside[:, None])


@triton.jit
def max_pool_3x3(x_ptr, out_ptr, H, W, P, Q, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    plane = at // (P * Q)
    p = at // Q % P
    q = at % Q
    most = tl.full([BLOCK], -float("inf"), tl.float32)
    for r in tl.static_range(3):
        for s in tl.static_range(3):
            h = p * 2 + r - 1
            w = q * 2 + s - 1
            inside = (at < n) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
            x = tl.load(x_ptr + (plane * H + h) * W + w, mask=inside, other=-float("inf"))
            most = tl.maximum(most, x.to(tl.float32))
    tl.store(out_ptr + at, most.to(tl.float16), mask=at < n)


@triton.jit
def selective_scan(u_ptr, delta_ptr, a_ptr, b_ptr, c_ptr, skip_ptr, out_ptr, length, channels, STATES: tl.constexpr,
                   BLOCK_D: tl.constexpr):
    batch = tl.program_id(1)
    d = tl.program_id(0) * BLOCK_D + tl.arange(0, BLOCK_D)
    n = tl.arange(0, STATES)
    a = tl.load(a_ptr + d[:, None] * STATES + n[None, :])
    skip = tl.load(skip_ptr + d)
    state = tl.zeros([BLOCK_D, STATES], tl.float32)
    u_ptr += batch * length * channels + d
    delta_ptr += batch * length * channels + d
    out_ptr += batch * length * channels + d
    b_ptr += batch * length * STATES + n
    c_ptr += batch * length * STATES + n
    for t in range(length):
        u = tl.load(u_ptr).to(tl.float32)
        delta = tl.load(delta_ptr).to(tl.float32)
        delta = tl.where(delta <= 20.0, tl.log(1.0 + tl.exp(delta)), delta)
        b = tl.load(b_ptr).to(tl.float32)
        c = tl.load(c_ptr).to(tl.float32)
        state = state * tl.exp(delta[:, None] * a) + (delta * u)[:, None] * b[None, :]
        tl.store(out_ptr, (tl.sum(state * c[None, :], 1) + u * skip).to(tl.bfloat16))
        u_ptr += channels
        delta_ptr += channels
        out_ptr += channels
        b_ptr += STATES
        c_ptr += STATES


@triton.jit
def chunk_sums_reversed(s_ptr, out_ptr, T, H: tl.constexpr, S: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr):
    i_s, i_t, i_bh = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    i_b, i_h = i_bh // H, i_bh % H
    base = (i_b * T * H + i_h) * S
    source = tl.make_block_ptr(s_ptr + base, (T, S), (H * S, 1), (i_t * BT, i_s * BS), (BT, BS), (1, 0))
    out = tl.make_block_ptr(out_ptr + base, (T, S), (H * S, 1), (i_t * BT, i_s * BS), (BT, BS), (1, 0))
    values = tl.load(source, boundary_check=(0, 1)).to(tl.float32)
    tl.store(out, tl.cumsum(values, axis=0, reverse=True), boundary_check=(0, 1))


# Products.


@triton.jit
def matmul_bias_gelu(a_ptr, b_ptr, bias_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                     GROUP: tl.constexpr):
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    pid_m, pid_n = tl.swizzle2d(tl.program_id(0) // tiles_n, tl.program_id(0) % tiles_n, tiles_m, tiles_n, GROUP)
    a = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (pid_m * BM, 0), (BM, BK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, pid_n * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(a, boundary_check=(0, 1)), tl.load(b, boundary_check=(0, 1)), acc)
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    columns = pid_n * BN + tl.arange(0, BN)
    acc += tl.load(bias_ptr + columns, mask=columns < N, other=0.0).to(tl.float32)[None, :]
    acc = 0.5 * acc * (1 + tl.erf(acc * 0.7071067811865476))
    c = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(tl.bfloat16), boundary_check=(0, 1))


@triton.jit
def matmul_weight_gradient(x_ptr, dy_ptr, dw_ptr, T, M, N, BM: tl.constexpr, BN: tl.constexpr, BT: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    t = tl.arange(0, BT)
    x_ptrs = x_ptr + t[:, None] * M + m[None, :]
    dy_ptrs = dy_ptr + t[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, T, BT):
        x = tl.load(x_ptrs, mask=(start + t)[:, None] < T, other=0.0)
        dy = tl.load(dy_ptrs, mask=(start + t)[:, None] < T, other=0.0)
        acc += tl.dot(tl.trans(x), dy)
        x_ptrs += BT * M
        dy_ptrs += BT * N
    tl.store(dw_ptr + m[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def gate_up_swiglu(x_ptr, gate_ptr, up_ptr, out_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_n, pid_m = tl.program_id(0), tl.program_id(1)
    m = pid_m * BM + tl.arange(0, BM)
    n = pid_n * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    x_ptrs = x_ptr + m[:, None] * K + k[None, :]
    weights_at = n[None, :] * K + k[:, None]
    gate_ptrs = gate_ptr + weights_at
    up_ptrs = up_ptr + weights_at
    gate = tl.zeros((BM, BN), tl.float32)
    up = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, tl.cdiv(K, BK)):
        x = tl.load(x_ptrs, mask=(m < M)[:, None], other=0.0)
        gate = tl.dot(x, tl.load(gate_ptrs), gate)
        up = tl.dot(x, tl.load(up_ptrs), up)
        x_ptrs += BK
        gate_ptrs += BK
        up_ptrs += BK
    out = gate * tl.sigmoid(gate) * up
    tl.store(out_ptr + m[:, None] * N + n[None, :], out.to(tl.bfloat16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def matmul_lora(x_ptr, w_ptr, down_ptr, up_ptr, out_ptr, M, N, K, scale, RANK: tl.constexpr, BM: tl.constexpr,
                BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    first = pid // in_group * GROUP
    height = min(tiles_m - first, GROUP)
    pid_m = first + pid % in_group % height
    pid_n = pid % in_group // height
    m = (pid_m * BM + tl.arange(0, BM)) % M
    n = (pid_n * BN + tl.arange(0, BN)) % N
    k = tl.arange(0, BK)
    r = tl.arange(0, RANK)
    acc = tl.zeros((BM, BN), tl.float32)
    low = tl.zeros((BM, RANK), tl.float32)
    for start in range(0, K, BK):
        inside = start + k < K
        x = tl.load(x_ptr + m[:, None] * K + (start + k)[None, :], mask=inside[None, :], other=0.0)
        w = tl.load(w_ptr + (start + k)[:, None] * N + n[None, :], mask=inside[:, None], other=0.0)
        down = tl.load(down_ptr + (start + k)[:, None] * RANK + r[None, :], mask=inside[:, None], other=0.0)
        acc = tl.dot(x, w, acc)
        low = tl.dot(x, down, low)
    up = tl.load(up_ptr + r[:, None] * N + n[None, :])
    acc += tl.dot((low * scale).to(tl.float16), up)
    m = pid_m * BM + tl.arange(0, BM)
    n = pid_n * BN + tl.arange(0, BN)
    tl.store(out_ptr + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def matmul_stream_k(a_ptr, b_ptr, c_ptr, M, N, K, total, share, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    steps = tl.cdiv(K, BK)
    tiles_n = tl.cdiv(N, BN)
    begin = pid * share
    end = tl.minimum(begin + share, total)
    k = tl.arange(0, BK)
    while begin < end:
        tile = begin // steps
        first = begin % steps
        last = tl.minimum(steps, first + end - begin)
        m = tile // tiles_n * BM + tl.arange(0, BM)
        n = tile % tiles_n * BN + tl.arange(0, BN)
        a = a_ptr + m[:, None] * K + (first * BK + k)[None, :]
        b = b_ptr + (first * BK + k)[:, None] * N + n[None, :]
        acc = tl.zeros((BM, BN), tl.float32)
        for _ in range(first, last):
            acc = tl.dot(tl.load(a), tl.load(b), acc)
            a += BK
            b += BK * N
        c = c_ptr + m[:, None] * N + n[None, :]
        if (first == 0) & (last == steps):
            tl.store(c, acc)
        else:
            tl.atomic_add(c, acc, sem="relaxed")
        begin += last - first


# Attention.


@triton.jit
def attention_descriptors(q_desc, k_desc, v_desc, out_desc, lse_ptr, length, scale, BM: tl.constexpr, BN: tl.constexpr,
                          D: tl.constexpr):
    head = tl.program_id(1)
    row = head * length + tl.program_id(0) * BM
    q = q_desc.load([row, 0])
    m = tl.full([BM], -float("inf"), tl.float32)
    total = tl.full([BM], 1.0, tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in tl.range(0, length, BN):
        k = k_desc.load([head * length + start, 0]).T
        qk = tl.dot(q, k)
        m_new = tl.maximum(m, tl.max(qk, 1) * scale)
        p = tl.math.exp2(qk * scale - m_new[:, None])
        alpha = tl.math.exp2(m - m_new)
        acc = acc * alpha[:, None]
        v = v_desc.load([head * length + start, 0])
        acc = tl.dot(p.to(tl.bfloat16), v, acc)
        total = total * alpha + tl.sum(p, 1)
        m = m_new
    tl.store(lse_ptr + row + tl.arange(0, BM), m + tl.math.log2(total))
    out_desc.store([row, 0], (acc / total[:, None]).to(tl.bfloat16))


@triton.jit
def attention_inner(acc, total, m, q, k_block, v_block, start_m, begin, end, scale, rows, BM: tl.constexpr,
                    BN: tl.constexpr, MASKED: tl.constexpr):
    k_block = tl.advance(k_block, (0, begin))
    v_block = tl.advance(v_block, (begin, 0))
    for start in range(begin, end, BN):
        start = tl.multiple_of(start, BN)
        qk = tl.dot(q, tl.load(k_block))
        if MASKED:
            inside = rows[:, None] >= (start + tl.arange(0, BN))[None, :]
            qk = qk * scale + tl.where(inside, 0, -1.0e6)
            m_new = tl.maximum(m, tl.max(qk, 1))
            qk -= m_new[:, None]
        else:
            m_new = tl.maximum(m, tl.max(qk, 1) * scale)
            qk = qk * scale - m_new[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m - m_new)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), tl.load(v_block), acc * alpha[:, None])
        m = m_new
        k_block = tl.advance(k_block, (0, BN))
        v_block = tl.advance(v_block, (BN, 0))
    return acc, total, m


@triton.jit
def attention_causal_stages(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, BM: tl.constexpr, BN: tl.constexpr,
                            D: tl.constexpr):
    start_m = tl.program_id(0)
    base = tl.program_id(1).to(tl.int64) * length * D
    rows = start_m * BM + tl.arange(0, BM)
    q_block = tl.make_block_ptr(q_ptr + base, (length, D), (D, 1), (start_m * BM, 0), (BM, D), (1, 0))
    k_block = tl.make_block_ptr(k_ptr + base, (D, length), (1, D), (0, 0), (D, BN), (0, 1))
    v_block = tl.make_block_ptr(v_ptr + base, (length, D), (D, 1), (0, 0), (BN, D), (1, 0))
    out_block = tl.make_block_ptr(out_ptr + base, (length, D), (D, 1), (start_m * BM, 0), (BM, D), (1, 0))
    m = tl.full([BM], -float("inf"), tl.float32)
    total = tl.full([BM], 1.0, tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    q = tl.load(q_block)
    acc, total, m = attention_inner(acc, total, m, q, k_block, v_block, start_m, 0, start_m * BM, scale, rows, BM, BN, False)
    acc, total, m = attention_inner(acc, total, m, q, k_block, v_block, start_m, start_m * BM, (start_m + 1) * BM, scale,
                                    rows, BM, BN, True)
    tl.store(out_block, (acc / total[:, None]).to(tl.float16))


@triton.jit
def attention_window(q_ptr, k_ptr, v_ptr, out_ptr, length, heads, kv_heads, scale, WINDOW: tl.constexpr,
                     BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    start_m = tl.program_id(0) * BM
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    kv = head // (heads // kv_heads)
    rows = start_m + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + ((batch * length + rows)[:, None] * heads + head) * D + d[None, :])
    m = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(tl.maximum(start_m - WINDOW, 0), start_m + BM, BN):
        n = start + tl.arange(0, BN)
        at = ((batch * length + n) * kv_heads + kv) * D
        k = tl.load(k_ptr + at[None, :] + d[:, None])
        qk = tl.dot(q, k) * scale
        far = rows[:, None] - n[None, :]
        qk = tl.where((far >= 0) & (far < WINDOW), qk, -1.0e30)
        m_new = tl.maximum(m, tl.max(qk, 1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(qk - m_new[:, None])
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + at[:, None] + d[None, :])
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m = m_new
    tl.store(out_ptr + ((batch * length + rows)[:, None] * heads + head) * D + d[None, :], (acc / total[:, None]).to(tl.bfloat16))


@triton.jit
def paged_decode(q_ptr, k_ptr, v_ptr, table_ptr, lengths_ptr, out_ptr, scale, table_stride, heads, kv_heads,
                 PAGE: tl.constexpr, GROUP: tl.constexpr, BLOCK_H: tl.constexpr, D: tl.constexpr):
    sequence = tl.program_id(0)
    kv = tl.program_id(1)
    h = tl.arange(0, BLOCK_H)
    d = tl.arange(0, D)
    slot = tl.arange(0, PAGE)
    length = tl.load(lengths_ptr + sequence)
    at = (sequence * heads + kv * GROUP + h)[:, None] * D + d[None, :]
    q = tl.load(q_ptr + at, mask=(h < GROUP)[:, None], other=0.0)
    m = tl.full([BLOCK_H], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK_H], tl.float32)
    acc = tl.zeros([BLOCK_H, D], tl.float32)
    for i in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(table_ptr + sequence * table_stride + i).to(tl.int64)
        base = page * PAGE * kv_heads * D + kv * D
        k = tl.load(k_ptr + base + slot[None, :] * kv_heads * D + d[:, None])
        v = tl.load(v_ptr + base + slot[:, None] * kv_heads * D + d[None, :])
        qk = tl.dot(q, k) * scale
        qk = tl.where((i * PAGE + slot < length)[None, :], qk, -float("inf"))
        m_new = tl.maximum(m, tl.max(qk, 1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(qk - m_new[:, None])
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        total = total * alpha + tl.sum(p, 1)
        m = m_new
    tl.store(out_ptr + at, (acc / total[:, None]).to(tl.float16), mask=(h < GROUP)[:, None])


# Launches: of a kernel and a size, the grid, the arguments and the options.


def power_of_two(n):
    return triton.next_power_of_2(n)


def add_rms_norm_rows_at(t, rows, columns):
    return ((triton.cdiv(rows, 2),), [t((rows, columns)), t((rows, columns)), t((columns,)), t((rows, columns)), t((rows, columns)),
                                     rows, columns, 1e-5], dict(ROWS=2, BLOCK=1024, num_warps=8))


def group_norm_silu_at(t, batch, channels, spatial):
    inside, shape = channels // 32, (batch, channels, spatial)
    return ((batch * 32,), [t(shape, "bfloat16"), t((channels,), "float32"), t((channels,), "float32"), t(shape, "bfloat16"),
                            inside * spatial, inside, spatial, 32, 1e-6], dict(BLOCK=4096, num_warps=8))


def batch_norm_stats_at(t, batch, channels, spatial):
    return ((channels,), [t((batch, channels, spatial), "float32"), t((channels,), "float32"), t((channels,), "float32"), batch,
                          channels, spatial], dict(BLOCK_B=2, BLOCK_S=1024, num_warps=8))


def quantise_rows_int8_at(t, rows, columns):
    return ((rows,), [t((rows, columns), "bfloat16"), t((rows, columns), "int8"), t((rows,), "float32"), columns, columns],
            dict(BLOCK=power_of_two(columns), num_warps=min(max(power_of_two(columns) // 512, 1), 16)))


def dequantise_int4_at(t, rows, columns):
    packed = columns // 8
    return ((triton.cdiv(rows, 32), triton.cdiv(packed, 32)), [t((rows, packed), "int32"), t((rows // 128, columns)),
                                                               t((rows // 128, packed), "int32"), t((rows, columns)), rows, packed],
            dict(GROUP=128, BLOCK_R=32, BLOCK_C=32, num_warps=4))


def silu_and_mul_at(t, rows, width):
    return ((rows, triton.cdiv(width, 2048)), [t((rows, 2 * width), "bfloat16"), t((rows, width), "bfloat16"), 2 * width, width],
            dict(BLOCK=2048, num_warps=4))


def rotary_interleaved_at(t, tokens, heads):
    return ((tokens, triton.cdiv(heads, 8)), [t((tokens, heads, 64), "bfloat16"), t((tokens,), "int64", "index", limit=8192),
                                              t((8192, 32), "float32", "cosine"), t((8192, 32), "float32", "sine"),
                                              t((tokens, heads, 64), "bfloat16"), heads], dict(BLOCK_H=8, D=64, num_warps=2))


def adam_8bit_at(t, n):
    blocks = triton.cdiv(n, 2048)
    return ((blocks,), [t((n,), "bfloat16"), t((n,), "bfloat16"), t((n,), "int8"), t((n,), "uint8"), t((blocks,), "float32", "ones"),
                        t((blocks,), "float32", "ones"), n, 1e-3, 0.9, 0.999, 1e-8, 0.01], dict(BLOCK=2048, num_warps=8))


def kl_divergence_at(t, rows, columns):
    return ((rows,), [t((rows, columns), "float32"), columns, t((rows, columns), "float32", "share"), columns, t((rows,), "float32"),
                      columns, 1e-10], dict(BLOCK=8192, num_warps=16))


def embedding_backward_at(t, tokens, hidden):
    return ((tokens, triton.cdiv(hidden, 512)), [t((tokens,), "int64", "index", limit=32000), t((tokens, hidden), "bfloat16"),
                                                t((32000, hidden), "float32", "zero"), hidden, -1], dict(BLOCK=512, num_warps=4))


def argmax_rows_at(t, rows, columns):
    return ((rows,), [t((rows, columns), "bfloat16"), t((rows,), "float32"), t((rows,), "int32"), columns, columns],
            dict(BLOCK=8192, num_warps=8))


def top_k_gating_at(t, rows, experts):
    return ((triton.cdiv(rows, 16),), [t((rows, experts), "bfloat16"), t((rows, 8), "float32"), t((rows, 8), "int32"), rows],
            dict(EXPERTS=experts, TOP=8, ROWS=16, num_warps=4))


def max_pool_3x3_at(t, planes, size):
    half = size // 2
    n = planes * half * half
    return ((triton.cdiv(n, 512),), [t((planes, size, size)), t((planes, half, half)), size, size, half, half, n],
            dict(BLOCK=512, num_warps=4))


def selective_scan_at(t, batch, length, channels):
    wide, narrow = (batch, length, channels), (batch, length, 16)
    return ((channels // 32, batch), [t(wide, "bfloat16"), t(wide, "bfloat16"), t((channels, 16), "float32", "negative"), t(narrow, "bfloat16"),
                                     t(narrow, "bfloat16"), t((channels,), "float32"), t(wide, "bfloat16"), length, channels],
            dict(STATES=16, BLOCK_D=32, num_warps=2))


def chunk_sums_reversed_at(t, batch, length, heads, width):
    return ((width // 64, length // 64, batch * heads), [t((batch, length, heads, width), "bfloat16"),
                                                         t((batch, length, heads, width), "float32"), length],
            dict(H=heads, S=width, BT=64, BS=64, num_warps=4))


def matmul_bias_gelu_at(t, m, n, k):
    return ((triton.cdiv(m, 128) * triton.cdiv(n, 128),), [t((m, k), "bfloat16"), t((k, n), "bfloat16"), t((n,), "bfloat16"),
                                                          t((m, n), "bfloat16"), m, n, k],
            dict(BM=128, BN=128, BK=64, GROUP=4, num_warps=4, num_stages=4))


def matmul_weight_gradient_at(t, tokens, m, n):
    return ((triton.cdiv(m, 64), triton.cdiv(n, 128)), [t((tokens, m)), t((tokens, n)), t((m, n), "float32"), tokens, m, n],
            dict(BM=64, BN=128, BT=32, num_warps=4, num_stages=4))


def gate_up_swiglu_at(t, m, n, k):
    return ((n // 64, triton.cdiv(m, 128)), [t((m, k), "bfloat16"), t((n, k), "bfloat16"), t((n, k), "bfloat16"), t((m, n), "bfloat16"),
                                            m, n, k], dict(BM=128, BN=64, BK=64, num_warps=8, num_stages=3))


def matmul_lora_at(t, m, n, k):
    return ((triton.cdiv(m, 64) * triton.cdiv(n, 64),), [t((m, k)), t((k, n)), t((k, 16)), t((16, n)), t((m, n)), m, n, k, 2.0],
            dict(RANK=16, BM=64, BN=64, BK=32, GROUP=8, num_warps=4, num_stages=4))


def matmul_stream_k_at(t, m, n, k):
    total = (m // 128) * (n // 128) * (k // 64)
    return ((132,), [t((m, k)), t((k, n)), t((m, n), "float32", "zero"), m, n, k, total, triton.cdiv(total, 132)],
            dict(BM=128, BN=128, BK=64, num_warps=8, num_stages=3))


def attention_descriptors_at(t, heads, length, depth):
    rows = heads * length
    q, k, v, out = (t((rows, depth), "bfloat16") for _ in range(4))
    bn = 64 if depth == 128 else 128
    tall = lambda x: TensorDescriptor(x, [rows, depth], [depth, 1], [128, depth])
    flat = lambda x: TensorDescriptor(x, [rows, depth], [depth, 1], [bn, depth])
    return ((length // 128, heads), [tall(q), flat(k), flat(v), tall(out), t((heads, length), "float32"), length,
                                     1.44269504 / depth**0.5], dict(BM=128, BN=bn, D=depth, num_warps=8, num_stages=3))


def attention_causal_stages_at(t, heads, length, depth):
    return ((length // 128, heads), [*[t((heads, length, depth)) for _ in range(4)], length, 1.44269504 / depth**0.5],
            dict(BM=128, BN=64, D=depth, num_warps=4 if depth == 64 else 8, num_stages=4 if depth == 64 else 3))


def attention_window_at(t, batch, length, heads):
    kv, depth = heads // 4, 64
    q, k = (batch, length, heads, depth), (batch, length, kv, depth)
    return ((length // 64, batch * heads), [t(q, "bfloat16"), t(k, "bfloat16"), t(k, "bfloat16"), t(q, "bfloat16"), length, heads, kv,
                                           0.125], dict(WINDOW=1024, BM=64, BN=64, D=depth, num_warps=4, num_stages=2))


def paged_decode_at(t, batch, length):
    heads, kv, depth, page = 32, 8, 128, 16
    pages = batch * (length // page)
    cache = (pages, page, kv, depth)
    return ((batch, kv), [t((batch, heads, depth)), t(cache), t(cache), t((batch, length // page), "int32", "permuted"),
                          t.values("int32", lengths(batch, length)), t((batch, heads, depth)), 0.0883883, length // page,
                          heads, kv], dict(PAGE=page, GROUP=heads // kv, BLOCK_H=16, D=depth, num_warps=4, num_stages=3))


HALVES = False  # all of it is judged


def lengths(batch, length):
    return [length - i % 7 for i in range(batch)]


# What whoever launches knows of the contents of arguments, by the name that a prediction takes it by.
STATED = {"paged_decode": lambda batch, length: {"paged_decode_param_4.length": sum(lengths(batch, length)) / batch}}

LAUNCHES = {
    "add_rms_norm_rows": [(4096, 2560), (16384, 6144)],
    "group_norm_silu": [(8, 320, 4096), (16, 640, 9216)],
    "batch_norm_stats": [(32, 256, 784), (64, 528, 3136)],
    "quantise_rows_int8": [(2048, 4096), (16384, 11008)],
    "dequantise_int4": [(2048, 4096), (11008, 8192)],
    "silu_and_mul": [(1024, 11008), (8192, 14336)],
    "rotary_interleaved": [(4096, 32), (32768, 40)],
    "adam_8bit": [(5000000,), (120000000,)],
    "kl_divergence": [(512, 32000), (2048, 128256)],
    "embedding_backward": [(4096, 1024), (16384, 4096)],
    "argmax_rows": [(256, 128256), (4096, 50304)],
    "top_k_gating": [(16384, 64), (65536, 128)],
    "max_pool_3x3": [(1024, 112), (16384, 56)],
    "selective_scan": [(4, 512, 2048), (16, 1024, 4096)],
    "chunk_sums_reversed": [(2, 2048, 8, 128), (8, 4096, 16, 128)],
    "matmul_bias_gelu": [(2048, 3072, 768), (4096, 11008, 4096)],
    "matmul_weight_gradient": [(8192, 768, 3072), (4096, 4096, 4096)],
    "gate_up_swiglu": [(256, 5632, 2048), (4096, 8192, 4096)],
    "matmul_lora": [(1024, 4096, 1024), (4096, 4096, 4096)],
    "matmul_stream_k": [(1536, 1280, 4096), (3584, 2560, 8192)],
    "attention_descriptors": [(32, 1024, 64), (32, 4096, 128)],
    "attention_causal_stages": [(48, 1024, 64), (32, 4096, 128)],
    "attention_window": [(1, 4096, 32), (4, 8192, 16)],
    "paged_decode": [(16, 2048), (128, 4096)],
}
