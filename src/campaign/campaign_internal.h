/* What the campaign's files share. */
#ifndef FW_CAMPAIGN_INTERNAL_H
#define FW_CAMPAIGN_INTERNAL_H

#include "campaign.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

/* One campaign under way. */
struct campaign_run {
    const struct fw_campaign *campaign;
    struct fw_campaign_result *result;
    struct fw_arena *arena;
    const struct fw_sink *sink;
    const char *backend;
    unsigned target; /* compute capability as 90; 0: not known */
};

#define CAMPAIGN_ERROR(run, code, ...)                                                             \
    fw_report((run)->sink, FW_ERROR, code, (struct fw_span){0}, __VA_ARGS__)

/* ---- campaign_list.c ---- */

/* The launches of a list, one JSON object each, those chosen by size and kernel alone; the list's
 * folder.  `*list` must be given back by json_decref. */
enum fw_status campaign_list_read(struct campaign_run *run, json_t **list, const char **folder);

/* A parameter of a kernel, in its order. */
struct campaign_parameter {
    const char *name;
    const char *type; /* as the plan names scalars: "s32"; NULL: not one that it knows */
    bool pointer;
};

/* Whether a plan knows elements of this type. */
bool campaign_is_type(const char *text);

/* A source of launches: its text, kernels and body. */
struct campaign_source {
    const char *path;
    struct fw_source text;
    struct fw_signatures signatures;
    const char *plain; /* the text without comments, of the same length */
    bool is_ptx;
};

/* Reads a source and, but of PTX, the signatures of its kernels, into the run's arena.  Told where
 * it cannot be read. */
enum fw_status campaign_source_read(struct campaign_run *run, struct campaign_source *source,
                                    const char *path);

typedef FW_VECTOR(struct campaign_parameter) campaign_parameters;

/* The parameters of a launch's kernel; NULL, or a sentence on why they are not known. */
const char *campaign_parameters_find(struct campaign_run *run, campaign_parameters *parameters,
                                     const struct campaign_source *source, const json_t *launch);

/* Whether every mention of a name in a kernel's body is an element that is assigned to. */
bool campaign_only_assigned(const struct campaign_source *source, const char *kernel,
                            const char *name);

/* ---- campaign_plan.c ---- */

/* Writes the plan, and its sources beside it. */
enum fw_status campaign_plan_write(struct campaign_run *run, const char *path);

/* ---- campaign_work.c ---- */

/* The files of a campaign under way, all in STORE.work, their names opening with our process. */
struct campaign_work {
    const char *folder;
    const char *mark;    /* held locked while we live; holds the campaign's name */
    const char *plans;   /* folder of the plan and its sources */
    const char *records; /* what forewarp-measure writes */
    const char *skip;    /* fingerprints that are in the store */
    const char *errors;  /* what it says on standard error */
    const char *fresh;   /* `skip` before it has landed */
    const char *name;    /* of the file that locks the campaign; NULL before */
    int lock, name_lock;
};

/* Takes in what processes left that are no more, and claims names of our own. */
enum fw_status campaign_work_open(struct campaign_run *run, struct campaign_work *work,
                                  struct fw_store *store);
/* Writes the campaign's name down, for who may have to take in what we leave, and locks it: no two
 * processes measure one campaign, or each would measure all of it. */
enum fw_status campaign_work_name(struct campaign_run *run, struct campaign_work *work,
                                  const char *name);
/* Removes our files; with `keep` they stay for the next process: what they hold is not in the
 * store.
 */
void campaign_work_close(struct campaign_work *work, bool keep);

/* Writes a file; it lands by rename, whole or not at all. */
enum fw_status campaign_file_write(struct campaign_run *run, const char *path, const char *text,
                                   size_t length);

/* ---- campaign_child.c ---- */

struct campaign_child {
    pid_t process;
    FILE *output;
};

/* Starts forewarp-measure with arguments (NULL-terminated, without the program), standard error
 * into the file `errors`; it is killed when we are. */
enum fw_status campaign_child_start(struct campaign_run *run, struct campaign_child *child,
                                    const char *const *arguments, const char *errors);
/* The next line of its output, without its end; NULL at the end. */
const char *campaign_child_line(struct campaign_run *run, struct campaign_child *child);
/* Waits for its end: 0, 1, 2, 3 are its exit status, -1 a signal.  What it said stands in `errors`;
 * FW_OK only for 0. */
enum fw_status campaign_child_end(struct campaign_run *run, struct campaign_child *child,
                                  const char *errors, bool quiet, int *code);

#endif
