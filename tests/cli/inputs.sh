# Inputs as they come: fat binaries, templates by their names, kernels and arguments nearly right.
B=$SOURCE/tests/golden/fatbin
for file in zstd lz4 plain; do
    forewarp count $B/$file.fatbin -k 'scale<float>' -g 4 -b 256 -s 2=1000 --json |
        python3 -c 'import json, sys; top = json.load(sys.stdin); print(top["kernel"]["name"], top["instructions"]["total"])'
done
forewarp predict $B/lz4.fatbin -k 'scale<double>' -g 4 -b 256 -s 2=1000 -d h200 -m roofline | grep -o 'sm_.*'
forewarp predict $B/lz4.fatbin -k 'scale<double>' -g 4 -b 256 -s 2=1000 -d v100 -m roofline | grep -o 'sm_.*'
# Objects and programs hold fat binaries somewhere.
{ printf '\177ELF'; head -c 60 /dev/zero; cat $B/lz4.fatbin; } >program
forewarp count program -k 'scale<float>' -g 4 -b 256 -s 2=1000 | head -1
run forewarp count $B/scale.cubin -g 4 -b 256
run forewarp count $B/code.fatbin -g 4 -b 256
head -c 1000 $B/lz4.fatbin >cut.fatbin
run forewarp count cut.fatbin -g 4 -b 256
run forewarp count $B/lz4.fatbin -k scale -g 4 -b 256
cp $B/scale.cu .
clang='--compiler clang -g 4 -b 256 -s n=1000'
for name in 'scale<float>' ' scale < double >' 'void scale<float>(float*, float, int)' 'scale<double>(double*, double, int)'; do
    forewarp count scale.cu $clang -k "$name" | head -1
done
run forewarp count scale.cu $clang -k 'scale<int>'
run forewarp count scale.cu $clang -k 'scales<float>'
grep -v '^template __' scale.cu >nothing.cu
run forewarp count nothing.cu $clang
cat >names.cu <<'END'
extern "C" __global__ void names(float *x, int m, int n)
{
    if (threadIdx.x < n)
        x[threadIdx.x] = m;
}
END
run forewarp count names.cu --compiler clang -g 1 -b 32 -s N=4
run forewarp count names.cu --compiler clang -g 1 -b 32 -s length=4
echo '== texts of Windows'
mark() { printf '\357\273\277'; sed 's/$/\r/' "$1"; }
mark "$SOURCE/tests/golden/knl/matmul.knl" >marked.knl
mark "$SOURCE/profiles/h200.json" >marked.json
echo "{\"file\": \"$SOURCE/tests/golden/kernels/saxpy.ptx\", \"grid\": 4, \"block\": 256, \"arguments\": {\"3\": 1000}}" >list
mark list >marked.list
forewarp count marked.knl -s n=64 -s m=64 -s ell=64 | head -1
forewarp count - -x knl <marked.knl | head -1
forewarp count --launches marked.list | tail -1
forewarp device show ./marked.json | head -1
