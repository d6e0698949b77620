/* What the files about services share. */
#ifndef FW_SERVING_INTERNAL_H
#define FW_SERVING_INTERNAL_H

#include "serving.h"

#include <jansson.h>
#include <sys/stat.h>

enum {
    SERVICE_DEPTH_MOST = 8,     /* of lists and objects in each other */
    SERVICE_VALUES_MOST = 256,  /* arguments, definitions */
    SERVICE_TEXT_MOST = 4096,   /* bytes of a name, a path, an id */
    SERVICE_PROGRAMS_MOST = 64, /* that are kept; so many devices, too */
    SERVICE_KERNELS_MOST = 64,  /* bound ones of a program */
    SERVICE_ANSWERS = 4096,     /* places of answers; a power of two */
    SERVICE_DEVICES_READ = 4096 /* in all: models keep something of each */
};

/* A request, as its line says; texts are the JSON's. */
struct service_request {
    const char *file, *kernel, *device, *models;
    uint32_t grid[3], block[3]; /* 0: not stated */
    bool has_shared, has_cold, cold;
    uint64_t shared, repeats;
    uint32_t registers;
    double clock;                /* hertz; 0: not stated */
    json_t *arguments, *defines; /* objects; NULL: none */
};

/* A program that was read, while its file is as it was. */
struct service_program {
    char *key; /* NULL: the place is free */
    size_t key_length;
    struct fw_program *program;
    struct stat file;
    uint64_t used;
    struct {
        char *name; /* as asked for; "" for the only one */
        struct fw_worker *worker;
        uint64_t serial;
    } kernels[SERVICE_KERNELS_MOST];
    size_t kernel_count;
};

struct service_device {
    char *name; /* NULL: the place is free */
    struct fw_arena *arena;
    struct fw_device *device;
    uint64_t used, serial;
};

/* An answer: its part of a reply, and what totals need. */
struct service_answer {
    char *key; /* NULL: none */
    size_t key_length;
    uint64_t used;
    char *body;
    double seconds, overhead, joules; /* of one launch */
    bool has_overhead, has_joules;
};

struct service_total {
    uint64_t requests, failed;
    double launches, seconds, overhead, joules, without_overhead, without_joules; /* launches */
};

struct fw_service {
    const struct fw_context *context;
    struct fw_context quiet; /* the context, whose diagnostics are kept for the reply */
    struct fw_service_settings settings;
    struct fw_program_options options;
    struct fw_predict_settings predict;
    struct fw_arena *arena; /* of the request under way */
    json_t *root;           /* likewise */
    const char *line;
    size_t length;
    struct service_request request;
    const char *reply;
    struct fw_buffer out;
    /* The first error of the request under way. */
    bool failed;
    char code[16], text[1024], place[SERVICE_TEXT_MOST + 1];
    uint32_t place_line, place_column;
    enum fw_status failure;
    struct service_program programs[SERVICE_PROGRAMS_MOST];
    struct service_device devices[SERVICE_PROGRAMS_MOST];
    struct service_answer *answers; /* SERVICE_ANSWERS of them, by hash */
    uint64_t clock;                 /* counts uses */
    uint64_t line_number, devices_read;
    struct service_total total;
};

/* serving_request.c: the line into the request; the JSON stays in service->root.  FW_ERROR_INPUT,
 * and a message (SRV001 to SRV004). */
enum fw_status service_read(struct fw_service *service);

/* serving_kept.c: the kernel's worker and the device that the request asks for, kept or made anew.
 */
enum fw_status service_find_device(struct fw_service *service, const struct fw_device **device,
                                   uint64_t *serial);
enum fw_status service_find_worker(struct fw_service *service, const struct fw_device *device,
                                   struct service_program **program, struct fw_worker **worker,
                                   uint64_t *serial);
void service_forget(struct service_program *program);
void service_free_kept(struct fw_service *service);

/* serving_reply.c: the part of a reply that an answer is; a text as JSON. */
const char *service_body(struct fw_arena *arena, const struct fw_answer *answer);
void service_add_text(struct fw_buffer *out, const char *text);

/* An error of the request as a whole. */
#define service_error(service, code, ...)                                                          \
    fw_report(&(service)->quiet.sink, FW_ERROR, code, (struct fw_span){0}, __VA_ARGS__)

#endif
