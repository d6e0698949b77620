# Measurement kernels by tags.
run forewarp generate --list matmul_sq
run forewarp generate --list overlap shared --match identical
run forewarp generate --list barrier empty transpose --match intersect
run forewarp generate matmul_sq dtype:float32 prefetch:True keep:all lsize_0:16 lsize_1:16 groups_fit:True n:2048,2560,3072,3584
run forewarp generate matmul_sq keep:all n:3072,3584
run forewarp generate global pattern load 'afr:>1' dtype:f64
run forewarp generate pattern inputs:3 ls_0:2 gs_0:1K groups_0:64 -o patterns
run ls patterns
run cat patterns/global_access_f32_3_256_1_2_0_1024_0.knl
run cat patterns/launches.json
run forewarp count patterns/global_access_f32_3_256_1_2_0_1024_0.knl -s groups_0=64 -s groups_1=1
run forewarp generate empty lsize_0:32 groups:16 --json
run forewarp generate empty lsize_0:32 groups:16 --json -o empty
echo '== the usual variants'
forewarp generate | cut -d ' ' -f 1
echo '== a generator of the user'"'"'s'
mkdir mine
cat >mine/saxpy.tags <<'TAGS'
about A scaled vector added to another.
tags saxpy, mine
argument dtype = f32 of f32, f64 : type of the elements
argument arrays = 1 of 1..4 : vectors that are added
size n = 1K of 256..1M step 256 : elements
expect load x0 = 1
expect operation mul dtype = arrays
TAGS
cat >mine/saxpy.knl <<'KNL'
domain [n] -> {[i]: 0 <= i < n}
assume n >= 256 and n mod 256 = 0
array y: f32
%for a = 0 to arrays - 1
array x{{a}}: {{dtype}}
%end
y[i] = (0.5
%for a = 0 to arrays - 1
+ 2*x{{a}}[i]
%end
)
split i 256 outer=block.0 inner=thread.0
KNL
run forewarp generate saxpy arrays:2 --generators mine -o made
run cat made/saxpy_f32_2.cl
run forewarp generate --list --generators mine mine
echo '== refused'
run forewarp generate matmul_qs
run forewarp generate matmul_sq finite_difference
run forewarp generate matmul_sq size:3
run forewarp generate matmul_sq dtyp:f32
run forewarp generate matmul_sq dtype:f16
run forewarp generate matmul_sq n:
run forewarp generate matmul_sq n:100 lsize_0:16
run forewarp generate matmul_sq --match same
run forewarp generate barrier lsize_0:$(seq -s, 2 120) groups:$(seq -s, 1 120) barriers:$(seq -s, 1 120)
run forewarp generate barrier lsize_0:$(seq -s, 2 66) groups:$(seq -s, 1 65)
run forewarp generate saxpy --generators mine -o made
run forewarp generate saxpy --generators mine -o none/made
run forewarp generate saxpy --generators none
mkdir none
run forewarp generate saxpy --generators none
run forewarp generate saxpy --generators mine --generators mine
sed -i 's/^array y: f32$/array y: f23/' mine/saxpy.knl
run forewarp generate saxpy --generators mine -o other
sed -i 's/^array y: f23$/array y: {{dtpye}}/' mine/saxpy.knl
run forewarp generate saxpy --generators mine -o other
: >mine/saxpy.knl
run forewarp generate saxpy --generators mine -o other
rm mine/saxpy.knl
run forewarp generate saxpy --generators mine -o other
echo 'sizes n = 3' >>mine/saxpy.tags
run forewarp generate saxpy --generators mine -o other
run forewarp generate saxpy --generators mine -o other --json
run ls
run forewarp generate --depth 3
