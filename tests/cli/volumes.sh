# Measured volumes for the traffic model's limiters: JSON, a profiler's two forms of CSV, and what is none.
cp "$SOURCE"/data/h200/traffic/kernels.ptx .
star() { # FILE: the star with that file's counters
    run forewarp traffic kernels.ptx -k star_1_1 -b 32,4,8 -g 20,126,63 -s 7=640 -s 8=512 -s 9=512 -d h200 --volumes "$@"
}
cat >counters.json <<'END'
{"counters": {"dram__bytes_read.sum": 2.59e9, "dram__bytes_write": 1.27e9, "lts__t_sectors_srcunit_tex_op_read.sum": 168396825,
 "l1tex__data_pipe_lsu_wavefronts.sum": 306e6, "gpu__time_duration.sum": 0.0017, "sm__cycles_active.max": 12}}
END
cat >raw.csv <<'END'
==PROF== Connected to process 17
"ID","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","gpu__time_duration.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
"","","","","Gbyte","msecond","sector"
"0","star_1_1(const double *, double *, double)","(16, 4, 8)","(20, 126, 63)","7","7","1"
"1","star_1_1(const double *, double *, double)","(32, 4, 8)","(20, 126, 63)","2.59","1.7","1,034,054,912"
"2","other(const double *)","(32, 4, 8)","(20, 126, 63)","9","9","1"
END
cat >details.csv <<'END'
"ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
"0","star_1_1","(32, 4, 8)","(20, 126, 63)","Memory","dram__bytes_write.sum","Gbyte","1.27"
END
star counters.json | sed -n '/^Predicted/,/^What/p'
star raw.csv | sed -n '/^Predicted/,/^$/p'
star details.csv | sed -n '/^Predicted/,/^$/p'
sed '/^"1"/d' raw.csv >elsewhere.csv
star elsewhere.csv
echo '{"counters": 7}' >none.json
star none.json
echo '{"dram__bytes_read.sum": -1}' >negative.json
star negative.json
echo '{"dram__bytes_read.sum": ' >broken.json
star broken.json
echo 'no table' >text.csv
star text.csv
star missing.csv
run forewarp predict kernels.ptx -k star_1_1 -b 32,4,8 -g 20,126,63 -d h200 -m roofline --volumes counters.json
