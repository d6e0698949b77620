# What a block can have: registers that are estimated, static and dynamic shared memory.
head='.version 8.0
.target sm_90
.address_size 64
'
# A kernel that loads $2 values, stores their sum and then each: as many are live at one time.
many() {
    printf '%s.visible .entry %s(.param .u64 a) %s\n{\n.reg .f32 %%f<900>;\n.reg .b64 %%d<4>;\n' "$head" "$1" "$3"
    printf 'ld.param.u64 %%d1, [a];\ncvta.to.global.u64 %%d2, %%d1;\nmov.f32 %%f0, 0f00000000;\n'
    for i in $(seq "$2"); do
        printf 'ld.global.f32 %%f%d, [%%d2+%d];\nadd.f32 %%f0, %%f0, %%f%d;\n' "$i" $((4 * i)) "$i"
    done
    for i in $(seq "$2"); do
        printf 'mul.f32 %%f%d, %%f%d, %%f0;\nst.global.f32 [%%d2+%d], %%f%d;\n' "$i" "$i" $((4 * i)) "$i"
    done
    printf 'ret;\n}\n'
}
told() {
    run forewarp predict "$@" -d h200 -m traffic | grep -v '^  [a-z]* *[0-9.]* [um]s' | grep -E '^\$|\[|note:|estimated|exit|resources|occupancy'
}
echo '== registers that are estimated'
many few 100 '' >few.ptx
told few.ptx -g 4 -b 256
told few.ptx -g 4 -b 1024
told few.ptx -g 4 -b 1024 -m traffic,roofline
many most 400 '' >most.ptx
told most.ptx -g 4 -b 32
many stated 100 '.maxnreg 40' >stated.ptx
told stated.ptx -g 4 -b 32
many bounds 100 '.maxntid 256, 1, 1 .minnctapersm 4' >bounds.ptx
told bounds.ptx -g 4 -b 128
many lone 100 '.maxntid 1024, 1, 1' >lone.ptx
told lone.ptx -g 4 -b 128
many huge 100 '.maxntid 4294967295, 4294967295, 4294967295 .minnctapersm 4294967295' >huge.ptx
told huge.ptx -g 4 -b 128
forewarp rank most.ptx --vary block=32,1024 -g 4 -d h200 2>&1 | grep -c 'ms\|us'
echo '== static shared memory'
static() {
    printf '%s.visible .entry k(.param .u64 a)\n{\n.reg .f32 %%f<2>;\n.shared .align 4 .b8 s[%s];\n' "$head" "$1"
    printf 'ld.shared.f32 %%f1, [s];\nst.shared.f32 [s], %%f1;\nret;\n}\n'
}
static 49152 >fits.ptx
told fits.ptx -g 4 -b 32
static 49156 >over.ptx
told over.ptx -g 4 -b 32
told over.ptx -g 4 -b 32 -m roofline
static 4294967300 >wraps.ptx
told wraps.ptx -g 4 -b 32
run forewarp rank over.ptx --vary block=32,64 -g 4 -d h200
run forewarp count over.ptx -g 4 -b 32 --numbers | head -4
echo '== dynamic shared memory'
cat >dynamic.ptx <<PTX
$head
.extern .shared .align 4 .b8 tile[];
.extern .shared .align 4 .b8 spare[];
.visible .entry uses(.param .u64 a)
{
.reg .f32 %f<2>;
ld.shared.f32 %f1, [tile];
st.shared.f32 [tile], %f1;
ret;
}
.visible .entry other(.param .u64 a)
{
ret;
}
PTX
grep -v spare dynamic.ptx >tile.ptx
grep -v tile dynamic.ptx >spare.ptx
told tile.ptx -k uses -g 4 -b 32
sed 's/tile/_ZN3app4tileE/' tile.ptx >scopes.ptx
told scopes.ptx -k uses -g 4 -b 32
forewarp count scopes.ptx -k uses -g 4 -b 32 --shared 1K | grep -c '4 bytes  tile '
told tile.ptx -k uses -g 4 -b 32 --shared 1K
told tile.ptx -k uses -g 4 -b 32 --shared 0
told tile.ptx -k uses -g 4 -b 32 --shared 227K
told tile.ptx -k uses -g 4 -b 32 --shared 228K
told tile.ptx -k other -g 4 -b 32
told spare.ptx -k other -g 4 -b 32
run forewarp rank tile.ptx -k uses --vary block=32 -g 4 -d h200
forewarp rank tile.ptx -k uses --vary block=32 -g 4 -d h200 --shared 1K 2>&1 | grep -c ' us'
cat >local.ptx <<PTX
$head
.visible .entry local(.param .u64 .ptr .global .align 4 a, .param .u64 .ptr .shared .align 4 words)
{
.reg .f32 %f<2>;
.reg .b64 %d<2>;
ld.param.u64 %d1, [words];
ld.shared.f32 %f1, [%d1];
st.shared.f32 [%d1], %f1;
ret;
}
PTX
told local.ptx -g 4 -b 32
told local.ptx -g 4 -b 32 --shared 128
