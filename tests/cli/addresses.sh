# Address expressions: what people see, and what is wrong with hostile ones.
cp "$SOURCE"/docs/examples/star25.json .
run forewarp traffic star25.json -d h200 -s nx=1K -b 16,8,4
run forewarp count star25.json --numbers
run forewarp predict star25.json -d h200 -m roofline
run forewarp count star25.json --dump domains
run forewarp emulate star25.json
sed 's/"block"/"grid": [2, 3], "block"/' star25.json >grid.json
run forewarp count grid.json --numbers | grep -E 'launch|store|exit'
kernel() { # MEMBERS: a kernel of one field, with them
    echo "{\"forewarp_kernel\": 1, \"domain\": [\"n\"], \"sizes\": {\"n\": 1000}, \"block\": 128, $1}" >k.json
    run forewarp traffic k.json -d v100
}
kernel '"fields": {"u": {"type": "f64", "shape": ["n"]}}, "loads": ["u[x]", "u[x - 1]"]'
kernel '"fields": {"u": {"type": "f64", "shape": ["n"]}}, "loads": [{"field": "u", "at": "x", "offsets": [0, 1, 2]}]'
kernel '"fields": {"u": {"type": "f64", "shape": ["n"]}}, "where": "x >= 1", "loads": ["u[x - 1]"], "stores": ["u[2*x]"]'
kernel '"fields": {"u": {"type": "f64", "alignment": 0}}, "loads": ["u[x]"]'
kernel '"fields": {"u": {"type": "f64", "alignment": 48}}, "loads": ["u[x]"]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x*x]"]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x/(n - n)]"]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["v[x]"]'
kernel '"fields": {"u": {"type": "f65"}}, "loads": ["u[x]"]'
kernel '"fields": {"u": {"type": "f64"}}, "load": ["u[x]"]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x + "]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x, x]"]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x]"], "coarsening": [1, 2]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": [17]'
kernel '"fields": {"u": {"type": "f64"}}, "loads": ["u[x]"], "loads": []'
echo '== instructions and chains'
u='"fields": {"u": {"type": "f64", "shape": ["n"]}}, "loads": ["u[x]"], "stores": ["u[x]"]'
kernel "$u"', "operations": {"f64": {"flop": 9, "div": 1}, "s32": {"add": 2}}, "chain": {"f64": {"flop": 9, "div": 1}}, "instructions": 20'
kernel "$u"', "instructions": 1'
kernel "$u"', "instructions": -1'
kernel "$u"', "instructions": 65537'
kernel "$u"', "instructions": 65536, "coarsening": [4, 1, 1]'
kernel "$u"', "instructions": "n"'
kernel "$u"', "operations": {"f64": {"add": 2}}, "chain": {"f64": {"add": 3}}'
kernel "$u"', "operations": {"f64": {"add": 2}}, "chain": {"f32": {"add": 1}}'
kernel "$u"', "chain": {"f64": 3}'
kernel "$u"', "chain": 3'
kernel "$u"', "operations": {"f64": {"flops": 2}}'
kernel "$u"', "operations": {"f64": {"mad.wide": 2}}'
kernel "$u"', "loops": [{"name": "k", "trips": 10, "operations": {"f64": {"fma": 1}}, "chain": {"f64": {"fma": 2}}}]'
kernel "$u"', "loops": [{"name": "k", "trips": 10, "instructions": 0, "operations": {"f64": {"fma": 1}}}]'
run forewarp traffic star25.json -d h200 -s nx=8
run forewarp traffic star25.json -d h200 -s ny=100M
run forewarp traffic star25.json -d h200 -s mx=8
run forewarp traffic star25.json -d h200 -b 2048
printf '{"forewarp_kernel": 1, \n  "domain": 5,, }' | run forewarp traffic -x json - -d h200
run forewarp traffic star25.json -d h200 -DTILE=4
