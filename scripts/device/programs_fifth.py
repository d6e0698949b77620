"""Launches of data/h100/programs-fifth: what people run today (write-programs)."""
import hashlib
import json
import os
import re

from programs_launches import LAUNCHES, bf16, f16, f32, f64, launch, permutation, ramp, s32, s64, u8, u32, u64, up, zero


def inference():
    for size, tokens, hidden in [('small', 512, 4096), ('medium', 4000, 5120), ('large', 60000, 8192)]:
        launch('norms', 'rmsnorm_bf16', size, tokens, 256, {'hidden': hidden, 'eps': 1e-6},
               {'x': bf16(tokens * hidden, -1), 'w': bf16(hidden), 'y': zero(tokens * hidden, 'bf16')}, 'y')
    for size, tokens, hidden, block in [('small', 300, 4096, 512), ('medium', 5000, 3584, 448), ('large', 50000, 7168, 896)]:
        launch('norms', 'fused_add_rmsnorm_half', size, tokens, block, {'eps': 1e-5, 'hidden': hidden},
               {'input': f16(tokens * hidden, -1), 'residual': f16(tokens * hidden, -1), 'weight': f16(hidden)}, 'input residual')
    f = 'rope_cache'
    for size, tokens, heads, kv, head in [('small', 512, 32, 8, 128), ('medium', 8192, 28, 4, 128), ('large', 100000, 64, 8, 64)]:
        launch(f, 'rotary_neox', size, tokens, 512, {'rot_dim': head, 'query_stride': heads * head, 'key_stride': kv * head, 'num_heads': heads,
               'num_kv_heads': kv, 'head_size': head}, {'positions': s64(tokens, 0, 4096), 'query': f16(tokens * heads * head, -1),
               'key': f16(tokens * kv * head, -1), 'cos_sin': f32(4096 * head, -1)}, 'query key', depends='which rows positions ask for')
    for size, tokens, heads, block in [('small', 400, 8, 512), ('medium', 6000, 8, 256), ('large', 60000, 16, 512)]:
        n = heads * 128
        launch(f, 'append_to_cache', size, tokens, block, {'key_stride': n, 'value_stride': n, 'num_heads': heads, 'head_size': 128, 'block_size': 16},
               {'key': f16(tokens * n), 'value': f16(tokens * n), 'key_cache': zero(tokens * n, 'f16'), 'value_cache': zero(tokens * n, 'f16'),
                'slot_mapping': permutation(tokens, 's64') if size == 'small' else ramp(tokens, 1, 1, 's64')}, 'key_cache value_cache',
               depends='which slots tokens have')
    f = 'paged_attention'
    for size, heads, kv, seqs, lengths, pages in [('small', 32, 8, 4, (200, 600), 512), ('medium', 32, 8, 64, (500, 2000), 8192),
                                                  ('large', 64, 8, 200, (1000, 4000), 40000)]:
        most = up(lengths[1], 16)
        launch(f, 'paged_decode', size, (heads, seqs), 128, {'kv_heads': kv, 'max_pages': most, 'scale': 0.088388},
               {'q': f16(seqs * heads * 128), 'k_cache': f16(pages * 16 * kv * 128), 'v_cache': f16(pages * 16 * kv * 128), 'block_tables': s32(seqs * most, 0, pages),
                'context_lens': s32(seqs, *lengths), 'out': zero(seqs * heads * 128, 'f16')}, 'out', depends='how long sequences are, and where their pages')
    for size, heads, seqs, splits in [('small', 32, 16, 8), ('medium', 32, 250, 16), ('large', 64, 1000, 48)]:
        rows = heads * seqs
        launch(f, 'combine_splits', size, (heads, seqs), 128, {'splits': splits}, {'partial': f32(rows * splits * 128), 'lse': f32(rows * splits, -2, 2),
               'out': zero(rows * 128, 'f16')}, 'out', shared=4 * splits)
    f = 'quantized'
    for size, rows, cols in [('small', 2048, 2048), ('medium', 14336, 4096), ('large', 128256, 8192)]:
        launch(f, 'gemv_int4', size, up(rows, 4), (32, 4), {'rows': rows, 'cols': cols}, {'qweight': u32(rows * cols // 8), 'scales': f16(rows * cols // 128, 0, 0.1),
               'zeros': {**u8(rows * cols // 128), 'high': 16}, 'x': f16(cols, -1), 'y': zero(rows, 'f16')}, 'y')
    for size, rows, blocks in [('small', 2048, 64), ('medium', 11008, 128), ('large', 152064, 160)]:
        launch(f, 'gemv_q8_blocks', size, rows // 2, (32, 4), {'blocks': blocks}, {'w': {**u8(rows * blocks * 34), 'high': 60}, 'x': {**u8(blocks * 34), 'high': 60},
               'y': zero(rows)}, 'y')


def training():
    f = 'training'
    for size, tokens, d, block in [('small', 256, 11008, 1024), ('medium', 2048, 14336, 512), ('large', 20000, 14336, 256)]:
        launch(f, 'swiglu_bf16', size, tokens, block, {'d2': d // 2}, {'out': zero(tokens * d, 'bf16'), 'in': bf16(2 * tokens * d, -2, 2)}, 'out')
    for size, n, block in [('small', 1000000, 512), ('medium', 20000007, 512), ('large', 180000000, 256)]:
        launch(f, 'adamw_master', size, up(n, block), block, {'n': n, 'lr': 0.001, 'beta1': 0.9, 'beta2': 0.95, 'eps': 1e-8, 'decay': 0.1, 'correction1': 0.5,
               'correction2': 0.3, 'scale': 0.5}, {'params': bf16(n, -1), 'master': f32(n, -1), 'grads': bf16(n, -1), 'm': f32(n, -0.1, 0.1), 'v': f32(n, 0, 0.01)},
               'params master m v')
    f = 'sampling'
    for size, rows, vocab in [('small', 32, 32000), ('medium', 256, 128256), ('large', 4096, 50257)]:
        launch(f, 'kth_logit', size, rows, 512, {'vocab': vocab, 'k': 40}, {'logits': f32(rows * vocab, -10, 10), 'threshold': zero(rows)}, 'threshold',
               depends='which logits have the digits so far')
    for size, rows, vocab, block in [('small', 128, 32000, 256), ('medium', 2048, 50304, 256), ('large', 16000, 50304, 512)]:
        launch(f, 'xent_backward', size, (up(vocab // 8, block), rows), block, {'vocab': vocab, 'scale': 0.01}, {'logits': bf16(rows * vocab, -4, 4),
               'lse': f32(rows, 8, 12), 'labels': s64(rows, -100, vocab), 'grad': zero(rows * vocab, 'bf16')}, 'grad', depends='which rows count')
    f = 'random_numbers'
    for size, quads, blocks in [('small', 100000, 391), ('medium', 5000000, 1056), ('large', 60000000, 2112)]:
        launch(f, 'dropout_philox', size, blocks, 256, {'quads': quads, 'keep': 0.9, 'seed': 1234, 'offset': 8}, {'in': f32(4 * quads, -1), 'out': zero(4 * quads),
               'mask': zero(4 * quads, 'u8')}, 'out mask')
    for size, paths, steps, blocks in [('small', 20000, 32, 79), ('medium', 300000, 100, 528), ('large', 4000000, 252, 1056)]:
        launch(f, 'basket_paths', size, blocks, 256, {'paths': paths, 'steps': steps, 'dt': 0.004, 'rate': 0.02, 'strike': 100.0}, {'sums': zero(blocks)}, 'sums')
    f = 'tensor_tiles'
    for size, m, n, k in [('small', 512, 512, 512), ('medium', 2048, 1536, 1024), ('large', 4096, 8192, 4096)]:
        launch(f, 'gemm_fragments', size, (n // 64, m // 64), 128, {'m': m, 'n': n, 'k': k}, {'a': bf16(m * k), 'b': bf16(k * n), 'c': zero(m * n)}, 'c')
    for size, images, side, channels, outputs in [('small', 1, 28, 128, 128), ('medium', 8, 56, 128, 256), ('large', 32, 57, 256, 256)]:
        pixels = images * side * side
        launch(f, 'conv3_fragments', size, (up(pixels, 64), outputs // 64), 128, {'images': images, 'height': side, 'width': side, 'channels': channels, 'outputs': outputs},
               {'in': f16(pixels * channels, -1), 'filters': f16(9 * channels * outputs, -0.1, 0.1), 'out': zero(pixels * outputs, 'f16')}, 'out')
    f = 'fields'
    for size, images, channels, side, out in [('small', 1, 3, 256, 256), ('medium', 4, 32, 128, 130), ('large', 16, 64, 200, 256)]:
        n = images * out * out
        launch(f, 'sample_bilinear', size, up(n, 256), 256, {'nthreads': n, 'channels': channels, 'in_h': side, 'in_w': side, 'out_h': out, 'out_w': out},
               {'input': f32(images * channels * side * side), 'grid': f32(2 * n, -1), 'output': zero(n * channels)}, 'output', depends='where the samples are')
    for size, n, bits in [('small', 10000, 15), ('medium', 200000, 19), ('large', 2000000, 19)]:
        launch(f, 'encode_hashed', size, (up(n, 512), 16), 512, {'n': n, 'bits': bits, 'base': 16.0, 'log2_growth': 0.43},
               {'points': f32(3 * n), 'tables': f16(32 << bits, -1), 'features': zero(32 * n, 'f16')}, 'features', depends='where the points are')


def primitives():
    f = 'block_primitives'
    for size, n in [('small', 1000000), ('medium', 20000003), ('large', 200000001)]:
        blocks = up(n, 1920)
        launch(f, 'scan_tiles', size, blocks, 128, {'n': n}, {'in': s32(n), 'out': zero(n, 's32'), 'totals': zero(blocks, 's32')}, 'out totals')
    for size, tiles in [('small', 264), ('medium', 4000), ('large', 50000)]:
        launch(f, 'sort_tiles', size, tiles, 256, {}, {'keys_in': u32(2048 * tiles), 'values_in': u32(2048 * tiles), 'keys_out': zero(2048 * tiles, 'u32'),
               'values_out': zero(2048 * tiles, 'u32')}, 'keys_out values_out', depends='where keys go in shared memory')
    f = 'histograms'
    for size, n16, blocks in [('small', 200000, 264), ('medium', 4000000, 528), ('large', 50000000, 1056)]:
        launch(f, 'byte_histogram', size, blocks, 256, {'n16': n16}, {'data': u32(4 * n16), 'bins': zero(256, 'u32')}, 'bins', depends='which bins lanes meet at')
    for size, n in [('small', 1000000), ('medium', 20000000), ('large', 200000000)]:
        blocks = up(n, 3072)
        launch(f, 'digit_upsweep', size, blocks, 256, {'n': n, 'shift': 6}, {'keys': u32(n), 'counts': zero(64 * blocks, 'u32')}, 'counts', depends='which digits lanes share')
    f = 'lookups'
    for size, chunks in [('small', 30000), ('medium', 500000), ('large', 8000000)]:
        launch(f, 'shift_and', size, up(chunks, 256), 256, {'chunks': chunks, 'length': 8}, {'text': u32(16 * chunks + 4), 'masks': u32(256), 'found': zero(1, 'u32')}, 'found',
               depends='which entries bytes ask for, and where matches end')
    for size, n, bits, blocks in [('small', 200000, 16, 264), ('medium', 5000000, 22, 1056), ('large', 40000000, 26, 2112)]:
        launch(f, 'cuckoo_find', size, blocks, 256, {'n': n, 'mask': (1 << bits) - 1}, {'slots': u64(2 << bits), 'keys': u64(n), 'values': zero(n, 'u64')}, 'values',
               depends='which slots keys have')
    f = 'graphs'
    for size, n, block in [('small', 60000, 256), ('medium', 1000000, 256), ('large', 10000000, 512)]:
        launch(f, 'search_from_below', size, up(n, block), block, {'n': n}, {'offsets': ramp(n + 1, 16, 12, 'u32'), 'edges': {**u32(16 * n + 16), 'high': n},
               'frontier': u32(up(n, 32)), 'visited': u32(up(n, 32)), 'next': zero(up(n, 32), 'u32'), 'parent': zero(n, 's32')}, 'next parent',
               depends='rows, their ends, and which vertices are on the frontier')
    for size, n, block in [('small', 40000, 128), ('medium', 400000, 256), ('large', 5000000, 256)]:
        launch(f, 'pull_ranks', size, up(n, block), block, {'n': n, 'damping': 0.85}, {'offsets': ramp(n + 1, 16, 12, 'u32'), 'edges': {**u32(16 * n + 16), 'high': n},
               'shares': f32(n), 'inverse_degree': f32(n), 'rank': zero(n), 'next_shares': zero(n)}, 'rank next_shares', depends='rows and their ends')
    f = 'sparse_formats'
    for size, rows, width, block in [('small', 50000, 16, 128), ('medium', 500000, 27, 256), ('large', 3000000, 32, 256)]:
        pitch = up(rows, 32) * 32
        launch(f, 'ell_product', size, up(rows, block), block, {'rows': rows, 'width': width, 'pitch': pitch}, {'columns': s32(pitch * width, 0, rows),
               'values': f64(pitch * width), 'x': f64(rows), 'y': zero(rows, 'f64')}, 'y', depends='which columns rows have')
    for size, rows, block in [('small', 40000, 128), ('medium', 400000, 256), ('large', 4000000, 256)]:
        launch(f, 'csr_tile_product', size, up(8 * rows, block), block, {'rows': rows, 'alpha': 1.5, 'beta': 0.0}, {'offsets': ramp(rows + 1, 20, 16, 's64'),
               'columns': s32(20 * rows + 20, 0, rows), 'values': f32(20 * rows + 20), 'x': f32(rows), 'y': zero(rows)}, 'y', depends='rows, their ends, and columns')


def science():
    f = 'finite_volume'
    for size, nx, ny, block in [('small', 500, 400, (32, 4)), ('medium', 2000, 1500, (64, 4)), ('large', 8000, 5000, (128, 2))]:
        cells, faces = nx * ny, (nx + 1) * ny
        launch(f, 'hllc_faces', size, (up(nx + 1, block[0]), up(ny, block[1])), block, {'nx': nx, 'ny': ny},
               {'rho': f64(cells, 1, 2), 'mx': f64(cells, -0.5, 0.5), 'my': f64(cells, -0.5, 0.5), 'en': f64(cells, 3, 4),
                **{f'f{k}': zero(faces, 'f64') for k in range(4)}}, 'f0 f1 f2 f3', depends='which side of a fan a face is on')
    for size, nx, ny, nz in [('small', 128, 128, 64), ('medium', 300, 300, 200), ('large', 700, 600, 500)]:
        n = nx * ny * nz
        launch(f, 'weno_derivative', size, (up(nx, 32), up(ny, 8), nz), (32, 8), {'nx': nx, 'ny': ny, 'nz': nz, 'inverse_h': 100.0},
               {'phi': f32(n), 'velocity': f32(n, -1), 'rate': zero(n)}, 'rate', depends='which way the velocity points')
    f = 'lattice'
    for size, sides in [('small', (16, 16, 16, 16)), ('medium', (24, 24, 24, 48)), ('large', (32, 32, 32, 128))]:
        volume = sides[0] * sides[1] * sides[2] * sides[3]
        launch(f, 'plaquettes', size, up(volume, 128), 128, dict(zip(('nx', 'ny', 'nz', 'nt'), sides)), {'links': f32(72 * volume, -1), 'total': zero(1, 'f64')}, 'total')
    for size, sides, block in [('small', (12, 12, 12, 24), 64), ('medium', (32, 32, 32, 30), 128), ('large', (48, 48, 48, 48), 128)]:
        volume = sides[0] * sides[1] * sides[2] * sides[3]
        launch(f, 'staggered_hop', size, up(volume, block), block, {**dict(zip(('nx', 'ny', 'nz', 'nt'), sides)), 'mass': 0.1},
               {'links': f32(72 * volume, -1), 'psi': f32(6 * volume, -1), 'out': zero(6 * volume)}, 'out')
    f = 'molecular'
    for size, n, block in [('small', 20000, 64), ('medium', 200000, 128), ('large', 1500000, 256)]:
        pitch = up(n, 32) * 32
        launch(f, 'lennard_jones_lists', size, up(n, block), block, {'n': n, 'pitch': pitch, 'length': 20.0, 'cut2': 100.0, 'lj1': 1.0, 'lj2': 1.0, 'shift': 0.001},
               {'pos': f32(4 * n, 0, 20), 'n_neigh': s32(n, 40, 71), 'neigh': s32(70 * pitch, 0, n), 'force': zero(4 * n)}, 'force',
               depends='how many neighbours particles have, and which')
    for size, n, block in [('small', 30000, 128), ('medium', 400000, 128), ('large', 4000000, 256)]:
        launch(f, 'harmonic_angles', size, up(n, block), block, {'n': n, 'length': 20.0}, {'pos': f32(4 * n, 0, 20), 'angles': s32(3 * n, 0, n),
               'types': {**u8(n), 'high': 8}, 'kinds': f32(16, 1, 2), 'force': zero(3 * n)}, 'force', depends='which atoms angles have')
    f = 'rendering'
    for size, w, h, block in [('small', 512, 384, (8, 8)), ('medium', 1920, 1080, (16, 8)), ('large', 3840, 2160, (32, 4))]:
        launch(f, 'march_rays', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'time': 1.0}, {'image': zero(4 * w * h)}, 'image',
               depends='how far rays go')
    for size, w, h, n in [('small', 400, 300, 100000), ('medium', 1280, 720, 500000), ('large', 3840, 2160, 3000000)]:
        tiles = up(w, 16) * up(h, 16)
        launch(f, 'blend_tiles', size, (up(w, 16), up(h, 16)), (16, 16), {'width': w, 'height': h}, {'starts': ramp(tiles + 1, 300, 256), 'ids': s32(300 * tiles + 600, 0, n),
               'centers': f32(2 * n, 0, 16), 'conics': f32(4 * n, 0.01, 0.3), 'colors': f32(3 * n), 'image': zero(3 * w * h)}, 'image',
               depends='how many ellipses tiles have, and how opaque they are')
    f = 'codec'
    for size, w, h in [('small', 512, 512), ('medium', 1920, 1080), ('large', 8000, 6000)]:
        launch(f, 'dct_quantize', size, (up(w, 32), up(h, 8)), (8, 8, 4), {'width': w, 'height': h, 'quality': 0.5},
               {'image': u8(w * h), 'coefficients': zero(up(w, 8) * up(h, 8) * 64, 's16')}, 'coefficients')
    for size, w, h in [('small', 1000, 768), ('medium', 4096, 3000), ('large', 16000, 12000)]:
        launch(f, 'integral_rows', size, h, 256, {'quads': w // 4}, {'image': u8(w * h), 'sums': zero(w * h, 'u32')}, 'sums')
    f = 'batched_small'
    for size, count in [('small', 2000), ('medium', 40000), ('large', 1000001)]:
        launch(f, 'lu_registers', size, up(count, 8), 128, {'count': count, 'raise': 16.0}, {'in': f32(256 * count), 'out': zero(256 * count)}, 'out')
    for size, n, batch, block in [('small', 64, 4000, 64), ('medium', 128, 50000, 128), ('large', 256, 200000, 256)]:
        launch(f, 'thomas_interleaved', size, up(batch, block), block, {'n': n, 'batch': batch}, {'a': f64(n * batch), 'b': f64(n * batch, 3, 4), 'c': f64(n * batch),
               'd': f64(n * batch), 'x': zero(n * batch, 'f64'), 'scratch': zero(n * batch, 'f64')}, 'x')
    f = 'spectral'
    for size, rows in [('small', 500), ('medium', 8000), ('large', 100000)]:
        launch(f, 'fft1024', size, rows, 256, {}, {'in': f32(2048 * rows, -1), 'out': zero(2048 * rows), 'table': f32(2048, -1)}, 'out')
    for size, bits, stage in [('small', 18, 4), ('medium', 22, 10), ('large', 26, 20)]:
        launch(f, 'prime_stage', size, (1 << bits - 1) // 256, 256, {'bits': bits, 'stage': stage}, {'data': u64(1 << bits), 'twiddles': u64(1 << bits - 1)}, 'data')


def split(folder):
    """Halves by the hash of a kernel's name: of the kernels in this order the first half is judged."""
    kernels = []
    for file in sorted({row['file'] for row in LAUNCHES}):
        text = open(os.path.join(folder, file)).read()
        kernels += [f'{file[:-3]} {kernel}' for kernel in re.findall(r'^extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(', text, re.M)]
    kernels.sort(key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    half = len(kernels) // 2
    json.dump({'judged': sorted(kernels[:half]), 'learned': sorted(kernels[half:])}, open(os.path.join(folder, 'split.json'), 'w'), indent=1)
