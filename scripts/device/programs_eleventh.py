"""Launches of data/h200/programs-eleventh: an eleventh set, half of it by clang, Warp, CuPy and Numba (write-programs)."""
import os
import re

import programs_tenth as tenth
from programs_launches import LAUNCHES, bf16, f32, f64, ramp, s32, s64, u8, u32, up, zero
from programs_tenth import launch, numba, u16

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../data/h200/programs-eleventh')
split = tenth.split


def between(buffer, low, high):
    return {**buffer, 'low': low, 'high': high}


def taken_apart(file, kernel, size, grid, block, structures, scalars, buffers, outputs, shared=0, depends=None):
    """A kernel whose structures of parameters are taken apart: STRUCTURES has values of their parts by name and byte, of which the kernel
    takes those that its PTX names."""
    entry = re.search(rf'\.entry {kernel}\((.*?)\)', open(os.path.join(FOLDER, file)).read(), re.S).group(1)
    names = [word.split()[-1][len(kernel) + 1:] for word in entry.split(',')]
    values = {f'{name}_{at}' if at else name: value for name, parts in structures.items() for at, value in parts.items()} | scalars
    launch(file, kernel, size, grid, block, {name: values[name] for name in names if name not in buffers}, buffers, outputs, shared, depends, ' '.join(names))


def warp_launch(*shape):
    """What Warp tells a kernel of its launch: four lengths, how many of them count, their product."""
    lengths, count = list(shape) + [1] * (4 - len(shape)), 1
    for length in shape:
        count *= length
    return {4 * axis: length for axis, length in enumerate(lengths)} | {16: len(shape), 24: count}


def warp_array(shape, item):
    """An array of Warp's behind its pointers: four lengths, then four strides in bytes."""
    strides, step = [], item
    for length in reversed(shape):
        strides.insert(0, step)
        step *= length
    return {16 + 4 * axis: length for axis, length in enumerate(list(shape) + [0] * (4 - len(shape)))} | {32 + 4 * axis: stride for axis, stride in enumerate(strides + [0] * (4 - len(strides)))}


def cupy_array(shape, strides):
    """An array of CuPy's behind its pointer: elements, lengths, strides in bytes."""
    count = 1
    for length in shape:
        count *= length
    return {8: count} | {16 + 8 * axis: length for axis, length in enumerate(shape)} | {16 + 8 * (len(shape) + axis): stride for axis, stride in enumerate(strides)}


def cupy_indexer(*shape):
    count = 1
    for length in shape:
        count *= length
    return {0: count} | {8 + 8 * axis: length for axis, length in enumerate(shape)}


