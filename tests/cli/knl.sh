# The kernel language: counts, formulas, several kernels, and what is refused.
cd "$SOURCE/tests/golden/knl"
run forewarp count matmul.knl
run forewarp count matmul.knl -s n=512 -s m=256 -s ell=128 --contract
run forewarp count matmul.knl -s n=512 -s m=256 -s ell=128 --subscripts
run forewarp count matmul.knl -s n=0
run forewarp count matmul.knl -s q=4
run forewarp count matmul.knl -g 4 -b 16,16
run forewarp count call.knl -s n=100 -s steps=10
run forewarp count two.knl
run forewarp count two.knl -k tiles
run forewarp count two.knl -k tiled -s n=48
run forewarp count - -x knl -k plain -s n=48 <two.knl
run forewarp count matmul.knl --dump ssa
echo '== predicted from the domains'
run forewarp predict matmul.knl -d h200 -s n=2048 -s m=2048 -s ell=2048 --compiler no-such-compiler
run forewarp predict matmul.knl -d h200 -m traffic -s n=2048
run forewarp predict matmul.knl -d h200 -s n=2048 -s m=2048 -s ell=2048 -m oracle
run forewarp emulate matmul.knl
run forewarp emulate matmul.knl -s n=16 -s m=16 -s ell=16 --compiler no-such-compiler
echo '== taken for granted'
run forewarp count data.knl -s n=100
run forewarp count not_affine.knl -s n=100
echo '== refused'
for name in unbounded empty outside outside_when race circle bound_set_here unknown_parameter never_set; do
    run forewarp count $name.knl
done
printf 'y[i] = 1.0\n' >"$OLDPWD/nothing.knl"
run forewarp count "$OLDPWD/nothing.knl"
: >"$OLDPWD/void.knl"
run forewarp count "$OLDPWD/void.knl"
printf '{"file": "%s/matmul.knl", "grid": [32, 8], "arguments": {"n": 512, "m": 256, "ell": 128}}\n' "$PWD" >"$OLDPWD/launches.json"
run forewarp count --launches "$OLDPWD/launches.json"
echo '== many launches'
{
    printf '{"file": "%s/matmul.knl", "arguments": {"n": 512, "m": 256, "ell": 128}, "repeats": 3}\n' "$PWD"
    printf '{"file": "%s/matmul.knl", "arguments": {"n": 1024, "m": 256, "ell": 128}}\n' "$PWD"
    printf '{"file": "%s/two.knl", "kernel": "tiled", "arguments": {"n": 48}}\n' "$PWD"
} >"$OLDPWD/launches.json"
run forewarp predict --launches "$OLDPWD/launches.json" -d h200 --compiler no-such-compiler
printf '{"file": "%s/matmul.knl", "grid": [4], "arguments": {"n": 512, "m": 256, "ell": 128}}\n' "$PWD" >"$OLDPWD/launches.json"
run forewarp predict --launches "$OLDPWD/launches.json" -d h200 --compiler no-such-compiler
printf '{"file": "%s/../kernels/saxpy.ptx", "block": [256], "arguments": {"3": 1000}}\n' "$PWD" >"$OLDPWD/launches.json"
run forewarp predict --launches "$OLDPWD/launches.json" -d h200 -m traffic
echo '== constants'
here=$OLDPWD
cd "$SOURCE/kernels/knl"
run forewarp count matmul_coarse.knl -s n=1024
run forewarp count matmul_coarse.knl -s n=1024 -DTILE=64 -D COARSE=8 --contract
run forewarp emit matmul_prefetch.knl -DTILE=8 --target knl
run forewarp strip matmul_prefetch.knl -DTILE=8 --remove a
run forewarp count matmul.knl -DTILES=8
run forewarp count matmul_coarse.knl -DCOARSE=64
run forewarp count matmul_coarse.knl -DTILE=0
run forewarp count matmul_coarse.knl -DTILE=64 -DCOARSE=1
run forewarp count matmul_coarse.knl -DTILE=twelve
run forewarp count matmul_coarse.knl -DTILE=24 -s n=1024
run forewarp count "$SOURCE/tests/golden/knl/matmul.knl" -DTILE=24
printf '{"file": "%s/matmul.knl", "arguments": {"n": 512}, "defines": {"TILE": 32}}\n' "$PWD" >"$here/launches.json"
run forewarp predict --launches "$here/launches.json" -d h200 --compiler no-such-compiler
