# Formulas as people see them, with what they hold under.
cd "$SOURCE/tests/golden/kernels"
formulas() {
    run forewarp count "$@" | grep ' = \|hold where\|gridDim_x >= 1\|^\$'
}
formulas saxpy.ptx -b 256
formulas saxpy.ptx -b 256 --assume 'param_3 mod 256 = 0 and gridDim_x = param_3/256 and param_3 > 0'
formulas reduce.ptx -b 256 --assume 'gridDim_x = ceil(param_2/256)'
formulas matmul_tiled.ptx -b 16,16
formulas grid_stride2d.ptx -b 32,8
formulas triangular.ptx -k prefix_dot -b 256
formulas countdown.ptx -k suffix_sums -b 256
formulas star25.ptx -k star25 -b 32,8
run forewarp count saxpy.ptx -b 256 --assume 'param_3 < 0'
run forewarp count saxpy.ptx -b 256 --assume 'm > 0'
# A bound that is a product of two arguments: i < n * m.
formulas "$SOURCE/tests/cli/product_bound.ptx" -b 256
forewarp count "$SOURCE/tests/cli/product_bound.ptx" -b 256 --json | grep -o '"symbolic": ".*_times_.*"' | sort -u
