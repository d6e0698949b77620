# Predictions that take what depends on data from a few emulated blocks.
kernels=$SOURCE/tests/golden/kernels
values() { sed -n '/^Emulated/,/^$/p; /^Not known before/,$p'; }

# array FILE DTYPE SHAPE: NumPy's format, version 1; the elements come from standard input.
array() {
    header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header" >"$1"
    cat >>"$1"
}
numbers() { # little-endian 32-bit integers
    for n; do
        printf "$(printf '\\x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255)))"
    done
}

# No array decides anything: trips are measured without any.
forewarp predict "$kernels"/mandelbrot.ptx -g 63,188 -b 32,8 -s 1=2000 -s 2=1501 -s 3=-2 -s 4=-1.125 -s 5=0.0015 \
    -s 6=250 -d h200 --emulate | values

# Rows of a sparse matrix: five blocks of one warp whose rows have 0, 1, 2, ... elements.  What depends on starts alone
# needs starts alone; what is stated stays.
numbers $(for i in $(seq 0 160); do echo $((i * (i - 1) / 2 % 6 + i * 4)); done) | array starts.npy '<i4' '(161,)'
forewarp predict "$kernels"/breadth_first.ptx -g 5 -b 32 -s 4=160 -s 5=2 -d h200 -m traffic --emulate --arg 0=@starts.npy | values
forewarp predict "$kernels"/breadth_first.ptx -g 5 -b 32 -s 4=160 -s 5=2 -d h200 -m traffic --emulate --arg 0=@starts.npy \
    --arg '2=s32[160]:ramp(-1,0,3)' --arg '1=s32[700]:ramp(0,0,160)' -s taken@breadth_first.cu:26=0.25 | values
forewarp predict "$kernels"/spmv_csr.ptx -g 5 -b 32 -s 5=160 -d h200 -m traffic --emulate --arg 0=@starts.npy --json |
    tr -d '\n' | grep -o '"source"[^}]*"range"[^}]*' | sed 's/ \+/ /g' | head -2

# The whole launch emulated gives the same frequencies.
numbers $(seq 0 3 480) | array even.npy '<i4' '(161,)'
for command in 'emulate' 'predict -d h200 --emulate'; do
    forewarp $command "$kernels"/spmv_csr.ptx -g 5 -b 32 -s 5=160 --arg 0=@even.npy --arg '1=s32[480]:zero' \
        --arg '2=f32[480]:ones' --arg '3=f32[1]' | grep -E -o '(trips|taken)@[^ ]* *= [0-9.]+'
done

# Arrays that cannot be taken.
numbers 1 2 3 | array floats.npy '<f4' '(3,)'
numbers 1 2 3 | array doubles.npy '<f8' '(1,)'
numbers 1 2 3 | array objects.npy '|O' '(3,)'
numbers 1 2 3 | array short.npy '<i4' '(4,)'
echo "no array" >text.npy
for file in floats doubles objects short text missing; do
    run forewarp predict "$kernels"/spmv_csr.ptx -g 5 -b 32 -s 5=160 -d h200 -m traffic --emulate --arg "0=@$file.npy"
done
run forewarp predict "$kernels"/spmv_csr.ptx -g 5 -b 32 -s 5=160 -d h200 -m traffic --emulate --arg 7=@starts.npy
run forewarp predict "$kernels"/spmv_csr.ptx -g 9 -b 32 -s 5=288 -d h200 -m traffic --emulate --arg 0=@starts.npy

# A few blocks cannot run where they wait for others; an endless loop ends at a limit.
cat >flag.ptx <<'PTX'
.version 7.8
.target sm_80
.address_size 64
.visible .entry flag(.param .u64 p)
{
    .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
L:
    ld.acquire.gpu.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra L;
    ret;
}
PTX
sed 's/acquire.gpu.//' flag.ptx >endless.ptx
run forewarp predict flag.ptx -g 1000 -b 128 -d h200 -m traffic --emulate
run forewarp predict endless.ptx -g 1000 -b 128 -d h200 -m traffic --emulate --instructions 10K
run forewarp predict endless.ptx -g 1000 -b 128 -d h200 --emulate --arg 'p=u32[1]:ones' -m roofline

# Contents reach a branch through shared memory, and through what decides that a store runs.
cat >through.ptx <<'PTX'
.version 7.8
.target sm_80
.address_size 64
.visible .entry through(.param .u64 a, .param .u64 b, .param .u64 out)
{
    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    .shared .align 4 .b8 tile[128];
    .file 1 "through.cu"
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd1, %rd4;
    add.s64 %rd6, %rd2, %rd4;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, tile;
    add.s32 %r3, %r3, %r2;
    ld.global.u32 %r4, [%rd5];
    .loc 1 10 0
    setp.eq.u32 %p1, %r4, 7;
    @%p1 bra A;
    st.shared.u32 [%r3], %r1;
A:
    bar.sync 0;
    ld.shared.u32 %r5, [%r3];
    .loc 1 20 0
    setp.gt.u32 %p2, %r5, 9;
    @%p2 bra B;
    st.global.u32 [%rd3], %r5;
B:
    ld.global.u32 %r6, [%rd6];
    .loc 1 30 0
    setp.gt.u32 %p3, %r6, 9;
    @%p3 bra C;
    st.global.u32 [%rd3+4], %r6;
C:
    ret;
}
PTX
forewarp predict through.ptx -g 4 -b 32 -d h200 -m traffic --emulate --arg 'b=u32[32]:index' | values
forewarp predict through.ptx -g 4 -b 32 -d h200 -m traffic --emulate --arg 'a=u32[32]:index' | values

# Contents are made where blocks come: an array may be larger than this machine's memory.
forewarp predict "$kernels"/histogram.ptx -k histogram_global -g 1M -b 256 -s 2=1G -d h200 -m traffic --emulate --blocks 3 \
    --arg '0=u8[60G]:random(0,255)' --arg '1=u32[256]' | values

run forewarp predict "$kernels"/saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 -d h200 -m traffic --arg 0=f32[10]
run forewarp predict "$kernels"/saxpy.ptx -g 4 -b 256 -s 3=1000 -d h200 -m traffic --emulate
run forewarp predict "$kernels"/saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 -d h200 -m traffic --emulate --blocks 2M
run forewarp emulate "$kernels"/saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 --blocks 2 --every 2
forewarp emulate "$kernels"/saxpy.ptx -g 100 -b 256 -s 3=25000 -s 2=2 --blocks 5 | grep -E 'blocks ran|total'
run forewarp predict "$SOURCE"/docs/examples/five.json -d h200 -m traffic --emulate
echo '{"grid": [5], "block": [32], "arguments": {"5": 160}, "repeats": 3}' >launches
forewarp predict "$kernels"/spmv_csr.ptx --launches launches -d h200 -m traffic --emulate --arg 0=@starts.npy | tail -3
