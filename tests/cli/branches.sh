# What is taken of branches that neither the launch nor an index decides.
here=$PWD
cd "$SOURCE/tests/golden/branches"
# A pointer is not null, aligned and to an array of its own; -s says otherwise.
rows() { grep -E '^  global|^Not known|aligned|@|^Arguments|-s '; }
export -f rows
run bash -c "forewarp count pointers.ptx -k add_bias -g 8 -b 128 -s 3=1000 | rows"
run bash -c "forewarp count pointers.ptx -k add_bias -g 8 -b 128 -s 3=1000 -s 1=0 | rows"
run bash -c "forewarp count pointers.ptx -k copy_wide -g 8 -b 128 -s 2=4000 | rows"
run bash -c "forewarp count pointers.ptx -k copy_wide -g 8 -b 128 -s 2=4000 -s param_0.align=8 | rows"
run bash -c "forewarp count pointers.ptx -k by_lane -g 8 -b 128 -s 2=1000 | rows"
run bash -c "forewarp count pointers.ptx -k by_lane -g 8 -b 128 -s 2=1000 -s param_0.align=8 | rows"
# A prediction does not ask for what is taken of pointers, nor how far they are apart.
run bash -c "forewarp predict pointers.ptx -d h200 -m traffic -k in_place -g 8 -b 128 -s 2=1000 | rows"
run bash -c "forewarp predict pointers.ptx -d h200 -m traffic -k walk -g 8 -b 128 | rows"
# A number that is compared is asked for.
run bash -c "forewarp predict pointers.ptx -d h200 -m traffic -k number -g 8 -b 128 -s 3=1000"
forewarp count pointers.ptx -k add_bias -g 8 -b 128 -s 3=1000 --json --numbers | grep -A3 '"kind": "pointer"'
# What the text says of branches that data decides.
usual() { grep -E '^  (global|local)|@'; }
export -f usual
count() { run bash -c "forewarp count ${FILE:-likely.ptx} -k $1 -g 8 -b 128 $2 | usual"; }
count leave_early "-s 3=1000"
count checked "-s 3=1000"
count special "-s 4=1000"
count sines "-s 2=1000"
count quotients "-s 3=1000"
count integers "-s 3=1000"
count choose "-s 2=1000"
count search "-s 3=500 -s 4=1000"
count twice "-s 2=1000"
# Copies of one branch and of one loop have one name, and take one value.
count copies "-s 2=102 -s 3=0.5"
count copies "-s 2=102 -s 3=0.5 -s taken@likely.cu:130=0.25"
count copied_loops "-s 2=102"
count copied_loops "-s 2=102 -s trips@likely.cu:142=5"
# What is stated holds for the whole condition; how often a loop is left follows its trips.
count parts "-s 3=1000"
count parts "-s 3=1000 -s taken@likely.cu:165=0.5"
count chase "-s 2=1000"
count chase "-s 2=1000 -s trips@likely.cu:177=80"
count rows "-s 3=1000"
# Lanes that share a row: of eight each comes to two entries in the mean, of a warp not all come to one.
FILE=shared_rows.ptx count by_eight "-s 3=100"
FILE=shared_rows.ptx count by_warp "-s 3=100"
FILE=shared_rows.ptx count list "-s 3=100"
count accumulate "-s 2=1000"
# Bits that are asked whether a number is positive and normal are those of a function of such numbers; a sign says nothing.
FILE=logarithms.ptx count double_logs "-s 2=1000"
FILE=logarithms.ptx count signs "-s 2=1000"
# Without source lines, what is alike in its text is one.
grep -vE '^[[:space:]]*\.loc[[:space:]]' likely.ptx >"$here/lines.ptx"
cd "$here"
FILE=lines.ptx count copies "-s 2=102 -s 3=0.5"
# An argument of an address's size that is only compared with 0 is an array that may be left out; one that
# is a number elsewhere is asked for.
cat >optional.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 mask, .param .u64 n)
{
.reg .pred %p<4>;
.reg .b64 %d<6>;
.reg .b32 %r<3>;
ld.param.u64 %d1, [out];
ld.param.u64 %d2, [mask];
cvta.to.global.u64 %d4, %d1;
mov.u32 %r1, 1;
and.b64 %d5, %d2, 15;
setp.ne.s64 %p2, %d5, 0;
@%p2 bra END;
setp.eq.s64 %p1, %d2, 0;
@%p1 bra END;
st.global.u32 [%d4], %r1;
ld.param.u64 %d3, [n];
setp.lt.u64 %p3, %d3, 100;
@%p3 bra END;
st.global.u32 [%d4+4], %r1;
END:
ret;
}
PTX
run forewarp predict optional.ptx -g 4 -b 32 -d h200 -m traffic | tail -3
run forewarp count optional.ptx -g 4 -b 32 -s 2=1000 | grep -E 'store|mask|exit'
# A number from data rarely is the one that an argument tells, whichever comes first and however wide it is.
cat >certain.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 labels, .param .u64 out, .param .u32 ignored, .param .u64 level)
{
.reg .pred %p<3>;
.reg .b64 %d<9>;
.reg .b32 %r<4>;
ld.param.u64 %d1, [labels];
ld.param.u64 %d2, [out];
ld.param.s32 %r1, [ignored];
ld.param.u64 %d3, [level];
cvta.to.global.u64 %d4, %d1;
cvta.to.global.u64 %d5, %d2;
mov.u32 %r2, %tid.x;
mul.wide.u32 %d6, %r2, 8;
add.s64 %d4, %d4, %d6;
add.s64 %d5, %d5, %d6;
ld.global.u64 %d7, [%d4];
cvt.s64.s32 %d8, %r1;
setp.eq.s64 %p1, %d8, %d7;
@%p1 st.global.u64 [%d5], %d7;
ld.global.u64 %d7, [%d4+1024];
setp.ne.u64 %p2, %d7, %d3;
@%p2 st.global.u64 [%d5+1024], %d7;
ret;
}
PTX
run forewarp count certain.ptx -g 8 -b 128 -s 2=7 -s 3=1 | grep -E 'global|@'
