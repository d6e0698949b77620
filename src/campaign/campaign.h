/* Campaigns: from a list of launches to measurements in the store, by one call that can be cut off
 * at any moment and called again.
 *
 * Takes a folder or a list of launches (kernels/README.md) or a plan (docs/forewarp-measure.md);
 * makes the plan, has CUDA sources compiled, runs forewarp-measure as a child, and takes every
 * record into the store as soon as the child has it on disk.  What the store holds is not measured
 * again.  It never opens a driver itself: a kernel that crashes, or a driver that hangs, is the
 * child's.
 *
 * Files while it works stand in STORE.work; those of a process that was killed are taken in by the
 * next one.  Diagnostics: CAM001 a list that makes no sense, CAM002 files, CAM003 forewarp-measure
 * cannot be run, CAM004 what it said, CAM005 a launch that was left out, CAM006
 * another process measures this campaign. */
#ifndef FW_CAMPAIGN_H
#define FW_CAMPAIGN_H

#include "compile.h"
#include "store.h"

/* Told after each configuration, and once before the first (`name` NULL). */
struct fw_campaign_progress {
    const char *name;    /* that was measured last */
    const char *reason;  /* why it failed; NULL: it did not */
    size_t done, failed; /* by this call */
    size_t left;
    double seconds_left; /* by the time that those before took; -1: not known yet */
};

struct fw_campaign {
    const char *from;      /* folder, list (.json) or plan (.plan) */
    const char *program;   /* forewarp-measure */
    const char *store;     /* the database's path */
    const char *name;      /* of the campaign; NULL: the device's and backend's */
    const char *backend;   /* NULL: cuda when there is such a device, else opencl */
    const char *recording; /* for the backend replay */
    const char *plan;      /* write the plan here, its sources beside it, and measure nothing */
    const char *ptx;       /* folder: its NAME.ptx stands for NAME.cu; NULL: compiled */
    const char *sizes;     /* of launches, by commas; NULL: all */
    const char *kernels;   /* likewise */
    unsigned device;       /* ordinal */
    unsigned trials;       /* 0: the plan's default; so for the next ones */
    double settle_seconds; /* -1: the default */
    double energy_seconds; /* 0: not measured */
    double limit_seconds;
    double most_bytes; /* of buffers of one launch; 0: no limit */
    bool cold, restore, retry;
    struct fw_compile_options compile; /* folders and cache; language and target are set here */
    void (*tell)(void *user, const struct fw_campaign_progress *progress);
    void *user;
};

struct fw_campaign_result {
    const char *name; /* of the campaign; lives in the arena */
    size_t configurations, done, failed, known, left_out;
};

/* Runs a campaign to its end.  FW_ERROR_INPUT: list or plan are at fault; FW_ERROR_MACHINE: the
 * device, a compiler, the disk; what was measured before is in the store all the same. */
enum fw_status fw_campaign_run(struct fw_campaign_result *result,
                               const struct fw_campaign *campaign, struct fw_arena *arena,
                               const struct fw_sink *sink);

#endif
