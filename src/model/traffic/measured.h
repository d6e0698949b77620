/* Measured volumes: counters of a profiler in place of the volumes that the traffic model predicts,
 * so that its limiters tell what they would with volumes that are right (the traffic paper's
 * phenomenological prediction). */
#ifndef FW_MEASURED_H
#define FW_MEASURED_H

#include "traffic.h"

/* X(NAME, key, metric, unit of ours in one of the metric's, unit) */
#define FW_TRAFFIC_METRICS(X)                                                                      \
    X(LOAD_SECTORS, "global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1,    \
      "sectors")                                                                                   \
    X(STORE_SECTORS, "global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1,  \
      "sectors")                                                                                   \
    X(LSU_WAVEFRONTS, "lsu_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", 1, "wavefronts")    \
    X(SHARED_WAVEFRONTS, "shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1, \
      "wavefronts")                                                                                \
    X(L2_TO_L1, "l2_to_l1_bytes", "lts__t_sectors_srcunit_tex_op_read.sum", 32, "bytes")           \
    X(L1_TO_L2, "l1_to_l2_bytes", "lts__t_sectors_srcunit_tex_op_write.sum", 32, "bytes")          \
    X(DRAM_READ, "dram_read_bytes", "dram__bytes_read.sum", 1, "bytes")                            \
    X(DRAM_WRITE, "dram_write_bytes", "dram__bytes_write.sum", 1, "bytes")                         \
    X(DURATION, "seconds", "gpu__time_duration.sum", 1, "seconds")

enum fw_traffic_metric {
#define X(name, ...) FW_TRAFFIC_METRIC_##name,
    FW_TRAFFIC_METRICS(X)
#undef X
        FW_TRAFFIC_METRIC_COUNT
};

/* In our units (bytes, seconds); NAN: not measured. */
struct fw_traffic_measured {
    double at[FW_TRAFFIC_METRIC_COUNT];
};

struct fw_traffic_metric_row {
    const char *key, *metric, *unit;
    double factor; /* of the metric's number */
};

/* The row of a metric; and the metric called so: by our key or by Nsight Compute's name, with or
 * without ".sum".  False: there is none. */
const struct fw_traffic_metric_row *fw_traffic_metric_row(enum fw_traffic_metric metric);
bool fw_traffic_metric_find(enum fw_traffic_metric *metric, const char *name);

/* Sentences about accesses that volumes do not hold, or hold as something else: atomics, constant
 * cache, textures, local memory; at most FW_TRAFFIC_NOT_MODELLED.  How many. */
enum { FW_TRAFFIC_NOT_MODELLED = 6 };
uint32_t fw_traffic_not_modelled(const char **sentences, struct fw_arena *arena,
                                 const struct fw_kernel *kernel);

/* Puts measured volumes where predicted ones were; `predicted` gets what was there (the duration
 * untouched). */
void fw_traffic_replace(struct fw_traffic *traffic, struct fw_traffic_measured *predicted,
                        const struct fw_traffic_measured *measured);

#endif
