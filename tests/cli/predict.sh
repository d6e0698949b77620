# Predictions as people see them.
cd "$SOURCE/tests/golden/kernels"
run forewarp predict matmul_tiled.ptx -g 129,129 -b 16,16 -s 3=2050 -s 4=2050 -s 5=2050 -d h200
run forewarp predict copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 --cache cold
run forewarp predict copy.ptx -k copy -g 4 -b 256 -s 2=1000 -d a100 --clock 1000
# Alignment of a pointer shifts its sectors.
run forewarp predict copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -s 0.align=4 -d h200 -m roofline