def clang():
    f = 'seismic.cl'
    for size, columns, depths, traces, samples in [('small', 100, 200, 150, 500), ('medium', 400, 500, 600, 1000), ('large', 1000, 1000, 2000, 2000)]:
        launch(f, 'kirchhoff_migrate', size, (up(depths, 64), up(columns, 2)), (64, 2), {'trace_count': traces, 'samples': samples, 'columns': columns, 'depths': depths, 'dx': 12.5, 'dt': 0.004, 'aperture': 0.3 * columns * 12.5},
               {'traces': f32(traces * samples, -1), 'ends': f32(2 * traces, 0, columns * 12.5), 'velocity': f32(depths, 1500, 4000), 'image': zero(columns * depths)}, 'image', depends='which traces lie in the aperture')
    for size, velocities, traces, samples in [('small', 50, 48, 1000), ('medium', 150, 96, 2000), ('large', 400, 240, 8001)]:
        launch(f, 'semblance_scan', size, (up(samples, 128), velocities), 128, {'trace_count': traces, 'samples': samples, 'first_velocity': 1400.0, 'step': 20.0, 'dt': 0.002},
               {'gather': f32(traces * samples, -1), 'offsets': f32(traces, 0, 3000), 'semblance': zero(velocities * samples)}, 'semblance', depends='how far traces are')
    f = 'scans_and_layers.cl'
    for size, n, slots, side in [('small', 50000, 1 << 16, 23), ('medium', 1000000, 1 << 20, 63), ('large', 20000000, 1 << 24, 170)]:
        launch(f, 'voxel_hash_points', size, up(n, 256), 256, {'count': n, 'mask': slots - 1, 'inverse': 2.0}, {'points': f32(4 * n, 0, side / 2), 'keys': zero(slots, 'u32'), 'counts': zero(slots, 'u32')}, 'keys counts', depends='which voxels points are in')
    for size, w, h, layers, block in [('small', 640, 480, 4, (16, 16)), ('medium', 2560, 1440, 6, (32, 8)), ('large', 8192, 8000, 6, (64, 4))]:
        launch(f, 'compose_layers', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'layer_count': layers},
               {'layers': u8(4 * w * h * layers), 'opacities': f32(layers), 'modes': s32(layers, 0, 2), 'out': zero(4 * w * h, 'u8')}, 'out', depends='which modes layers have')
    f = 'radio'
    for size, channels, length, trials in [('small', 128, 4000, 16), ('medium', 512, 20000, 64), ('large', 1024, 100000, 200)]:
        samples = length + 4096
        launch(f, 'dedisperse_trials', size, (up(length, 1024), trials), 256, {'channels': channels, 'samples': samples, 'length': length, 'first': 10.0, 'step': 4000.0 / trials},
               {'power': u8(channels * samples), 'delays': f32(channels), 'series': zero(trials * length)}, 'series', depends='how late channels are')
    for size, n, side in [('small', 10000, 512), ('medium', 200000, 2048), ('large', 2000000, 4096)]:
        launch(f, 'grid_visibilities', size, up(n, 8), 256, {'count': n, 'side': side}, {'seen': f32(4 * n), 'kernel': f32(56), 'grid': zero(2 * side * side)}, 'grid', depends='where visibilities are')
    f = 'interfaces'
    for size, x, y, z, block in [('small', 66, 64, 60, (64, 4)), ('medium', 200, 190, 180, (32, 8)), ('large', 500, 500, 480, (128, 2))]:
        n = x * y * z
        launch(f, 'youngs_normals', size, (up(x - 2, block[0]), up(y - 2, block[1]), z - 2), block, {'mx': x, 'my': y, 'mz': z}, {'fraction': f64(n), 'nx': zero(n, 'f64'), 'ny': zero(n, 'f64'), 'nz': zero(n, 'f64')}, 'nx ny nz')
    for size, n in [('small', 300), ('medium', 5000), ('large', 60000)]:
        launch(f, 'refine_patches', size, n, 256, {}, {'coarse': f64(1000 * n), 'fine': zero(4096 * n, 'f64')}, 'fine')


def written_by_generators():
    warp_kernels()
    cupy_kernels()
    f = 'numba_samples.ptx'
    for size, rows, columns in [('small', 2000, 300), ('medium', 20000, 1000), ('large', 100000, 2001)]:
        numba(f, 'centre_of_rows', size, up(rows, 8), (32, 8), [('x', (rows, columns), f32(rows * columns)), ('centre', (rows,), zero(rows)), ('spread', (rows,), zero(rows))], 'centre spread')
    for size, n, blocks in [('small', 20000, 66), ('medium', 500000, 132), ('large', 5000000, 264)]:
        numba(f, 'kmeans_step', size, blocks, 256, [('points', (n, 8), f32(8 * n)), ('centres', (32, 8), f32(256)), ('sums', (32, 8), zero(256)), ('sizes', (32,), zero(32, 's32'))], 'sums sizes', depends='which centres are near')
    for size, n, taps in [('small', 30000, 32), ('medium', 1000000, 101), ('large', 20000000, 64)]:
        numba_complex(f, size, n, taps)


