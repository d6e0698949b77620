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
run bash -c "forewarp predict pointers.ptx -d h200 -k in_place -g 8 -b 128 -s 2=1000 | rows"
run bash -c "forewarp predict pointers.ptx -d h200 -k walk -g 8 -b 128 | rows"
# A number that is compared is asked for.
run bash -c "forewarp predict pointers.ptx -d h200 -k number -g 8 -b 128 -s 3=1000"
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
count accumulate "-s 2=1000"
# Without source lines, what is alike in its text is one.
grep -vE '^[[:space:]]*\.loc[[:space:]]' likely.ptx >"$here/lines.ptx"
cd "$here"
FILE=lines.ptx count copies "-s 2=102 -s 3=0.5"
