/* Measured volumes: of a profiler's counters those that say what a model of memory traffic
 * predicts, by one table of metrics.
 *
 * Takes a text with counters (JSON or Nsight Compute's CSV, see counters.h) and the launch that is
 * asked about.  Gives the launch's volumes in bytes, sectors, wavefronts and seconds.  Never opens
 * a file and knows no model. */
#ifndef FW_MEASURED_VOLUMES_H
#define FW_MEASURED_VOLUMES_H

#include "arena.h"
#include "diagnostic.h"

/* X(NAME, key, metric, unit of ours in one of the metric's, unit) */
#define FW_VOLUME_METRICS(X)                                                                       \
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

enum fw_volume_metric {
#define X(name, ...) FW_VOLUME_METRIC_##name,
    FW_VOLUME_METRICS(X)
#undef X
        FW_VOLUME_METRIC_COUNT
};

/* In our units (bytes, seconds); NAN: not measured. */
struct fw_measured_volumes {
    double at[FW_VOLUME_METRIC_COUNT];
};

struct fw_volume_metric_row {
    const char *key, *metric, *unit;
    double factor; /* of the metric's number */
};

/* What the metric is called in our JSON and by Nsight Compute, and its unit there; a constant. */
const struct fw_volume_metric_row *fw_volume_metric_row(enum fw_volume_metric metric);

/* The launch whose counters are wanted. */
struct fw_measured_launch {
    const char *kernel; /* as in the source */
    const char *entry;  /* as in the code: mangled */
    uint32_t grid[3], block[3];
};

/* Reads the launch's volumes: an object of counters (which is the launch's, or has them as its
 * member "counters"), or a table that has the launch; of several such launches the last one
 * stands.  Metrics go by our keys or by Nsight Compute's names, with or without ".sum".  `path` is
 * what diagnostics call the text, `arena` is scratch. FW_ERROR_INPUT (API070): unreadable, or none
 * of the metrics is in it. */
enum fw_status fw_measured_volumes_read(struct fw_measured_volumes *volumes, struct fw_arena *arena,
                                        const struct fw_source *source, const char *path,
                                        const struct fw_measured_launch *launch,
                                        const struct fw_sink *sink);

#endif