def numba_complex(f, size, n, taps):
    """Complex numbers are pairs of floats: as many bytes as a number of 64 bits."""
    counts = {'signal': n + taps, 'taps': taps, 'out': n}
    numba(f, 'complex_fir', size, up(n, 128), 128, [(name, (count,), f64(count)) for name, count in counts.items()], 'out')
    LAUNCHES[-1]['buffers'] = {name: zero(2 * count) if name == 'out' else f32(2 * count, -1) for name, count in counts.items()}


def warp_kernels():
    f = 'warp_bodies.ptx'
    for size, n in [('small', 20000), ('medium', 400000), ('large', 4000000)]:
        taken_apart(f, 'integrate_bodies', size, up(n, 256), 256,
                    {'launch': warp_launch(n), **{name: warp_array([n], item) for name, item in [('poses', 28), ('twists', 24), ('forces', 24), ('masses', 4), ('inertia', 36)]}, 'gravity': {0: 0.0, 4: -9.81, 8: 0.0}}, {'damping': 0.05, 'dt': 0.01},
                    {'poses': f32(7 * n, 0.1), 'twists': f32(6 * n, -1), 'forces': f32(6 * n, -1), 'masses': f32(n, 0.5, 2), 'inertia': f32(9 * n, 0.1)}, 'poses twists')
    for size, n, points in [('small', 30000, 10000), ('medium', 600000, 200000), ('large', 6000000, 2000000)]:
        taken_apart(f, 'spring_forces', size, up(n, 256), 256, {'launch': warp_launch(n), **{name: warp_array([count], item) for name, count, item in [('x', points, 12), ('v', points, 12), ('f', points, 12), ('ends', 2 * n, 4), ('rest', n, 4)]}},
                    {'stiffness': 100.0, 'damping': 0.5}, {'x': f32(3 * points), 'v': f32(3 * points, -1), 'ends': s32(2 * n, 0, points - 1), 'rest': f32(n), 'f': zero(3 * points)}, 'f', depends='which points springs join')
    for size, n, side in [('small', 10000, 32), ('medium', 100000, 64), ('large', 1000000, 128)]:
        taken_apart(f, 'particles_to_grid', size, up(n, 256), 256, {'launch': warp_launch(n), 'x': warp_array([n], 12), 'v': warp_array([n], 12), 'c': warp_array([n], 36), 'grid': warp_array([side] * 3, 16)}, {'inverse': float(side), 'mass': 0.01},
                    {'x': f32(3 * n, 0.1, 0.9), 'v': f32(3 * n, -1), 'c': f32(9 * n, -1), 'grid': zero(4 * side ** 3)}, 'grid', depends='where particles are')
    for size, w, h, steps in [('small', 320, 240, 48), ('medium', 1920, 1080, 64), ('large', 7680, 4320, 96)]:
        taken_apart(f, 'march_spheres', size, up(w * h, 256), 256, {'launch': warp_launch(w * h), 'image': warp_array([w * h], 4)}, {'width': w, 'height': h, 'steps': steps}, {'image': zero(w * h)}, 'image', depends='when rays meet the scene')
    for size, rows in [('small', 1000), ('medium', 20000), ('large', 200000)]:
        taken_apart(f, 'standardise_rows', size, rows, 256, {'launch': warp_launch(rows, 256), 'rows': warp_array([rows, 1024], 4), 'out': warp_array([rows, 1024], 4)}, {}, {'rows': f32(1024 * rows), 'out': zero(1024 * rows)}, 'out', shared=48)


