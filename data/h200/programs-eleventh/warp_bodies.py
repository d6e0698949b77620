"""Kernels of bodies, particles and rays in NVIDIA Warp; writes their PTX (pip install warp-lang==1.9.1, without a device).

usage: warp_bodies.py OUT.ptx [meta]        meta: what Warp says of dynamic shared memory is printed
"""
import glob
import re
import sys
import tempfile

import warp as wp

from plain_parameters import plain

wp.set_module_options({'enable_backward': False, 'block_dim': 256})


@wp.kernel
def integrate_bodies(poses: wp.array(dtype=wp.transform), twists: wp.array(dtype=wp.spatial_vector), forces: wp.array(dtype=wp.spatial_vector), masses: wp.array(dtype=float), inertia: wp.array(dtype=wp.mat33), gravity: wp.vec3, damping: float, dt: float):
    """Semi-implicit Euler for rigid bodies, as simulators of robots have it."""
    i = wp.tid()
    pose = poses[i]
    x = wp.transform_get_translation(pose)
    r = wp.transform_get_rotation(pose)
    w = wp.spatial_top(twists[i])
    v = wp.spatial_bottom(twists[i])
    torque = wp.spatial_top(forces[i])
    force = wp.spatial_bottom(forces[i])
    m = masses[i]
    v1 = v
    if m > 0.0:
        v1 = v + (force / m + gravity) * dt
    x1 = x + v1 * dt
    wb = wp.quat_rotate_inv(r, w)
    tb = wp.quat_rotate_inv(r, torque) - wp.cross(wb, inertia[i] * wb)
    w1 = wp.quat_rotate(r, wb + wp.inverse(inertia[i]) * tb * dt)
    r1 = wp.normalize(r + wp.quat(w1, 0.0) * r * 0.5 * dt)
    poses[i] = wp.transform(x1, r1)
    twists[i] = wp.spatial_vector(w1 * (1.0 - damping * dt), v1)


@wp.kernel
def spring_forces(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), ends: wp.array(dtype=int), rest: wp.array(dtype=float), f: wp.array(dtype=wp.vec3), stiffness: float, damping: float):
    """Springs of cloth, forces added to both ends."""
    t = wp.tid()
    i = ends[2 * t]
    j = ends[2 * t + 1]
    d = x[i] - x[j]
    length = wp.length(d)
    n = d / (length + 1.0e-6)
    pull = n * (stiffness * (length - rest[t]) + damping * wp.dot(n, v[i] - v[j]))
    wp.atomic_sub(f, i, pull)
    wp.atomic_add(f, j, pull)


@wp.kernel
def particles_to_grid(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), c: wp.array(dtype=wp.mat33), grid: wp.array(dtype=wp.vec4, ndim=3), inverse: float, mass: float):
    """Masses and momenta of material points to a grid by quadratic weights (MLS-MPM)."""
    p = wp.tid()
    at = x[p] * inverse
    base = wp.vec3(wp.floor(at[0] - 0.5), wp.floor(at[1] - 0.5), wp.floor(at[2] - 0.5))
    fx = at - base
    wa = wp.vec3(1.5) - fx
    wb = fx - wp.vec3(1.0)
    wc = fx - wp.vec3(0.5)
    w0 = wp.cw_mul(wa, wa) * 0.5
    w1 = wp.vec3(0.75) - wp.cw_mul(wb, wb)
    w2 = wp.cw_mul(wc, wc) * 0.5
    w = wp.matrix_from_cols(w0, w1, w2)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                d = wp.vec3(float(i), float(j), float(k)) - fx
                weight = w[0, i] * w[1, j] * w[2, k] * mass
                q = (v[p] + c[p] * d) * weight
                wp.atomic_add(grid, int(base[0]) + i, int(base[1]) + j, int(base[2]) + k, wp.vec4(q[0], q[1], q[2], weight))


