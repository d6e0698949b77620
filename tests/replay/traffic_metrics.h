/* The volumes that predictions of memory traffic are compared by, and their hardware counters. */
#ifndef TRAFFIC_METRICS_H
#define TRAFFIC_METRICS_H

/* X(NAME, text, counter, bytes a unit) */
#define METRICS(X)                                                                                 \
    X(LOAD_SECTORS, "load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1)           \
    X(STORE_SECTORS, "store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1)         \
    X(LSU, "LSU wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", 1)                             \
    X(SHARED, "shared wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1)            \
    X(L2_LOAD, "L2 to L1", "lts__t_sectors_srcunit_tex_op_read.sum", 32)                           \
    X(L2_STORE, "L1 to L2", "lts__t_sectors_srcunit_tex_op_write.sum", 32)                         \
    X(DRAM_READ, "DRAM read", "dram__bytes_read.sum", 1)                                           \
    X(DRAM_WRITE, "DRAM write", "dram__bytes_write.sum", 1)

enum metric {
#define X(name, text, counter, unit) name,
    METRICS(X)
#undef X
        METRICS
};

static const struct {
    const char *text, *counter;
    double unit;
} metrics[METRICS] = {
#define X(name, text, counter, unit) {text, counter, unit},
    METRICS(X)
#undef X
};

#endif