def cupy_kernels():
    f = 'cupy_arrays.ptx'
    for size, n in [('small', 200000), ('medium', 10000000), ('large', 200000000)]:
        taken_apart(f, 'huber_gradient', size, up(n, 128), 128, {**{name: cupy_array([n], [4]) for name in ('x', 'y', 'weight', 'z')}, 'index': cupy_indexer(n)}, {'delta': 0.3}, {'x': f32(n, -1), 'y': f32(n, -1), 'weight': f32(n), 'z': zero(n)}, 'z')
    for size, rows, columns in [('small', 300, 500), ('medium', 2000, 3001), ('large', 10000, 12000)]:
        shape = [rows, columns]
        taken_apart(f, 'great_circle', size, up(rows * columns, 128), 128,
                    {'lat0': cupy_array(shape, [8, 0]), 'lon0': cupy_array(shape, [8, 0]), 'lat1': cupy_array(shape, [0, 8]), 'lon1': cupy_array(shape, [0, 8]), 'd': cupy_array(shape, [8 * columns, 8]), 'index': cupy_indexer(rows, columns)}, {},
                    {'lat0': f64(rows, -1.5, 1.5), 'lon0': f64(rows, -3, 3), 'lat1': f64(columns, -1.5, 1.5), 'lon1': f64(columns, -3, 3), 'd': zero(rows * columns, 'f64')}, 'd')
    for size, rows, columns in [('small', 500, 1000), ('medium', 4000, 4096), ('large', 20000, 8192)]:
        taken_apart(f, 'log_sum_exp', size, rows, 512, {'x': cupy_array([columns, rows], [4, 4 * columns]), 'y': cupy_array([rows], [4]), 'in_index': cupy_indexer(columns, rows), 'out_index': cupy_indexer(rows)}, {'block_stride': 1},
                    {'x': f32(rows * columns, -4, 4), 'y': zero(rows)}, 'y')