@wp.func
def scene(p: wp.vec3):
    ball = wp.length(p - wp.vec3(0.0, 0.6, 0.0)) - 0.75
    q = wp.vec3(wp.abs(p[0]) - 0.9, wp.abs(p[1] + 0.6) - 0.2, wp.abs(p[2]) - 0.9)
    box = wp.length(wp.vec3(wp.max(q[0], 0.0), wp.max(q[1], 0.0), wp.max(q[2], 0.0))) + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)
    ripple = 0.03 * wp.sin(9.0 * p[0]) * wp.sin(9.0 * p[1]) * wp.sin(9.0 * p[2])
    return wp.min(ball + ripple, box)


@wp.kernel
def march_spheres(image: wp.array(dtype=float), width: int, height: int, steps: int):
    """Rays to a scene of distance functions, shaded by its gradient."""
    t = wp.tid()
    px = t % width
    py = t / width
    s = 2.0 / float(height)
    ray = wp.normalize(wp.vec3((float(px) - 0.5 * float(width)) * s, (0.5 * float(height) - float(py)) * s, -1.6))
    p = wp.vec3(0.0, 0.2, 3.2)
    for i in range(steps):
        d = scene(p)
        if d < 1.0e-4:
            break
        p = p + ray * d
    e = 1.0e-3
    n = wp.normalize(wp.vec3(scene(p + wp.vec3(e, 0.0, 0.0)) - scene(p - wp.vec3(e, 0.0, 0.0)), scene(p + wp.vec3(0.0, e, 0.0)) - scene(p - wp.vec3(0.0, e, 0.0)), scene(p + wp.vec3(0.0, 0.0, e)) - scene(p - wp.vec3(0.0, 0.0, e))))
    image[t] = wp.max(wp.dot(n, wp.normalize(wp.vec3(0.5, 1.0, 0.8))), 0.0)


COLUMNS = wp.constant(1024)


@wp.func
def inverse_deviation(variance: float):
    return 1.0 / wp.sqrt(variance + 1.0e-5)


@wp.kernel
def standardise_rows(rows: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Rows of 1024 less their mean, by their deviation: a tile a block."""
    i = wp.tid()
    row = wp.tile_load(rows[i], shape=COLUMNS)
    mean = wp.tile_sum(row) * (1.0 / 1024.0)
    apart = row - wp.tile_broadcast(mean, shape=(COLUMNS,))
    variance = wp.tile_sum(wp.tile_map(wp.mul, apart, apart)) * (1.0 / 1024.0)
    scale = wp.tile_map(inverse_deviation, variance)
    wp.tile_store(out[i], wp.tile_map(wp.mul, apart, wp.tile_broadcast(scale, shape=(COLUMNS,))))


KERNELS = {'integrate_bodies': 'launch poses twists forces masses inertia gravity damping dt', 'spring_forces': 'launch x v ends rest f stiffness damping', 'particles_to_grid': 'launch x v c grid inverse mass',
           'march_spheres': 'launch image width height steps', 'standardise_rows': 'launch rows out'}


def entries(text):
    """The entries of KERNELS, behind what the module declares and they name."""
    found = {kernel: re.search(rf'\.visible \.entry {kernel}_\w+_cuda_kernel_forward\(.*?^\}}', text, re.M | re.S).group(0) for kernel in KERNELS}
    bodies = '\n\n'.join(plain(entry, kernel, KERNELS[kernel].split()) for kernel, entry in found.items())
    head = text[:text.index('.visible .entry')]
    head = re.sub(r'^\.(?:const|global) .*?;\n', lambda one: one.group(0) if re.search(r'(\w+)(?:\[\d+\])?(?: =.*)?;', one.group(0), re.S).group(1) in bodies else '', head, flags=re.M | re.S)
    return head.rstrip() + '\n\n' + bodies + '\n'


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        wp.init()
        wp.compile_aot_module(sys.modules[__name__], arch=90, module_dir=folder, use_ptx=True)
        (path,) = glob.glob(folder + '/*.ptx')
        open(sys.argv[1], 'w').write(entries(open(path).read().rstrip('\0')))
        if len(sys.argv) > 2:
            print(open(glob.glob(folder + '/*.meta')[0]).read())
