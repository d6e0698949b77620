# Operations on bits and in floating point of indices: exact, sampled, or named as approximate.
scalars=$SOURCE/tests/golden/scalars/scalars.ptx
count() { forewarp count "$scalars" "$@" | sed -n '/Not known/,$p'; }
echo "== every value is gone through"
count -k disc -g 4x16 -b 32x8 -s 2=128 -s 3=0.4
echo "== some are"
count -k disc -g 32x128 -b 32x8 -s 2=1024 -s 3=0.3
echo "== PTX leaves the result open"
count -k approximate -g 4 -b 64 -s 2=1
echo "== a condition on arguments alone"
count -k of_arguments -g 900 -b 128 -s 2=10000 -s 3=1.25
echo "== bits in an address: drawn from what they can be"
cat > reversed.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry reversed(.param .u64 to, .param .u64 from)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	.reg .f32 %f<2>;
	ld.param.u64 %rd1, [to];
	ld.param.u64 %rd2, [from];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r1, %r1, %r2, %r3;
	brev.b32 %r4, %r1;
	shr.u32 %r5, %r4, 12;
	mul.wide.u32 %rd3, %r5, 4;
	add.s64 %rd4, %rd2, %rd3;
	ld.global.f32 %f1, [%rd4];
	mul.wide.s32 %rd5, %r1, 4;
	add.s64 %rd6, %rd1, %rd5;
	st.global.f32 [%rd6], %f1;
	ret;
}
PTX
forewarp traffic reversed.ptx -g 4096 -b 256 -d h200 | grep -e 'load sectors' -e 'Data choose'