def servers_and_columns():
    f = 'serving'
    for size, tokens, heads, head_size, slots in [('small', 64, 8, 128, 4096), ('medium', 2048, 8, 128, 32768), ('large', 65536, 8, 128, 262144)]:
        n, cache = tokens * heads * head_size, slots * heads * head_size
        launch(f, 'store_to_pages', size, tokens, 512, {'heads': heads, 'head_size': head_size}, {'key': bf16(n, -1), 'value': bf16(n, -1), 'slots': s64(tokens, 0, slots - 1), 'key_cache': zero(cache, 'bf16'), 'value_cache': zero(cache, 'bf16')}, 'key_cache value_cache', depends='which slots tokens have')
    for size, tokens, heads, pieces in [('small', 16, 32, 8), ('medium', 512, 32, 16), ('large', 8192, 32, 12)]:
        n = tokens * heads
        launch(f, 'merge_attention_parts', size, (heads, tokens), 128, {'pieces': pieces}, {'parts': f32(128 * n * pieces, -1), 'sums': f32(n * pieces, -5, 5), 'out': zero(128 * n, 'bf16')}, 'out')
    for size, rows, vocabulary, steps in [('small', 8, 32000, 12), ('medium', 64, 50257, 16), ('large', 512, 128256, 20)]:
        launch(f, 'threshold_of_nucleus', size, rows, 512, {'vocabulary': vocabulary, 'share': 0.9, 'steps': steps}, {'probabilities': f32(rows * vocabulary), 'thresholds': zero(rows)}, 'thresholds')
    f = 'climate'
    for size, columns, layers, bands in [('small', 1000, 40, 4), ('medium', 10000, 60, 12), ('large', 50000, 60, 32)]:
        n, faces = columns * layers * bands, columns * (layers + 1) * bands
        launch(f, 'two_stream_fluxes', size, (up(columns, 128), bands), 128, {'columns': columns, 'layers': layers, 'mu': 0.6, 'ground': 0.2},
               {'depth': f32(n), 'scatter': f32(n, 0.1, 0.95), 'asymmetry': f32(n, 0, 0.9), 'albedo': zero(faces), 'up': zero(faces), 'down': zero(faces)}, 'albedo up down')
    for size, x, rows in [('small', 360, 300), ('medium', 1441, 3000), ('large', 4001, 16000)]:
        launch(f, 'parabolas_along_rows', size, (up(x, 128), rows), 128, {'nx': x, 'rows': rows}, {'q': f64(x * rows), 'courant': f64(x * rows, -1), 'flux': zero(x * rows, 'f64')}, 'flux')
    for size, cells, steps in [('small', 60000, 4), ('medium', 2000000, 5), ('large', 50000000, 4)]:
        launch(f, 'adjust_saturation', size, up(cells, 256), 256, {'cells': cells, 'steps': steps}, {'temperature': f64(cells, 250, 300), 'vapour': f64(cells, 0, 0.02), 'cloud': f64(cells, 0, 0.001), 'pressure': f64(cells, 40000, 100000)}, 'temperature vapour cloud')
    f = 'genomes'
    for size, pairs, read, haplotype in [('small', 300, 100, 200), ('medium', 5000, 150, 300), ('large', 100000, 151, 250)]:
        launch(f, 'pair_hmm_forward', size, up(pairs, 4), 128, {'pairs': pairs, 'read_length': read, 'haplotype_length': haplotype},
               {'reads': between(u8(pairs * read), 0, 3), 'qualities': u8(pairs * read), 'haplotypes': between(u8(pairs * haplotype), 0, 3), 'likelihood': zero(pairs)}, 'likelihood', shared=4 * 3 * 4 * haplotype)
    for size, count, length, rows in [('small', 20000, 20, 1 << 20), ('medium', 300000, 32, 1 << 25), ('large', 5000000, 32, 1 << 30)]:
        words = rows // 32 + 1
        launch(f, 'search_backwards', size, up(count, 128), 128, {'count': count, 'length': length, 'rows': rows},
               {'counts': ramp(4 * words, 2, kind='u32'), 'letters': u32(2 * words), 'smaller': ramp(4, rows // 4, kind='u32'), 'patterns': u8(count * length), 'ranges': zero(2 * count, 'u32')}, 'ranges', depends='which patterns occur')


def graphs_to_molecules():
    f = 'ranks_and_overlaps'
    for size, vertices, mean in [('small', 30000, 12), ('medium', 500000, 20), ('large', 4000000, 16)]:
        entries = vertices * mean + 64
        launch(f, 'pull_ranks', size, up(8 * vertices, 256), 256, {'vertices': vertices, 'damping': 0.85},
               {'starts': ramp(vertices + 1, mean, mean), 'sources': s32(entries, 0, vertices - 1), 'share': f32(vertices), 'rank': zero(vertices), 'next_share': zero(vertices), 'degree': s32(vertices, 0, 2 * mean)}, 'rank next_share', depends='how many edges vertices have, and from where')
    for size, vertices, mean, edges in [('small', 5000, 16, 30000), ('medium', 100000, 24, 500000), ('large', 1000000, 30, 5000000)]:
        launch(f, 'overlap_of_ends', size, up(edges, 128), 128, {'edge_count': edges}, {'starts': ramp(vertices + 1, mean, mean), 'neighbours': s32(vertices * mean + 64, 0, vertices - 1), 'edges': s32(2 * edges, 0, vertices - 1), 'similarity': zero(edges)}, 'similarity', depends='which vertices edges join, how many neighbours they have')
    f = 'autonomy'
    for size, particles, beams, side in [('small', 200, 180, 500), ('medium', 2000, 360, 1000), ('large', 20000, 720, 2000)]:
        launch(f, 'weigh_particles', size, particles, 128, {'beams': beams, 'width': side, 'height': side, 'cell': 0.05, 'sigma': 0.2}, {'poses': f32(3 * particles, 0, side * 0.05), 'ranges': f32(beams, 1, 20), 'map': u8(side * side), 'weights': zero(particles)}, 'weights', depends='which cells are occupied')
    for size, samples, horizon in [('small', 2048, 40), ('medium', 50000, 60), ('large', 1000000, 100)]:
        launch(f, 'roll_out_controls', size, up(samples, 64), 64, {'samples': samples, 'horizon': horizon, 'track_points': 80, 'dt': 0.05}, {'noise': f32(2 * samples * horizon, -0.3, 0.3), 'nominal': f32(2 * horizon, -0.2, 0.2), 'track': f32(320, -1), 'costs': zero(samples)}, 'costs')
    for size, n, jump, block in [('small', 64, 8, (32, 4, 2)), ('medium', 200, 4, (32, 8, 1)), ('large', 600, 32, (16, 4, 4))]:
        launch(f, 'jump_flood', size, tuple(up(n, b) for b in block), block, {'n': n, 'jump': jump}, {'from': u32(n ** 3), 'to': zero(n ** 3, 'u32')}, 'to')
    f = 'packers'
    for size, streams, symbols, blocks in [('small', 500, 100, 66), ('medium', 5000, 500, 264), ('large', 20000, 2000, 528)]:
        launch(f, 'decode_rans', size, blocks, 256, {'streams': streams, 'symbols': symbols, 'stream_words': 6 * symbols}, {'words': u16(6 * symbols * streams), 'table': u32(4096), 'states': u32(32 * streams), 'out': zero(32 * symbols * streams, 'u8')}, 'out', depends='when states ask for words')
    for size, x, y, z in [('small', 100, 90, 50), ('medium', 300, 310, 200), ('large', 1000, 1000, 400)]:
        grid = (up(x, 32), up(y, 8), up(z, 8))
        launch(f, 'quantize_lorenzo', size, grid, (32, 8), {'nx': x, 'ny': y, 'nz': z, 'inverse': 500.0, 'radius': 512}, {'field': f32(x * y * z), 'codes': zero(x * y * z, 'u16'), 'outliers': zero(grid[0] * grid[1] * grid[2], 's32')}, 'codes outliers', depends='how many values lie far from what is predicted')
    f = 'markets'
    for size, options, points, steps in [('small', 1000, 64, 20), ('medium', 16000, 100, 40), ('large', 100000, 128, 50)]:
        launch(f, 'american_puts', size, up(options, 64), 64, {'options': options, 'points': points, 'steps': steps, 'rate': 0.03, 'maturity': 1.0}, {'strike': f32(options, 50, 150), 'volatility': f32(options, 0.1, 0.5), 'value': zero(options * points), 'scratch': zero(2 * options * points)}, 'value')
    for size, count, blocks in [('small', 10000, 132), ('medium', 200000, 1056), ('large', 4000000, 2112)]:
        launch(f, 'bridges_of_sobol', size, blocks, 64, {'count': count}, {'directions': u32(2048), 'weights': f32(192), 'ends': s32(192, 0, 63), 'paths': zero(64 * count)}, 'paths', depends='which bits numbers have')
    f = 'pictures_and_molecules'
    for size, w, h in [('small', 640, 480), ('medium', 3840, 2160), ('large', 32768, 20000)]:
        edges, groups = w // 8 - 1, h // 4
        launch(f, 'smooth_block_edges', size, (up(edges, 32), up(groups, 4)), (32, 4), {'pitch': w, 'edges': edges, 'groups': groups, 'beta': 64, 'tc': 4}, {'picture': between(u8(w * h), 100, 112), 'strengths': u8(edges * groups)}, 'picture', depends='which edges are smoothed')
    for size, n, atoms in [('small', 20000, 15000), ('medium', 300000, 200000), ('large', 3000000, 2000000)]:
        launch(f, 'torsion_forces', size, up(n, 128), 128, {'count': n}, {'quads': s32(4 * n, 0, atoms - 1), 'places': f32(4 * atoms), 'constants': f32(4 * n, 0, 3), 'force': zero(4 * atoms)}, 'force', depends='which atoms bonds join')
    for size, n, sweeps in [('small', 20000, 8), ('medium', 400000, 10), ('large', 8000000, 12)]:
        launch(f, 'hold_water', size, up(n, 192), 192, {'molecules': n, 'oh2': 0.9166, 'hh2': 2.29, 'mass_o': 15.999, 'mass_h': 1.008, 'sweeps': sweeps}, {'before': f32(12 * n), 'after': f32(12 * n)}, 'after')
