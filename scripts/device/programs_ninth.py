"""Launches of data/h200/programs-ninth: a ninth set that is kept back whole (write-programs)."""
import hashlib
import json
import os
import re

from programs_launches import LAUNCHES, bf16, f16, f32, f64, launch, ramp, s32, s64, u8, u32, u64, up, zero


def clang():
    f = 'odd_products.cl'
    for size, n, k in [('small', 300, 200), ('medium', 1500, 700), ('large', 5000, 1111)]:
        tiles = up(n, 32)
        launch(f, 'syrk_tile_lower', size, (tiles, tiles), (32, 8), {'n': n, 'k': k, 'alpha': 0.5, 'beta': 0.25}, {'A': f32(n * k), 'C': f32(n * n)}, 'C')
    for size, m, n, batch in [('small', 333, 129, 40), ('medium', 1000, 517, 90), ('large', 2047, 1025, 200)]:
        lda = n + 3
        launch(f, 'gemv_transposed_batched', size, (up(n, 128), batch), 128, {'m': m, 'n': n, 'lda': lda}, {'A': f32(m * lda * batch), 'x': f32(m * batch), 'y': zero(n * batch)}, 'y')
    f = 'tones.cl'
    for size, channels, length, bins in [('small', 24, 1000, 100), ('medium', 160, 8000, 300), ('large', 1000, 16000, 500)]:
        launch(f, 'goertzel_bank', size, (up(bins, 64), channels), 64, {'length': length, 'bins': bins},
               {'samples': f32(channels * length, -1), 'cosines': f32(bins, -1), 'power': zero(channels * bins)}, 'power')
    for size, count, up_by, down_by, taps, block in [('small', 100000, 3, 2, 24, 128), ('medium', 2000000, 147, 160, 31, 192), ('large', 25000000, 5, 7, 40, 256)]:
        launch(f, 'polyphase_fir', size, up(count, block), block, {'count': count, 'L': up_by, 'M': down_by, 'K': taps},
               {'in': f32(2 * (count * down_by // up_by + taps + 8), -1), 'taps': f32(up_by * taps, -1), 'out': zero(2 * count)}, 'out')
    f = 'video_tools.cl'
    for size, wide, high in [('small', 80, 60), ('medium', 240, 136), ('large', 1024, 1024)]:
        n = 64 * wide * high
        launch(f, 'satd_8x8', size, wide * high // 8, (8, 8), {'stride': 8 * wide, 'blocks_wide': wide}, {'source': u8(n), 'predicted': u8(n), 'cost': zero(wide * high, 'u16')}, 'cost')
    for size, w, h, block in [('small', 1280, 720, (32, 4)), ('medium', 3840, 2160, (64, 2)), ('large', 15360, 8640, (128, 1))]:
        quads, pairs = w // 4, h // 2
        launch(f, 'planar_to_p010', size, (up(quads, block[0]), up(pairs, block[1])), block, {'quads': quads, 'pairs_of_lines': pairs},
               {'y': u8(w * h), 'u': u8(w * h // 4), 'v': u8(w * h // 4), 'luma': zero(w * h, 'u16'), 'chroma': zero(w * h // 2, 'u16')}, 'luma chroma')
    f = 'textures_of_pixels.cl'
    for size, w, h, block in [('small', 1000, 700, (32, 8)), ('medium', 4000, 3001, (16, 16)), ('large', 18000, 12000, (64, 4))]:
        launch(f, 'lbp_codes', size, (up(w - 2, block[0]), up(h - 2, block[1])), block, {'width': w, 'height': h}, {'in': u8(w * h), 'out': zero(w * h, 'u8')}, 'out')
    for size, w, h in [('small', 400, 300), ('medium', 1920, 1080), ('large', 9001, 6000)]:
        launch(f, 'morph_close_tile', size, (up(w, 16), up(h, 16)), (16, 16), {'width': w, 'height': h}, {'in': f32(w * h), 'out': zero(w * h)}, 'out')
    f = 'diffusion_leaf.cl'
    for size, x, y, block in [('small', 500, 400, (64, 2)), ('medium', 2500, 2000, (64, 4)), ('large', 8000, 6001, (128, 2))]:
        n = (x + 4) * (y + 4)
        launch(f, 'cheby_iterate_p', size, (up(x + 4, block[0]), up(y + 4, block[1])), block, {'x_max': x, 'y_max': y, 'alpha': 0.9, 'beta': 0.1},
               {'u': f64(n), 'u0': f64(n), 'p': f64(n), 'Kx': f64(n, 0, 0.1), 'Ky': f64(n, 0, 0.1)}, 'p')
    for size, nx, ny, nz, block in [('small', 96, 90, 40, (32, 4)), ('medium', 360, 300, 60, (32, 4)), ('large', 1440, 700, 91, (64, 2))]:
        n = nx * ny * nz
        launch(f, 'tracer_upward', size, (up(nx, block[0]), up(ny, block[1])), block, {'nx': nx, 'ny': ny, 'nz': nz, 'dtdz': 0.3}, {'w': f32(n, -1), 'q': f32(n), 'q_new': zero(n)}, 'q_new')
    f = 'registered_points'
    for size, n, blocks in [('small', 150000, 132), ('medium', 2000001, 264), ('large', 20000000, 528)]:
        launch(f, 'icp_point_to_plane', size, blocks, 256, {'n': n, 'far2': 0.5}, {'from': f32(4 * n), 'to': f32(4 * n), 'normals': f32(4 * n, -1), 'sums': zero(27 * blocks)}, 'sums')
    for size, rays, count, block in [('small', 30000, 100, 128), ('medium', 500000, 500, 128), ('large', 2000000, 1500, 192)]:
        launch(f, 'ray_slab_packet', size, up(rays, block), block, {'rays': rays, 'count': count},
               {'origins': f32(3 * rays), 'inverse': f32(3 * rays, 1, 5), 'boxes': f32(6 * count), 'enter': zero(rays)}, 'enter')
    f = 'words_of_64'
    for size, n, half in [('small', 1 << 18, 1 << 6), ('medium', 1 << 22, 1 << 12), ('large', 1 << 26, 1 << 9)]:
        launch(f, 'ntt_goldilocks_stages', size, n // 512, 128, {'distance': half, 'quarters': n // 4}, {'data': u64(n), 'roots': u64(4 * half)}, 'data')
    for size, n, words, block in [('small', 50000, 3, 128), ('medium', 3000000, 5, 256), ('large', 30000000, 4, 256)]:
        launch(f, 'siphash_keys', size, up(n, block), block, {'n': n, 'words': words, 'k0': 12345, 'k1': 678910}, {'keys': u64(n * words), 'hashes': zero(n, 'u64')}, 'hashes')


def mini_apps():
    f = 'range_policies'
    for size, ni, nj, nk, blocks, block in [('small', 50, 60, 70, 300, 256), ('medium', 200, 150, 210, 6000, 256), ('large', 400, 400, 400, 125000, 512)]:
        n = ni * nj * nk
        launch(f, 'divergence_of_views', size, blocks, block, {'ni': ni, 'nj': nj, 'nk': nk, 'h': 0.5}, {'div': zero(n, 'f64'), 'mx': f64(n), 'my': f64(n), 'mz': f64(n)}, 'div')
    for size, n, block in [('small', 91125, 128), ('medium', 3000000, 128), ('large', 40000003, 256)]:
        launch(f, 'energy_of_elements', size, up(n, block), block, {'length': n, 'rho0': 1.0, 'e_cut': 1e-7, 'p_cut': 1e-7, 'pmin': 0.0, 'emin': -1e15},
               {'e_new': zero(n, 'f64'), 'p_new': zero(n, 'f64'), 'e_old': f64(n), 'p_old': f64(n), 'q_old': f64(n), 'delvc': f64(n, 0, 0.2), 'vnew': f64(n, 0.5, 1)}, 'e_new p_new')
    for size, n, blocks in [('small', 200000, 66), ('medium', 10000000, 132), ('large', 150000000, 100)]:
        launch(f, 'least_time_step', size, blocks, 512, {'n': n}, {'length': f64(n, 0.5), 'speed': f64(n, 0.5), 'least': zero(blocks, 'f64')}, 'least')
    f = 'gauge_links'
    for size, volume, block in [('small', 8 ** 3 * 16, 64), ('medium', 16 ** 3 * 48, 128), ('large', 32 ** 3 * 32, 128)]:
        launch(f, 'su3_staple', size, (up(volume, block), 4), block, {'volume': volume}, {'u': f32(72 * volume, -1), 'v': f32(72 * volume, -1), 'w': f32(72 * volume, -1), 'out': zero(72 * volume)}, 'out')
        launch(f, 'clover_apply', size, up(volume, 96), 96, {'volume': volume}, {'blocks': f64(72 * volume, -1), 'in': f64(24 * volume, -1), 'out': zero(24 * volume, 'f64')}, 'out')
    f = 'elements_of_meshes'
    for size, nx, ny, nz in [('small', 40, 30, 20), ('medium', 128, 100, 60), ('large', 400, 300, 160)]:
        nodes = (nx + 1) * (ny + 1) * (nz + 1)
        launch(f, 'hex8_diffusion', size, (up(nx, 64), ny, nz), 64, {'nx': nx, 'ny': ny, 'nz': nz, 'h': 0.01}, {'u': f64(nodes), 'kappa': f64(nx * ny * nz, 0.5), 'r': zero(nodes, 'f64')}, 'r')
    for size, elements in [('small', 9001), ('medium', 200000), ('large', 3000001)]:
        launch(f, 'dg_volume_p3', size, up(elements, 2), (20, 2), {'elements': elements},
               {'q': f32(60 * elements), 'dr': f32(400, -1), 'ds': f32(400, -1), 'dt': f32(400, -1), 'geometry': f32(9 * elements), 'rhs': zero(60 * elements)}, 'rhs')
    f = 'cells_and_particles'
    for size, side, mean in [('small', 16, 8), ('medium', 32, 10), ('large', 64, 12)]:
        cells = side ** 3
        n = cells * mean + 64
        launch(f, 'sph_forces_by_cells', size, up(cells, 4), (32, 4), {'side': side, 'h': 0.3, 'viscosity': 0.1},
               {'at': f32(4 * n), 'velocity': f32(4 * n, -1), 'density': f32(n, 0.9, 1.1), 'start': ramp(cells + 1, mean, 5), 'force': zero(4 * n)}, 'force', depends='how many particles cells have, and which are near')
    for size, n, side, blocks in [('small', 200000, 32, 264), ('medium', 2000000, 64, 1056), ('large', 20000000, 160, 2112)]:
        launch(f, 'gather_field_linear', size, blocks, 256, {'n': n, 'nx': side, 'ny': side, 'nz': side},
               {'px': f64(n), 'py': f64(n), 'pz': f64(n), 'field': f32(4 * side ** 3), 'ex': zero(n), 'ey': zero(n), 'ez': zero(n)}, 'ex ey ez', depends='where particles are')


def data_bases():
    f = 'column_scans'
    for size, rows, bits, block in [('small', 200000, 14, 128), ('medium', 5000000, 18, 256), ('large', 60000000, 22, 256)]:
        buckets = 1 << bits
        build = 2 * buckets + 16
        launch(f, 'join_probe_buckets', size, up(rows, block), block, {'rows': rows, 'mask': buckets - 1},
               {'keys': {**u32(rows), 'high': 4 * buckets}, 'starts': ramp(buckets + 1, 2, 3), 'build_keys': {**u32(build), 'high': 4 * buckets}, 'match': zero(rows, 's32'), 'matches': zero(1, 's32')}, 'match matches',
               depends='which buckets keys ask, and how many entries they have')
    for size, words in [('small', 20000), ('medium', 600000), ('large', 6000001)]:
        launch(f, 'bitmap_between', size, up(words, 32), 256, {'words': words, 'low': 2000, 'high': 6000, 'first': 300, 'last': 2500},
               {'price': s32(32 * words, 0, 10000), 'day': {**s32(32 * words, 0, 3000), 'type': 's16'}, 'bits': zero(words, 'u32')}, 'bits')
    for size, runs, mean in [('small', 30000, 20), ('medium', 1000000, 13), ('large', 20000000, 7)]:
        n = (runs - 1) * mean
        launch(f, 'expand_runs', size, up(n, 1024), 256, {'runs': runs, 'n': n}, {'ends': ramp(runs, mean, mean), 'values': f64(runs), 'out': zero(n, 'f64')}, 'out', depends='where runs end')
    f = 'squeezed_streams'
    for size, frames, bits in [('small', 1500, 11), ('medium', 30000, 17), ('large', 300000, 5)]:
        launch(f, 'unpack_frames', size, frames, 32, {'bits': bits}, {'packed': u32(32 * bits * frames), 'bases': s32(frames, 0, 100000), 'out': zero(1024 * frames, 's32')}, 'out')
    for size, n in [('small', 300000), ('medium', 8000000), ('large', 60000001)]:
        launch(f, 'zigzag_widths', size, up(n, 128), 128, {'n': n}, {'in': s64(n, 0, 1000000), 'out': zero(n, 'u64'), 'widths': zero(up(n, 128), 'u8')}, 'out widths')
    for size, n in [('small', 200000), ('medium', 4000000), ('large', 50000000)]:
        launch(f, 'lz_match_lengths', size, up(n, 256), 256, {'n': n},
               {'text': {**u8(n), 'high': 4}, 'candidates': s32(n // 2 + 8, 0, n - 64), 'length': zero(n, 'u16'), 'from': zero(n, 's32')}, 'length from', depends='how long matches are, and where')
    for size, streams, count in [('small', 20000, 100), ('medium', 300000, 256), ('large', 1000000, 400)]:
        words = count * 11 // 32 + 6
        launch(f, 'prefix_decode', size, up(streams, 128), 128, {'streams': streams, 'count': count},
               {'words': u32(streams * words), 'table': {'type': 'u16', 'count': 2048, 'fill': 'random', 'low': 0, 'high': 65535}, 'symbols': zero(streams * count, 'u8')}, 'symbols', depends='how long codes are')
    f = 'tasks_from_counters'
    for size, tiles, blocks, most in [('small', 16, 264, 100), ('medium', 64, 1056, 200), ('large', 256, 1056, 300)]:
        width = 32 * tiles
        launch(f, 'julia_by_tasks', size, blocks, 256, {'width': width, 'tiles_wide': tiles, 'tasks': tiles * 4 * tiles, 'most': most, 'cr': -0.4, 'ci': 0.6, 'scale': 3.0 / width},
               {'counter': zero(1, 'u32'), 'steps': zero(width * width, 'u16')}, 'steps', depends='which task a block gets next')
    for size, m, n, k, blocks in [('small', 256, 768, 320, 132), ('medium', 1024, 3072, 768, 264), ('large', 4096, 4096, 2048, 528)]:
        launch(f, 'gelu_linear_by_tasks', size, blocks, 256, {'n': n, 'k': k, 'tasks': m * n // 4096},
               {'counter': zero(1, 'u32'), 'a': f16(m * k, -1), 'b': f16(n * k, -1), 'bias': f32(n), 'c': zero(m * n, 'f16')}, 'c', depends='which task a block gets next')
    f = 'frontiers'
    for size, n, degree in [('small', 100000, 12), ('medium', 1000000, 16), ('large', 8000000, 20)]:
        graph = {'offsets': ramp(n + 1, degree, 11), 'targets': s32(n * degree + 64, 0, n)}
        words = up(n, 32) + 8
        launch(f, 'bottom_up_step', size, up(n, 256), 256, {'vertices': n}, {**graph, 'reached': u32(words), 'reached_next': zero(words, 'u32'), 'parent': zero(n, 's32')}, 'reached_next parent',
               depends='which vertices were reached, and how many neighbours are asked')
        launch(f, 'least_label_pull', size, up(n, 32), 256, {'vertices': n}, {**graph, 'labels': u32(n), 'labels_next': zero(n, 'u32')}, 'labels_next', depends='which neighbours vertices have, and how many')


def models():
    f = 'served_layers'
    for size, rows, k, slices in [('small', 16, 4096, 4), ('medium', 300, 4096, 2), ('large', 8192, 8192, 4)]:
        launch(f, 'lora_shrink_split', size, (slices, rows), 128, {'vectors': k // 8, 'vectors_a_slice': k // 8 // slices}, {'x': bf16(rows * k, -1), 'a': bf16(16 * k, -1), 'y': zero(16 * rows)}, 'y')
    for size, tokens, heads, length in [('small', 64, 12, 1000), ('medium', 512, 32, 2048), ('large', 2048, 40, 4096)]:
        rows = tokens * heads
        launch(f, 'alibi_softmax_half2', size, rows, 256, {'pairs': length // 2, 'heads': heads, 'scale': 0.125}, {'scores': f16(rows * length, -4, 4), 'probabilities': zero(rows * length, 'f16')}, 'probabilities')
    for size, tokens, width, top in [('small', 256, 2048, 2), ('medium', 4096, 4096, 2), ('large', 16384, 7168, 6)]:
        rows = tokens * top
        launch(f, 'permute_to_experts', size, rows, 256, {'vectors': width // 8, 'top_k': top},
               {'tokens': f16(tokens * width, -1), 'source': s32(rows, 0, rows), 'weight': f32(rows), 'out': zero(rows * width, 'f16')}, 'out', depends='which token stands where')
    f = 'steps_of_learning'
    for size, n in [('small', 800000), ('medium', 20000008), ('large', 150000000)]:
        launch(f, 'lion_update_bf16', size, up(n, 2048), 256, {'octets': n // 8, 'rate': 0.001, 'decay': 0.1, 'b1': 0.9, 'b2': 0.99}, {'parameters': bf16(n, -1), 'gradients': bf16(n, -1), 'momentum': f32(n, -1)}, 'parameters momentum')
    for size, anchors, classes, blocks, block in [('small', 8400, 20, 200, 256), ('medium', 120087, 80, 1056, 256), ('large', 1000000, 91, 2112, 512)]:
        n = anchors * classes
        launch(f, 'focal_loss_both_ways', size, blocks, block, {'anchors': anchors, 'classes': classes, 'alpha': 0.25, 'gamma': 2.0},
               {'logits': f32(n, -4, 4), 'targets': {**s32(anchors, 0, classes), 'type': 's8'}, 'gradient': zero(n), 'loss': zero(1)}, 'gradient loss')
    for size, planes, h, w, factor in [('small', 24, 40, 40, 2), ('medium', 256, 80, 70, 2), ('large', 512, 160, 161, 4)]:
        launch(f, 'upsample_backward_gather', size, (up(w, 32), up(h, 4), planes), (32, 4), {'planes': planes, 'height': h, 'width': w, 'factor': factor},
               {'grad_out': f32(planes * h * w * factor * factor, -1), 'grad_in': zero(planes * h * w)}, 'grad_in')
    f = 'groups_that_cooperate'
    for size, n in [('small', 20001), ('medium', 400000), ('large', 3000000)]:
        launch(f, 'normalise_descriptors', size, up(n, 16), 256, {'n': n}, {'descriptors': f32(128 * n)}, 'descriptors')
    for size, rows, length, block in [('small', 500, 400, 128), ('medium', 8000, 1500, 128), ('large', 30000, 4000, 256)]:
        launch(f, 'ewma_scan_rows', size, up(rows, block // 32), block, {'rows': rows, 'length': length, 'a': 0.94}, {'x': f32(rows * length), 'y': zero(rows * length)}, 'y')
    f = 'desks'
    for size, n, m, block in [('small', 100, 64, (64, 2)), ('medium', 1000, 600, (32, 4)), ('large', 5000, 6000, (64, 4))]:
        launch(f, 'sabr_surface', size, (up(m, block[0]), up(n, block[1])), block, {'n': n, 'm': m, 'beta': 0.5, 'rho': -0.3, 'nu': 0.4, 'expiry': 2.0},
               {'forwards': f64(n, 0.5, 1.5), 'strikes': f64(m, 0.4, 1.6), 'alphas': f64(n, 0.1, 0.3), 'vols': zero(n * m, 'f64')}, 'vols')
    for size, names, quarters in [('small', 3000, 20), ('medium', 50000, 40), ('large', 3000001, 40)]:
        launch(f, 'hazard_bootstrap', size, up(names, 64), 64, {'names': names, 'quarters': quarters, 'recovery': 0.4},
               {'spreads': f32(names * quarters, 0.005, 0.05), 'discount': f32(quarters, 0.7, 1), 'hazards': zero(names * quarters)}, 'hazards')
    for size, paths, blocks in [('small', 100000, 64), ('medium', 2000000, 200), ('large', 80000000, 264)]:
        launch(f, 'regression_moments', size, blocks, 256, {'paths': paths, 'strike': 1.0}, {'price': f32(paths, 0.5, 1.5), 'cash': f32(paths), 'moments': zero(14, 'f64')}, 'moments')
    f = 'raw_pictures'
    for size, w, h in [('small', 1000, 750), ('medium', 4000, 3000), ('large', 12001, 9000)]:
        launch(f, 'demosaic_malvar', size, (up(w, 64), up(h, 32)), (32, 8), {'width': w, 'height': h}, {'raw': {'type': 'u16', 'count': w * h, 'fill': 'random', 'low': 0, 'high': 65535}, 'rgb': zero(4 * w * h, 'u16')}, 'rgb')
    for size, w, h, step, block in [('small', 640, 480, 16, (16, 16)), ('medium', 2000, 1500, 25, (32, 4)), ('large', 9000, 7000, 40, (32, 8))]:
        cw, ch = up(w, step), up(h, step)
        launch(f, 'slic_assign', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'cells_wide': cw, 'cells_high': ch, 'step': step, 'weight': 0.01},
               {'lab': f32(4 * w * h), 'centres': f32(5 * cw * ch), 'label': zero(w * h, 's32')}, 'label')
    f = 'reads'
    for size, count, length, pattern, block in [('small', 30000, 100, 64, 128), ('medium', 500000, 152, 50, 128), ('large', 5000000, 252, 63, 256)]:
        launch(f, 'myers_bitvector', size, up(count, block), block, {'count': count, 'length': length, 'pattern': pattern}, {'texts': u8(count * (length // 4)), 'masks': u64(4), 'least': zero(count, 's32')}, 'least')
    f = 'surfaces'
    for size, nx, ny, nz in [('small', 100, 80, 41), ('medium', 300, 250, 129), ('large', 900, 800, 401)]:
        blocks = (up(nx - 1, 128), ny - 1, up(nz - 1, 8))
        launch(f, 'cubes_count', size, blocks, 128, {'nx': nx, 'ny': ny, 'nz': nz, 'iso': 0.5},
               {'volume': f32(nx * ny * nz), 'count': zero((nx - 1) * (ny - 1) * (nz - 1), 'u8'), 'sums': zero(blocks[0] * blocks[1] * blocks[2], 's32')}, 'count sums', depends='which case cells are')
    for size, w, h, blocks, block in [('small', 400, 300, (12, 16), (32, 8)), ('medium', 1500, 1500, (24, 44), (32, 8)), ('large', 10000, 8000, (80, 33), (64, 4))]:
        launch(f, 'sum_of_waves', size, blocks, block, {'width': w, 'height': h, 'cell': 0.1, 'time': 3.0}, {'out': zero(4 * w * h), 'waves': f32(64, -1)}, 'out')


def split(folder):
    """Halves by the hash of a kernel's name, as of the fifth: of the kernels in this order the first half is judged.  All
    of them were judged at first sight; half were opened after that."""
    kernels = []
    for file in sorted({row['file'] for row in LAUNCHES}):
        text = open(os.path.join(folder, file)).read()
        names = re.findall(r'^(?:extern "C" __global__|__kernel) void (?:__launch_bounds__\([^)]*\) )?(\w+)\(', text, re.M)
        kernels += [f'{file[:-3]} {name}' for name in names]
    kernels.sort(key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    half = len(kernels) // 2
    with open(os.path.join(folder, 'split.json'), 'w') as out:
        out.write(json.dumps({'judged': sorted(kernels[:half]), 'learned': sorted(kernels[half:])}, indent=1) + '\n')
