# What is taken of branches that neither the launch nor an index decides.
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
run bash -c "forewarp predict pointers.ptx -d h200 -k in_place -g 8 -b 128 -s 2=1000 | rows"
run bash -c "forewarp predict pointers.ptx -d h200 -k walk -g 8 -b 128 | rows"
# A number that is compared is asked for.
run bash -c "forewarp predict pointers.ptx -d h200 -k number -g 8 -b 128 -s 3=1000"
forewarp count pointers.ptx -k add_bias -g 8 -b 128 -s 3=1000 --json --numbers | grep -A3 '"kind": "pointer"'
