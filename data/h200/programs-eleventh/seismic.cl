/* Exploration by sound: migration of traces, scans of velocities. */

/* Kirchhoff's migration in time of one panel: a work-item a point of the image, all traces within its aperture. */
__kernel void kirchhoff_migrate(__global const float *restrict traces, __global const float2 *restrict ends, __global const float *restrict velocity, __global float *restrict image, const int trace_count, const int samples, const int columns, const int depths, const float dx, const float dt, const float aperture)
{
    const int z = get_global_id(0), x = get_global_id(1);
    if (z >= depths || x >= columns)
        return;
    const float at = x * dx, t0 = z * dt, v = velocity[z], inverse = 1.0f / (v * v);
    float sum = 0.0f;
    for (int k = 0; k < trace_count; k++) {
        const float2 e = ends[k];
        const float ds = e.x - at, dr = e.y - at;
        if (fabs(0.5f * (ds + dr)) > aperture)
            continue;
        const float quarter = 0.25f * t0 * t0;
        const float t = sqrt(quarter + ds * ds * inverse) + sqrt(quarter + dr * dr * inverse);
        const float place = t / dt;
        const int i = (int)place;
        if (i < samples - 1) {
            const float f = place - i, a = traces[k * samples + i], b = traces[k * samples + i + 1];
            sum += (a + f * (b - a)) * t0 / (t + 1e-6f);
        }
    }
    image[x * depths + z] = sum;
}

/* Semblance of gathers along hyperbolas, windows of eleven samples, a work-group a velocity. */
__kernel void semblance_scan(__global const float *restrict gather, __global const float *restrict offsets, __global float *restrict semblance, const int trace_count, const int samples, const float first_velocity, const float step, const float dt)
{
    __local float stacks[128 + 10], energies[128 + 10];
    const int l = get_local_id(0), base = get_group_id(0) * 128, vi = get_group_id(1);
    const float v = first_velocity + vi * step, inverse = 1.0f / (v * v);
    for (int i = l; i < 138; i += 128) {
        const float t0 = (base + i - 5) * dt;
        float stack = 0.0f, energy = 0.0f;
        for (int k = 0; k < trace_count; k++) {
            const float place = sqrt(t0 * t0 + offsets[k] * offsets[k] * inverse) / dt;
            const int s = (int)place;
            if (s < samples - 1) {
                const float f = place - s;
                const float a = mix(gather[k * samples + s], gather[k * samples + s + 1], f);
                stack += a;
                energy += a * a;
            }
        }
        stacks[i] = stack * stack;
        energies[i] = energy;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (base + l < samples) {
        float top = 0.0f, bottom = 0.0f;
        for (int k = 0; k < 11; k++) {
            top += stacks[l + k];
            bottom += energies[l + k];
        }
        semblance[vi * samples + base + l] = top / (trace_count * bottom + 1e-9f);
    }
}
