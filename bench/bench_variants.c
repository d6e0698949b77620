/* A thousand variants of a kernel, compiled, counted and predicted on all processors: wall seconds,
 * processor seconds of the compilers, and our own share, which must be under 5 %.
 *
 * usage: bench-variants SOURCE-TREE [COMPILER [COUNT]]
 *   COMPILER: nvcc, clang, ...; the best that there is.  COUNT: 1000.
 * Half are matmul_tiled by TILE and UNROLL, half stencil2d by WIDTH, HEIGHT and UNROLL
 * (bench/variants.cu); each has a number of its own besides, so that no two are the same source.
 * Each is done twice: without ptxas, and with it (where there is one). */
#include "forewarp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { DEFINES = 5, LONGEST = 32 };

struct variant {
    char text[DEFINES][LONGEST];
    const char *defines[DEFINES];
    struct fw_program_options options;
    bool is_matmul;
    unsigned block[2], tile[2]; /* threads of a block; elements that a block makes */
};

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* Processor seconds of this process, or of its children. */
static double processor_seconds(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void define(struct variant *variant, size_t d, const char *name, unsigned value)
{
    snprintf(variant->text[d], LONGEST, "%s=%u", name, value);
    variant->defines[d] = variant->text[d];
}

static void make(struct variant *variant, unsigned i, const char *compiler, enum fw_ptxas_use ptxas)
{
    static const unsigned tiles[] = {4, 8, 16, 32}, unrolls[] = {1, 2, 4, 8};
    unsigned which = i / 2;
    variant->is_matmul = i % 2 == 0;
    unsigned unroll = unrolls[which % 4];
    define(variant, 0, "UNROLL", unroll);
    define(variant, 1, "NUMBER", i);
    if (variant->is_matmul) {
        unsigned tile = tiles[which / 4 % 4];
        define(variant, 2, "TILE", tile);
        define(variant, 3, "MATMUL", 1);
        variant->block[0] = variant->block[1] = variant->tile[0] = variant->tile[1] = tile;
    } else {
        variant->block[0] = variant->tile[0] = 8u << which / 4 % 4;
        variant->block[1] = 1u << which / 16 % 4;
        variant->tile[1] = variant->block[1] * unroll;
        define(variant, 2, "WIDTH", variant->block[0]);
        define(variant, 3, "HEIGHT", variant->block[1]);
    }
    variant->options = (struct fw_program_options){.size = sizeof(variant->options),
                                                   .defines = variant->defines,
                                                   .define_count = 4,
                                                   .compiler = compiler,
                                                   .target = 90,
                                                   .capability = 90,
                                                   .ptxas = ptxas};
}

static enum fw_status predict(double *seconds, struct fw_program *program,
                              const struct variant *variant, const struct fw_device *device)
{
    enum { SIZE = 4096 };
    const struct fw_kernel *kernel;
    struct fw_worker *worker = NULL;
    const struct fw_answer *answer;
    enum fw_status status = fw_program_kernel(&kernel, program, NULL);
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    if (status)
        return status;
    size_t arguments = fw_worker_kernel(worker)->argument_count;
    fw_worker_set_grid(worker, (SIZE + variant->tile[0] - 1) / variant->tile[0],
                       (SIZE + variant->tile[1] - 1) / variant->tile[1], 1);
    fw_worker_set_block(worker, variant->block[0], variant->block[1], 1);
    for (size_t a = variant->is_matmul ? 3 : 2; a < arguments && !status; a++)
        status = fw_worker_bind_integer(worker, a, SIZE);
    if (!status)
        status = fw_worker_predict(&answer, worker, device, NULL);
    *seconds = status ? 0 : answer->predictions[0].seconds;
    fw_worker_free(worker);
    return status;
}

static void show(void *user, const struct fw_message *message)
{
    (void)user;
    if (message->severity == FW_MESSAGE_ERROR)
        fputs(message->rendered, stderr);
}

/* All variants once, in portions; prints what it took. */
static int run(const char *source, const char *compiler, unsigned count, enum fw_ptxas_use ptxas,
               const struct fw_context *context, const struct fw_device *device)
{
    enum { PORTION = 250 };
    struct variant *variants = calloc(PORTION, sizeof(*variants));
    struct fw_program_item *items = calloc(PORTION, sizeof(*items));
    double start = now(), own = processor_seconds(RUSAGE_SELF);
    double children = processor_seconds(RUSAGE_CHILDREN), reading = 0, best = 0;
    unsigned done = 0, predicted = 0;
    while (variants && items && done < count) {
        unsigned portion = count - done < PORTION ? count - done : PORTION;
        double begin = now();
        for (unsigned i = 0; i < portion; i++) {
            make(&variants[i], done + i, compiler, ptxas);
            items[i] = (struct fw_program_item){source, &variants[i].options, NULL, FW_OK};
        }
        fw_program_read_many(items, portion, context, 0);
        reading += now() - begin;
        for (unsigned i = 0; i < portion; i++) {
            double seconds;
            if (items[i].status || predict(&seconds, items[i].program, &variants[i], device))
                continue;
            best = predicted == 0 || seconds < best ? seconds : best;
            predicted++;
        }
        for (unsigned i = 0; i < portion; i++)
            fw_program_free(items[i].program);
        done += portion;
    }
    double wall = now() - start;
    own = processor_seconds(RUSAGE_SELF) - own;
    children = processor_seconds(RUSAGE_CHILDREN) - children;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    printf("%-16s %u of %u predicted, best %.3g s; wall %.2f s (%.1f ms each), reading %.2f s\n",
           ptxas == FW_PTXAS_NEVER ? "without ptxas" : "with ptxas", predicted, count, best, wall,
           1e3 * wall / count, reading);
    printf("%16s compilers %.2f processor-seconds / %ld processors = %.2f s; our own %.2f "
           "processor-seconds, %.1f %% of all (required: under 5 %%), %.2f ms each\n",
           "", children, processors, children / (double)processors, own,
           100 * own / (own + children), 1e3 * own / count);
    free(variants);
    free(items);
    return predicted == count ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: bench-variants SOURCE-TREE [COMPILER [COUNT]]\n", stderr);
        return 2;
    }
    char headers[4096], source[4096];
    snprintf(headers, sizeof(headers), "%s/data/compile", argv[1]);
    snprintf(source, sizeof(source), "%s/bench/variants.cu", argv[1]);
    const char *compiler = argc > 2 ? argv[2] : NULL;
    unsigned count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1000;
    struct fw_context_options options = {
        .size = sizeof(options), .data = argv[1], .headers = headers, .message = show};
    struct fw_context *context;
    struct fw_device *device = NULL;
    if (fw_context_new(&context, &options))
        return 3;
    int failed = fw_context_device(&device, context, "h200") != FW_OK;
    printf("%s, %u variants\n", compiler ? compiler : "best compiler", count);
    if (!failed)
        failed = run(source, compiler, count, FW_PTXAS_NEVER, context, device);
    if (!failed)
        failed = run(source, compiler, count, FW_PTXAS_AUTO, context, device);
    fw_context_device_free(device);
    fw_context_free(context);
    return failed;
}
