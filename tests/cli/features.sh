# Features of kernels by name, tables of them beside measurements, and calibrations that predict from them.
cat >matmul.knl <<'END'
domain {[i, j, k]: 0 <= i, j, k < n}
assume n mod 16 = 0 and n >= 16
array a, b: f32
c[i, j] = sum(k, a$aLD[i, k]*b$bLD[k, j])
split i 16 outer=block.1 inner=thread.1
split j 16 outer=block.0 inner=thread.0
split k 16
prefetch a over i_inner, k_inner
prefetch b over k_inner, j_inner
END
tiled="$SOURCE/tests/golden/kernels/matmul_tiled.ptx -g 4,4 -b 16,16 -s 3=64 -s 4=64 -s 5=64"
run forewarp features
echo '== of domains, of code, of code on a device'
run forewarp features matmul.knl -s n=64
run forewarp features $tiled
run forewarp features $tiled -d h200 -f f_issued -f f_issued_fma -f f_machine_FFMA -f f_sectors_load -f f_waves -f f_occupancy
run forewarp features matmul.knl -s n=64 -f f_op_float32_madd -f f_mem_access_tag:aLD_afr:n --json
run forewarp features matmul.knl -s n=64 -f 'f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:0}_afr:4'
run forewarp features $tiled -f 'f_mem_access_array:matmul_tiled_param_0_load_afr:4' -f 'f_mem_access_global_load_afr:>4'
echo '== what is no feature, or not of this kernel'
run forewarp features matmul.knl -s n=64 -f f_mem_access_global_local
run forewarp features matmul.knl -s n=64 -f f_cl_wall_time
run forewarp features matmul.knl -s n=64 -f 'f_mem_access_gstrides:{0:<m*16}'
run forewarp features $tiled -f f_mem_access_shared_load_afr:1
run forewarp features $tiled -f f_mem_access_tag:aLD
run forewarp features $tiled -f f_waves
run forewarp features matmul.knl -f f_op
run forewarp features -f f_op
run forewarp features matmul.knl --cost one.cost
echo '== tables'
sizes() { for n in "$@"; do echo "{\"name\": \"matmul $n\", \"knl\": \"matmul.knl\", \"arguments\": {\"n\": $n}}"; done; }
measured() {
    echo '{"record": "setup", "device": "a box", "driver": "1", "backend": "opencl", "date": "2026-01-01T00:00:00Z"}'
    while read -r n seconds; do
        echo "{\"record\": \"measurement\", \"name\": \"matmul $n\", \"fingerprint\": \"$n\", \"status\": \"done\", \"single\": {\"median_seconds\": $seconds, \"variation\": 0.01}}"
    done
}
sizes 64 128 256 512 1024 >launches.json
# 1 ns a multiply-add of a warp, 10 us a launch.
measured <<<'64 18.3e-6
128 75e-6
256 540e-6
512 4.18e-3' >records
echo '{"record": "measurement", "name": "matmul 1024", "fingerprint": "x", "status": "failed"}' >>records
printf 'output f_cl_wall_time_box\ncost = p_madd * f_op_float32_madd + p_launch * f_sync_kernel_launch\n' >one.cost
sizes 32 >more.json
run forewarp features --launches launches.json --launches more.json -f f_op_float32_madd -f f_sync_barrier_local
run forewarp features --launches . --cost one.cost --measured records
run forewarp calibrate one.cost --launches . --measured records -d 'a box' -o one.calibration
# Trips that data decide: the table says so.
echo "{\"file\": \"$SOURCE/tests/golden/kernels/collatz.ptx\", \"kernel\": \"collatz\", \"grid\": 4, \"block\": 256, \"arguments\": {\"1\": 1000}}" >data.json
run forewarp features --launches data.json --launches more.json -f f_threads -f f_op_int64_add
echo '== tables that cannot be'
run forewarp features matmul.knl --launches launches.json -f f_op
run forewarp features --launches launches.json
run forewarp features --launches launches.json --cost one.cost --json
(cat records; echo '{"record": "measurement"}') >damaged
run forewarp features --launches . --cost one.cost --measured damaged
head -1 records >nothing
run forewarp features --launches . --cost one.cost --measured nothing
printf 'output f_op_float32_madd\ncost = p_madd * f_thread_groups\n' >output.cost
run forewarp calibrate output.cost --launches . --measured records
tail -1 records >failed
run forewarp features --launches . --cost one.cost --measured failed
echo '[{"name": "matmul 64"}]' >no-file.json
run forewarp features --launches no-file.json -f f_op
sizes 60 >assumed.json
run forewarp features --launches assumed.json -f f_op
run forewarp features --launches . --cost one.cost --store none.db
run forewarp measure import records --store mine.db
run forewarp features --launches . --cost one.cost --store mine.db
cp records other
run forewarp measure import other --store mine.db
run forewarp features --launches . --cost one.cost --store mine.db
run forewarp features --launches . --cost one.cost --store mine.db --campaign other
echo '== measurement kernels for a kernel'
run forewarp calibrate one.cost --for matmul.knl -s n=64,128
run forewarp calibrate one.cost --for matmul.knl -s n
run forewarp calibrate one.cost --for "$SOURCE/tests/golden/kernels/matmul_tiled.ptx"
echo '== predictions by a calibration'
run forewarp predict matmul.knl -s n=2048 --calibration one.calibration
run forewarp predict matmul.knl -s n=2048 -m cost --calibration one.calibration -d h200
# The last digits of a fit are no promise.
run forewarp predict $tiled --calibration one.calibration --json | sed -E 's/([0-9]\.[0-9]{3})[0-9]+/\1/; s/(1000)[0-9]{6}\.[0-9]+/\1 M/'
run forewarp rank matmul.knl --vary n=64,1K,256 --calibration one.calibration
run forewarp predict matmul.knl -s n=2048 -m cost -d a100
# In a model that is not linear, a term's meaning is what its parameter is multiplied with.
printf 'calibration 1\noutput f_time\ncost = ((p_madd * f_op_float32_madd)^2 + (p_local * f_mem_access_local)^2)^0.5\nvalue p_madd = 1e-12\nvalue p_local = 4e-12\n' >square.calibration
run forewarp predict matmul.knl -s n=2048 -m cost -d h200 --calibration square.calibration
run forewarp predict matmul.knl -s n=2048 -m cost
run forewarp predict matmul.knl -s n=2048 --calibration none.calibration
run forewarp predict matmul.knl -s n=2048 --calibration one.cost
sed 's/ + p_launch/ + * p_launch/' one.calibration >cut.calibration
run forewarp predict matmul.knl -s n=2048 --calibration cut.calibration
sed 's/f_op_float32_madd/f_op_float32_float64/' one.calibration >feature.calibration
run forewarp predict matmul.knl -s n=2048 --calibration feature.calibration
sed 's/f_op_float32_madd/f_mem_access_lstrides:{0:<m}/' one.calibration >limit.calibration
run forewarp predict matmul.knl -s n=2048 --calibration limit.calibration
sed 's/f_cl_wall_time_box/f_watts/' one.calibration >watts.calibration
run forewarp predict matmul.knl -s n=2048 --calibration watts.calibration
sed 's/f_op_float32_madd/f_waves/' one.calibration >waves.calibration
run forewarp predict $tiled --calibration waves.calibration
