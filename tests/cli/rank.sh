# Rankings: many configurations of one kernel, and what makes no sense.
cp "$SOURCE"/docs/examples/star25.json "$SOURCE"/tests/golden/kernels/saxpy.ptx "$SOURCE"/tests/golden/kernels/stencil2d.ptx .
run forewarp rank star25.json -d h200 --vary block=32x8x4,1024,64x4x4,32x32x2 --vary coarsening=1x1x1,1x2x1 --top 3
run forewarp rank star25.json -d h200 --vary nx=320,640 --vary threads=256 -m roofline --top 2
run forewarp rank saxpy.ptx -d v100 --domain 1M -s 3=1M --vary threads=32,256,1024
run forewarp rank saxpy.ptx -d v100 --domain 3 -s 3=1M
run forewarp rank saxpy.ptx -d v100 --domain n -s 3=1M
run forewarp rank saxpy.ptx -d v100 --domain param_3-5 --vary 3=1K,1M --vary block=64 --cache cold
run forewarp rank saxpy.ptx -d v100 -s 3=1M
run forewarp rank saxpy.ptx -d v100 --domain 1M
run forewarp rank saxpy.ptx -d v100 --vary block
run forewarp rank saxpy.ptx -d v100 --vary block=0x1
run forewarp rank saxpy.ptx -d v100 --vary block=,64
run forewarp rank saxpy.ptx -d v100 --vary threads=48
run forewarp rank saxpy.ptx -d v100 --vary threads=64 --vary block=32
run forewarp rank saxpy.ptx -d v100 --vary coarsening=1,2
run forewarp rank saxpy.ptx -d v100 --vary -DTILE=1,2
run forewarp rank star25.json -d v100 --domain 640
run forewarp rank star25.json -d v100 --vary nx=1,2 --vary threads=64
run forewarp rank star25.json
run forewarp rank saxpy.ptx -d v100 -g 64 --domain 640
for n in 1 2 3 4 5 6; do names="$names --vary v$n=0,1,2,3,4,5,6,7,8,9"; done
run forewarp rank star25.json -d v100 $names
cat >tile.cu <<'END'
extern "C" __global__ void tile(float *a, int n)
{
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i < n)
        a[i] = a[i] * FACTOR;
}
END
forewarp rank tile.cu -d h200 --ptxas never --compiler clang --vary -DTILE=64,128 --vary -DFACTOR=2.0f,broken \
    --vary block=64 -g 1000 -s n=64000 --json >answer.json 2>messages
python3 -c "
import json
answer = json.load(open('answer.json'))
print(sorted((row['-DTILE'], row['-DFACTOR']) for row in answer['configurations']))
print(sorted((row['-DTILE'], row['-DFACTOR'], row['reason']) for row in answer['failed']))"
grep -c "undeclared identifier 'broken'" messages
# The kernel language: constants vary, and blocks follow from them.
cp "$SOURCE"/kernels/knl/matmul_coarse.knl "$SOURCE"/tests/golden/knl/matmul.knl .
domains='-d h200 -m roofline --compiler no-such-compiler'
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary -DTILE=16,24,32,64 --vary -DCOARSE=1,4,0
run forewarp rank matmul_coarse.knl $domains --vary n=1K,1000 -DTILE=8
run forewarp rank - -x knl $domains -s n=2K --vary -DTILE=32 <matmul_coarse.knl
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary -DTILE=0,-3,x
sed 's/^let TILE = 32/let TILE = 0/' matmul_coarse.knl >to_be_set.knl
run forewarp rank to_be_set.knl $domains -s n=2K --vary -DTILE=32,48
run forewarp rank to_be_set.knl $domains -s n=2K --vary -DCOARSE=1,2
run forewarp rank matmul_coarse.knl $domains -s n=2K
run forewarp rank matmul.knl -d h200
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary threads=256
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary -DTYLE=8,16
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary -DROWS=8,16
run forewarp rank matmul_coarse.knl $domains -s n=2K --vary -DTILE=8,16 -b 32
run forewarp rank matmul_coarse.knl $domains --vary -DTILE=8 --vary m=16
# Restrictions, sides and grids by expressions, equal work, sizes, several devices.
cat >transpose.cu <<'END'
extern "C" __global__ void transpose(float *to, const float *from, int n)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = from[y * n + x];
    __syncthreads();
    to[(blockIdx.x * TILE + threadIdx.y) * n + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
END
tiles='-d h200 --ptxas never --compiler clang'
run forewarp rank transpose.cu $tiles --vary -DTILE=8,16,32 --vary block=TILExTILE,TILExTILE/2 --grid 'ceil(n/TILE),n/TILE' \
    --vary n=512,1000 --best-for n --where 'TILE >= 16'
run forewarp rank transpose.cu $tiles -DTILE=16 --vary block=16x16,32x8,8x8 --domain n,n -s n=1K
# Tiles of 16 x 16: blocks of other shapes leave them, or load what none of their threads wrote.
cp "$SOURCE"/tests/golden/kernels/matmul_tiled.ptx .
tiled='matmul_tiled.ptx -d h200 -m traffic --domain 512,512 -s 3=512 -s 4=512 -s 5=512'
run forewarp rank $tiled --vary threads=64,256,512
run forewarp rank $tiled --vary block=16x4,8x8
# Blocks at the upper end of the grid may be cut off: of them only leaving counts.
run forewarp rank ${tiled//512/16} --vary block=16x4,16x16
run forewarp rank saxpy.ptx -d h200 -g 1000 --vary block=64,128 -s 3=1M -m roofline
run forewarp rank saxpy.ptx -d h200,v100 --domain 1M -s 3=1M -m roofline --vary threads=64,128 --where 'threads == 64'
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --where 'TILE < 3'
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --where 'threads = 64'
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --where '1 > 2'
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --where '4 % (threads - threads)'
run forewarp rank saxpy.ptx -d h200 -s 3=1M --vary block=ROWSx2
run forewarp rank saxpy.ptx -d h200 -s 3=1000 --grid '1000/block_x' --vary block=64,125
run forewarp rank saxpy.ptx -d h200 -s 3=1000 -g 4 --vary block=64 --best-for m
run forewarp rank saxpy.ptx -d v100 --vary block --json
# Journals: a ranking in parts, joined, and one that was ended in between.
space='saxpy.ptx -d h200 --domain 1M -s 3=1M --vary threads=32,64,128,256,512,1024 --vary 2=1,2'
forewarp rank $space --json >whole.json
for part in 1 2 3; do forewarp rank $space --part $part/3 --journal part$part >part.txt; done
forewarp rank $space --merge part1 --merge part2 --merge part3 --json | cmp - whole.json && echo merged
forewarp rank $space --merge part2 --journal all --json | cmp - whole.json && grep -c ^row all
head -c 700 all >cut && forewarp rank $space --journal cut --json | cmp - whole.json && grep -c ^row cut
run forewarp rank $space --vary block=32 --journal part1
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --journal part1
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --merge saxpy.ptx
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --part 4/3 --journal x
run forewarp rank saxpy.ptx -d h200 --domain 1M -s 3=1M --part 1/3
sed '3s/ /  x /' part1 >broken
run forewarp rank $space --merge broken
