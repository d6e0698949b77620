# What steps leave.
K=$SOURCE/tests/golden/kernels
run forewarp count "$K/saxpy.ptx" --dump=domains
run forewarp count "$K/saxpy.ptx" --dump=loops
for what in cfg ssa uniformity record ptx; do
    forewarp count "$K/saxpy.ptx" --dump=$what >$what && test -s $what && echo "$what: something"
done
# The PTX reads as the same module.
forewarp count ptx -x ptx --dump=ptx | cmp - ptx && echo the same
run forewarp count "$K/saxpy.ptx" --dump=loops,domains
run forewarp count "$K/saxpy.ptx" --dump=loops,tea
