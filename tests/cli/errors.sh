# What goes wrong, and the exit status of each.
K=$SOURCE/tests/golden/kernels
echo '== kernels'
run forewarp count $K/copy.ptx -g 1 -b 32
run forewarp count $K/copy.ptx -k copy_vectr4 -g 1 -b 32
run forewarp count $K/saxpy.ptx -k nothing_like_it -g 1 -b 32
printf '.version 8.0\n.target sm_90\n.address_size 64\n' >empty.ptx
run forewarp count empty.ptx -g 1 -b 32
echo '== arguments'
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -d h200
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s n=5
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s saxpy_parm_3=5
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 9=5
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 3=many
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 3=1.5
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 3=99999999999
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 2=1e999
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 3
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 0.align=3
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s 3.align=4
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s trips@saxpy.cu:99=4
run forewarp count $K/mandelbrot.ptx -g 1 -b 32 -s trips@mandelbrot.cu:1=4
run forewarp count $K/mandelbrot.ptx -g 1 -b 32 -s trips@mandelbrot.cu:23=-4
run forewarp count $K/saxpy.ptx -g 1 -b 32 -s taken@saxpy.cu:12=1.5
echo '== launches'
run forewarp count $K/saxpy.ptx -g 1
run forewarp count $K/saxpy.ptx -g 1 -b 0
run forewarp count $K/saxpy.ptx -g 0 -b 32
run forewarp count $K/saxpy.ptx -g 1 -b 2048
run forewarp count $K/saxpy.ptx -g 1,70000 -b 32
run forewarp count $K/saxpy.ptx -g a -b 32
run forewarp count $K/saxpy.ptx -g 4G -b 32
run forewarp count $K/saxpy.ptx -g , -b 32
run forewarp count $K/saxpy.ptx -g 1x -b 32
run forewarp count $K/saxpy.ptx -g 1,2,3,4 -b 32
run forewarp count $K/saxpy.ptx --global 100 -b 32
run forewarp count $K/saxpy.ptx --global 128 -g 4 -b 32
run forewarp count $K/saxpy.ptx -g 1 -b 32 --shared much
cat >required.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry exact() .reqntid 128, 1, 1 { ret; }
.visible .entry most() .maxntid 64 { ret; }
PTX
run forewarp count required.ptx -k exact -g 1 -b 64
run forewarp count required.ptx -k most -g 1 -b 65
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d h200 --shared 300K
echo '== files'
run forewarp count missing.ptx -g 1 -b 32
run forewarp count missing.cu -g 1 -b 32
run forewarp count . -x ptx -g 1 -b 32
run forewarp count $K/README.md -g 1 -b 32
printf 'ELF\0\1\2' >binary.ptx
run forewarp count binary.ptx -g 1 -b 32
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { add.s32 %%r1 %%r2; }\n' >wrong.ptx
run forewarp count wrong.ptx -g 1 -b 32
: >nothing.ptx
run forewarp count nothing.ptx -g 1 -b 32
echo '== devices'
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d h2000
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d ./missing.json
echo '{"forewarp_profile": 1, "name": "bare", "title": "Bare", "figures": {}}' >bare.json
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d ./bare.json
run forewarp device show nowhere
echo '== options'
run forewarp
run forewarp cuont x
run forewarp count
run forewarp count a b
run forewarp count --nonsense a
run forewarp count a -g
run forewarp count $K/saxpy.ptx -d h200
run forewarp count -x fortran a
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d h200 --cache tepid
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d h200 --clock fast
run forewarp predict $K/saxpy.ptx -g 1 -b 32 -s 3=5 -d h200 -m oracle
run forewarp count $K/saxpy.ptx --dump=tea
run forewarp device list twice
echo '== writing'
forewarp device list >/dev/full; echo "[exit status $?]"
# What an answer is written into: a link keeps its place, a pipe is written to, and what cannot be
# written is named.
: >target.html
ln -s target.html link.html
run forewarp report "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 -o link.html
readlink link.html
head -c 15 target.html; echo
mkfifo pipe
timeout 20 head -c 15 pipe >heard &
run forewarp trace "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 --timeline --svg pipe | tail -1
wait
cat heard; echo
test -p pipe && echo "still a pipe"
run forewarp trace "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 --svg nowhere/x.svg
run forewarp report "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 -o .
# Without what measures, or what is to be measured, no store is made.
FOREWARP_MEASURE=/bin/true run forewarp measure no-such-folder
FOREWARP_MEASURE=no-such-program run forewarp measure .
run forewarp measure import no-such-records
ls
