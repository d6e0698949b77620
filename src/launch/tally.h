/* Tallies: the counts of a bound launch, added up by what people ask for.
 *
 * Rows are made once a kernel (operation and type; machine operation and type; access) and filled
 * for each launch from the counts of the domains that they stand in.  One thread uses a tally at a
 * time. */
#ifndef FW_TALLY_H
#define FW_TALLY_H

#include "launch.h"

/* One line of a tally: the sum over domains of times * count(domain) / every; the sum is
 * rounded down. */
struct fw_tally_row {
    const char *operation;
    enum fw_type type;
    enum fw_group group;
    uint32_t flops;      /* floating-point operations of one count; see fw_scheduled */
    bool collective;     /* matrix products: the counts are operations, 2mnk an instruction */
    uint32_t together;   /* collective: threads that execute one together */
    const char *machine; /* rows of the machine layer: the machine's name; pipe and guard below */
    const char *pipe;
    bool guarded;
    uint32_t *domains;
    uint32_t *times;
    uint8_t *every; /* by term: in one of so many executions; NULL: each (all but machine rows) */
    uint32_t term_count;
    struct fw_total threads; /* executions by threads, guards counted */
    struct fw_total warps;   /* executions by warps with at least one thread; filled on request */
};

struct fw_tally {
    const struct fw_kernel *kernel;
    struct fw_tally_row *operations; /* all but loads, stores and control, by operation and type */
    uint32_t operation_count;
    struct fw_tally_row *machine; /* machine layer, when the kernel has it */
    uint32_t machine_count;
    struct fw_tally_row *accesses; /* one for each access of the kernel, in its order */
    uint32_t access_count;
    struct fw_tally_row groups[FW_GROUP_COUNT];
    struct fw_tally_row total;
    struct fw_tally_row barriers; /* block-wide barriers, executions by threads */
    double flops;                 /* floating-point operations of the launch */
    bool calls;                   /* functions were called whose code is not there */
};

/* The rows of a kernel, in its own memory.  NULL without memory. */
FW_GIVE struct fw_tally *fw_tally_new(const struct fw_kernel *kernel);
void fw_tally_free(FW_TAKE struct fw_tally *tally);

/* Fills the rows for the launch that `bound` is bound to; `warps` too when asked.  The bound must
 * be of the tally's kernel. */
void fw_tally_fill(struct fw_tally *tally, struct fw_bound *bound, bool warps);

#endif
