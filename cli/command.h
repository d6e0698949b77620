/* One run of the program: its command line, the library's context, and how it ends. */
#ifndef FW_COMMAND_H
#define FW_COMMAND_H

#include "options.h"

#include "forewarp.h"
#include "tell.h"

struct session {
    struct request request;
    struct fw_context *context;
    char *data;    /* folder that holds profiles/ */
    char *headers; /* folder with the headers for clang */
    char *cache;
    char failure[512]; /* the first error since this was last emptied */
};

/* process/heap.c: makes the C library's heap one of large pages; with `few_threads` all threads
 * share it. */
void open_heap(bool few_threads);

/* Makes the context; the exit status, 0 when all is well. */
int session_open(struct session *session);
void session_close(struct session *session);

/* The exit status of a status. */
int session_exit(enum fw_status status);

/* process/limit.c: a timer behind --limit, for what does not look at the clock: a second after the
 * limit it says so and ends the program, with exit status 1.  It is stopped before an answer is
 * written. */
void limit_begin(double seconds);
void limit_end(void);

/* Writes an answer on standard output and frees it; the exit status.  On a terminal, text for
 * people is fitted to its width (fit.h), but for what is drawn in characters. */
int session_print(char *text, enum fw_status status);
int session_print_drawn(char *text, enum fw_status status);

/* The same of code and of what passes say: bytes of the input as they are for files and programs,
 * printable on a terminal. */
int session_print_code(char *text, enum fw_status status);

/* count and predict (kernels.c) */
int kernel_command(struct session *session);
/* measure (measure.c) */
int measure_command(struct session *session);
/* --launches, and --serve: many launches (command_launches.c).  The device may be NULL. */
int launches_command(struct session *session, const struct fw_device *device);

/* predict for several devices (command_devices.c) */
int devices_command(struct session *session, const struct fw_devices *devices);

/* predict --serve (command_serve.c); on a UNIX socket (serve_socket.c), the exit status. */
int serve_command(struct session *session);
int serve_socket(struct fw_service *service, const char *path);

/* diff (command_diff.c) */
int diff_command(struct session *session);

/* kernels.c: what the command line says of the launch, into a worker; its grid, block, sizes of
 * shared memory, registers, arguments. */
enum fw_status session_set_launch(const struct session *session, struct fw_worker *worker);

/* serve --page (serve/serve_page.c; serve/serve_page_missing.c where there is no libmicrohttpd) */
int page_server_command(struct session *session);

/* report (command_report.c) */
int report_command(struct session *session);

/* command_rank.c: the ranking that the command line asks for, of a file on a device; to be freed.
 */
enum fw_status session_rank(struct fw_ranking **ranking, struct session *session,
                            const struct fw_device *device, const char *file);

/* rank (command_rank.c) */
int rank_command(struct session *session);
/* emit and strip (loops.c) */
int loops_command(struct session *session);

/* features without a FILE: which there are, or a table of many launches (command_features.c) */
int features_command(struct session *session);

/* generate (generate.c) */
int generate_command(struct session *session);

/* Writes a file, which lands whole or not at all; a link keeps its place, and the file that it
 * names is replaced.  What is there and is no regular file (/dev/stdout, a pipe) is written into.
 * 0, or why it cannot be written (errno's number). */
int session_write_file(const char *path, const char *text, size_t length);

/* calibrate (calibrate.c) */
int calibrate_command(struct session *session);

/* train and evaluate (command_train.c) */
int train_command(struct session *session);

/* device probe */
int probe_command(struct session *session);

/* The path of the store: --store, $FOREWARP_STORE, or forewarp.db. */
const char *session_store(const struct session *session);

/* The path of forewarp-measure: $FOREWARP_MEASURE, else beside this program, else where the build
 * has it; `path` may hold it. */
const char *session_measure_program(char *path, size_t size);

/* Options that several files need: how programs are read, how launches are predicted (`emulate`
 * holds what the settings then point to), and the text's form.  False, and a
 * sentence on standard error: they make no sense. */
bool session_program_options(const struct session *session, struct fw_program_options *options,
                             const struct fw_device *device);
/* The device of -d, NULL without it; with --calibration and no -d, one that is a black box. */
enum fw_status session_device(struct fw_device **device, const struct session *session);
/* --registers and --static-shared; 0 and false without them. */
bool session_resources(const struct session *session, uint32_t *registers, bool *has_static,
                       uint64_t *bytes);
/* Whether launches are followed in their order: predict --launches ... --cache sequence. */
bool session_follows(const struct session *session);
bool session_cold(bool *cold, const char *cache); /* --cache; NULL: warm */
bool session_predict_settings(const struct session *session, struct fw_predict_settings *settings,
                              struct fw_emulate_settings *emulate);
/* What --arg, --blocks, --instructions, --seed and --every say. */
bool session_emulate_settings(const struct session *session, struct fw_emulate_settings *settings);
struct fw_render_options session_render_options(const struct session *session);

#endif
