"""What the first launch of a kernel of triton_third.py gave, and what it should have given."""
import torch

F = torch.nn.functional


def normed(a):
    h = a[0].float() + a[1].float()
    return a[4], h * torch.rsqrt(h.square().mean(1, keepdim=True) + a[7]) * a[2].float()


def unpacked(words):
    return ((words[..., None] >> (4 * torch.arange(8, device='cuda'))) & 15).flatten(-2)


def dequantised(a):
    zeros, scales = unpacked(a[2]).repeat_interleave(128, 0), a[1].repeat_interleave(128, 0)
    return a[3], (unpacked(a[0]) - zeros).float() * scales.float()


def turned(a):
    x, cos, sin = a[0].float(), a[2][a[1]][:, None], a[3][a[1]][:, None]
    first, second = x[..., 0::2], x[..., 1::2]
    return a[4], torch.stack([first * cos - second * sin, second * cos + first * sin], -1).flatten(-2)


def gated(a):
    width = a[3]
    return a[1], F.silu(a[0][:, :width].float()) * a[0][:, width:].float()


def scattered(a):
    wanted = torch.zeros_like(a[2])
    return a[2], wanted.index_add_(0, a[0], a[1].float())


def scanned(a):
    """Of the first 16 steps of the first batch."""
    u, delta, b, c = a[0][0].float(), F.softplus(a[1][0].float()), a[3][0].float(), a[4][0].float()
    state, out = torch.zeros_like(a[2]), []
    for t in range(16):
        state = state * torch.exp(delta[t][:, None] * a[2]) + (delta[t] * u[t])[:, None] * b[t]
        out.append((state * c[t]).sum(1) + u[t] * a[5])
    return a[6][0, :16], torch.stack(out)


def summed(a):
    parts = a[0][:1].float().unflatten(1, (-1, 64))
    return a[1][:1], parts.flip(2).cumsum(2).flip(2).flatten(1, 2)


def attended(q, k, v, mask, scale):
    return torch.softmax(q.float() @ k.float().transpose(-1, -2) * scale + mask, -1) @ v.float()


def whole(a):
    """Of the first head; the scale is for powers of two."""
    q, k, v, out = (x.base[:a[5]] for x in a[:4])
    return out, attended(q, k, v, 0, a[6] / 1.44269504)


def causal(a):
    far = torch.ones((a[4], a[4]), device='cuda').tril() - 1
    return a[3][0], attended(a[0][0], a[1][0], a[2][0], far * 1e30, a[5] / 1.44269504)


def windowed(a):
    i = torch.arange(a[4], device='cuda')
    far = i[:, None] - i[None, :]
    mask = torch.where((far >= 0) & (far < 1024), 0.0, float('-inf'))
    return a[3][0, :, 5], attended(a[0][0, :, 5], a[1][0, :, 1], a[2][0, :, 1], mask, a[7])


def paged(a):
    """Of the third sequence and its first four heads."""
    length = int(a[4][2])
    k, v = (x[a[3][2].long()].flatten(0, 1)[:length, 0] for x in a[1:3])
    return a[5][2, :4], attended(a[0][2, :4], k, v, 0, a[6])


CHECKS = {
    'add_rms_norm_rows': normed,
    'group_norm_silu': lambda a: (a[3], F.silu(F.group_norm(a[0].float(), 32, a[1], a[2], a[8]))),
    'batch_norm_stats': lambda a: (a[2], a[0].var((0, 2), unbiased=False)),
    'quantise_rows_int8': lambda a: (a[1].float() * a[2][:, None], a[0]),
    'dequantise_int4': dequantised,
    'silu_and_mul': gated,
    'rotary_interleaved': turned,
    'kl_divergence': lambda a: (a[4], (a[2] * (a[2].clamp(min=a[6]).log() - a[0])).sum(1)),
    'embedding_backward': scattered,
    'argmax_rows': lambda a: (a[0].gather(1, a[2].long()[:, None])[:, 0], a[0].max(1).values),
    'top_k_gating': lambda a: (a[1], F.normalize(torch.topk(torch.softmax(a[0].float(), 1), 8).values, 1, 1)),
    'max_pool_3x3': lambda a: (a[1], F.max_pool2d(a[0][None].float(), 3, 2, 1)[0]),
    'selective_scan': scanned,
    'chunk_sums_reversed': summed,
    'matmul_bias_gelu': lambda a: (a[3], F.gelu(a[0].float() @ a[1].float() + a[2].float())),
    'matmul_weight_gradient': lambda a: (a[2], a[0].float().T @ a[1].float()),
    'gate_up_swiglu': lambda a: (a[3], F.silu(a[0].float() @ a[1].float().T) * (a[0].float() @ a[2].float().T)),
    'matmul_lora': lambda a: (a[4], a[0].float() @ a[1].float() + a[8] * (a[0].float() @ a[2].float()) @ a[3].float()),
    'matmul_stream_k': lambda a: (a[2], a[0].float() @ a[1].float()),
    'attention_descriptors': whole,
    'attention_causal_stages': causal,
    'attention_window': windowed,
    'paged_decode': paged,
}
