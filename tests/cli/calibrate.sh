# Cost models fitted to tables, calibrations, predictions of them, and what is refused.
cp "$SOURCE/docs/examples/matmul.cost" "$SOURCE/docs/examples/matmul-costs.csv" .
run forewarp calibrate matmul.cost --table matmul-costs.csv --hold-out 'matmul*' -o matmul.calibration
sed -e 's/\(= [0-9.]\{5\}\)[0-9.]*/\1/' -e 's/error .*//' -e 's/\(predicted [0-9.]\{5\}\)[0-9.]*/\1/' matmul.calibration | head -40
run forewarp calibrate --evaluate matmul.calibration --table matmul-costs.csv
echo '== a calibration stands alone: features alone are needed'
cut -d, -f1-8 matmul-costs.csv | grep -v '^#' | tail -3 >rows.csv
(grep '^kernel' matmul-costs.csv | cut -d, -f1-8; cat rows.csv) >features.csv
run forewarp calibrate --evaluate matmul.calibration --table features.csv
echo '== a form of overlap that is stated'
run forewarp calibrate matmul.cost --table matmul-costs.csv --overlap none -d 'a device'
echo '== an expression of its own, JSON, what data cannot tell apart'
cat >own.cost <<'END'
output f_seconds
let work = p_a * f_op_float32_add + p_b * f_op_float32_mul
cost = smooth_max(work, f_mem_access_global_float32 / p_rate, 20)
END
cat >own.csv <<'END'
kernel,f_op_float32_add,f_op_float32_mul,f_mem_access_global_float32,f_seconds
one,1e9,2e9,0,7e-3
two,2e9,4e9,1e6,14.1e-3
three,1e6,2e6,1e9,1.01e-3
four,1e6,2e6,2e9,2e-3
five,4e9,8e9,3e9,28e-3
END
# Of what is not known any number may be found.
run forewarp calibrate own.cost --table own.csv --non-negative --starts 3 |
    sed -E '/^  [12] /s/[0-9.]+e[-+][0-9]+/NUMBER/g; /^  (one|two|three|four|five) /d; s/ of 3 starts/ starts/'
cat >apart.csv <<'END'
kernel,f_op_float32_add,f_op_float32_mul,f_mem_access_global_float32,f_seconds
one,1e9,3e9,0,11.1e-3
two,4e9,1e9,1e6,10.9e-3
three,1e6,2e6,1e9,1.01e-3
four,1e6,2e6,2e9,1.99e-3
five,1e9,1e9,3e6,5.02e-3
END
# The last digits of a search are no promise.
run forewarp calibrate own.cost --table apart.csv --json | sed -E 's/([0-9]\.[0-9]{3})[0-9]+/\1/'
echo '== refused'
run forewarp calibrate own.cost
run forewarp calibrate --table own.csv
run forewarp calibrate own.cost --table none.csv
run forewarp calibrate own.cost --table own.csv --hold-out six
run forewarp calibrate own.cost --table own.csv --starts none
run forewarp calibrate own.cost --table own.csv --overlap full
run forewarp calibrate own.cost --table own.csv --overlap half
run forewarp calibrate own.cost --table apart.csv -o /nonexistent/file
run forewarp calibrate --evaluate own.cost --table own.csv
run forewarp calibrate matmul.calibration --table matmul-costs.csv
run forewarp calibrate --evaluate matmul.calibration --table own.csv
run forewarp calibrate --evaluate matmul.calibration --table features.csv --starts 2
head -3 own.csv >few.csv
run forewarp calibrate own.cost --table few.csv
sed 's/global_float32 /globl_float32 /' own.cost >near.cost
run forewarp calibrate near.cost --table own.csv
printf 'output f_seconds\ncost = p_a * f_op_float32_add / f_mem_access_global_float32\n' >zero.cost
run forewarp calibrate zero.cost --table own.csv
printf 'output f_seconds\nparameter p_a, p_a\ncost = p_a\n' >twice.cost
run forewarp calibrate twice.cost --table own.csv
printf 'output f_seconds\ncost = p_a * f_op_lstrides:{0:1\n' >open.cost
run forewarp calibrate open.cost --table own.csv
