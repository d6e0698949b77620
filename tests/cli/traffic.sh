# Memory traffic as people see it, and what is no model or no device.
cd "$SOURCE/tests/golden/kernels"
run forewarp traffic star25.ptx -k star25 -g 20,128,64 -b 32,4,8 -s 7=640 -s 8=512 -s 9=512 -d v100
run forewarp traffic copy.ptx -k copy -g 4096 -b 256 -s 2=1048576 -d v100 --cache cold
run forewarp traffic copy.ptx -k copy -g 4096 -b 256 -s 2=1048576 -d v100
run forewarp traffic saxpy.ptx -g 4 -b 256 -s 3=1000
run forewarp predict saxpy.ptx -g 4 -b 256 -s 3=1000 -d h200 -m roofline,warps
# Gathers whose distribution is stated; what volumes do not hold is named.
run forewarp traffic gather.ptx -k gather -g 393217 -b 256 -s 3=100663301 -s 0.spread=402653204 -d h200
run forewarp traffic gather.ptx -k scatter -g 393217 -b 256 -s 3=100663301 -s 2.spread=402653204 -d h200 | grep "device memory"
run forewarp traffic gather.ptx -k gather -g 4 -b 256 -s 3=1000 -s 1.spread=4000 -d h200
run forewarp traffic gather.ptx -k gather -g 4 -b 256 -s 3=1000 -s 0.spread=none -d h200
# The order of an index array: random unless stated; what is taken is said, and what data bound.
run forewarp traffic gather.ptx -k gather -g 393217 -b 256 -s 3=100663301 -d h200 | grep "device memory\|index array"
run forewarp traffic gather.ptx -k gather -g 393217 -b 256 -s 3=100663301 -s 0.kind=neighbours -d h200 | grep "device memory\|index array"
run forewarp traffic gather.ptx -k gather -g 393217 -b 256 -s 3=100663301 -s 1.kind=sorted -d h200 | grep "device memory\|index array"
run forewarp traffic gather.ptx -k gather -g 4 -b 256 -s 3=1000 -s 0.kind=upwards -d h200
run forewarp traffic gather.ptx -k gather -g 4 -b 256 -s 3=1000 -s 7.kind=random -d h200
run forewarp traffic histogram.ptx -k histogram_global -g 64 -b 256 -s 2=100000 -d h200 | grep "elements of"
run forewarp traffic spmv_csr.ptx -k spmv_csr -g 64 -b 256 -s 5=16384 -d h200 | grep "elements of\|adjoin\|default"
run forewarp traffic histogram.ptx -k histogram_global -g 64 -b 256 -s 2=100000 -d h200 | grep -A9 "leaves out"
# What the emulator sees of a gather, for the model.
forewarp emulate gather.ptx -k gather -g 64 -b 256 -s 3=16384 --arg 0=f32[64K] --arg '1=s32[16K]:random(1000,60000)' | grep spread
forewarp emulate gather.ptx -k gather -g 64 -b 256 -s 3=16384 --arg 0=f32[16K] --arg 1=s32[16K]:permutation | grep spread
run forewarp traffic gather.ptx -k gather -g 64 -b 256 -s 3=16384 -s param_0.spread=65536 -d h200 --cache cold | grep "device memory"
# How much of the slowest resource depends on addresses that are not known exactly.
run forewarp traffic "$SOURCE/tests/cli/squares.ptx" -g 60000 -b 256 -s 2=15360000 -d h200 | grep "slowest"
run forewarp traffic "$SOURCE/tests/cli/squares.ptx" -g 4 -b 256 -s 2=1000 -d h200 | grep "slowest"
run forewarp traffic histogram.ptx -k histogram_global -g 640 -b 256 -s 2=10000000 -d h200 | grep "slowest"
# A mutant whose rows begin at an address that nothing tells: no plan stands for it.
run forewarp traffic "$SOURCE/tests/cli/unplanned_rows.ptx" -g 2 -b 33 -s 4=2700 -s 5=4072 -d h200 | grep "lie"
