/* Rankings: median time of one configuration on one thread and on all, for the star of range four
 * and a five-point star as address expressions; and for a matrix product in the kernel language
 * whose tiles and coarsening vary, from the domains, and from code that is made and compiled for
 * each (with a cache: no compiler runs but in the first round).
 * usage: bench-rank [SOURCE [CACHE]] */
#include "forewarp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show(void *user, const struct fw_message *message)
{
    (void)user;
    fputs(message->rendered, stderr);
}

static bool bench(const struct fw_context *context, const struct fw_device *device,
                  const char *path, const char *models, unsigned workers, bool compiled)
{
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = models};
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = path,
                                        .device = device,
                                        .predict = &predict,
                                        .workers = workers};
    static const char *const constants[] = {"-DTILE=8,16,32,64", "-DCOARSE=1,2,4,8"};
    struct fw_program_options options = {.size = sizeof(options),
                                         .compiler = compiled ? NULL : "none"};
    const char *const size = "n=2K";
    double seconds[ROUNDS];
    size_t count = 0;
    if (strstr(path, ".knl")) {
        settings.options = &options;
        settings.vary = constants;
        settings.vary_count = 2;
        settings.bindings = &size;
        settings.binding_count = 1;
    }
    for (int r = 0; r < ROUNDS; r++) {
        struct fw_ranking *ranking;
        if (fw_context_rank(&ranking, context, &settings) != FW_OK)
            return false;
        count = ranking->row_count;
        seconds[r] = ranking->seconds / (double)count;
        if (r == 0 && compiled)
            printf("%-28s %-9s the first round          %7.3f ms a configuration\n", "", models,
                   1e3 * seconds[r]);
        fw_ranking_free(ranking);
    }
    qsort(seconds, ROUNDS, sizeof(*seconds), by_value);
    printf("%-28s %-9s %s  %4zu configurations  %7.3f ms a configuration\n",
           strrchr(path, '/') ? strrchr(path, '/') + 1 : path, models,
           workers == 1 ? "one thread " : "all threads", count, 1e3 * seconds[ROUNDS / 2]);
    return true;
}

/* Launches of one kernel of PTX, 10,000 of them: its size and its block vary. */
static bool bench_launches(const struct fw_context *context, const struct fw_device *device,
                           const char *path, const char *models, double required)
{
    enum { SIZES = 1667, ROOM = 16 };
    static char sizes[SIZES * ROOM];
    const char *vary[] = {sizes, "block=32,64,128,256,512,1024"};
    const char *const domain = "param_3";
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = models};
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = path,
                                        .device = device,
                                        .predict = &predict,
                                        .vary = vary,
                                        .vary_count = 2,
                                        .domain = &domain,
                                        .domain_count = 1};
    double rates[ROUNDS];
    size_t length = (size_t)snprintf(sizes, sizeof(sizes), "3=");
    for (unsigned n = 0; n < SIZES; n++)
        length += (size_t)snprintf(sizes + length, sizeof(sizes) - length, n ? ",%u" : "%u",
                                   1000000 + 777 * n);
    for (int r = 0; r < ROUNDS; r++) {
        struct fw_ranking *ranking;
        if (fw_context_rank(&ranking, context, &settings) != FW_OK)
            return false;
        rates[r] = (double)ranking->row_count / ranking->seconds;
        fw_ranking_free(ranking);
    }
    qsort(rates, ROUNDS, sizeof(*rates), by_value);
    printf(
        "%-28s %-9s all threads  10002 launches  %7.0f configurations a second (%.0f required)\n",
        strrchr(path, '/') + 1, models, rates[ROUNDS / 2], required);
    return true;
}

int main(int argc, char **argv)
{
    const char *source = argc > 1 ? argv[1] : ".";
    static const char *const kernels[] = {"star25", "five"};
    struct fw_context_options options = {.size = sizeof(options), .data = source, .message = show};
    options.cache = argc > 2 ? argv[2] : NULL;
    struct fw_context *context;
    struct fw_device *device;
    bool good = true;
    if (fw_context_new(&context, &options) != FW_OK ||
        fw_context_device(&device, context, "h200") != FW_OK)
        return 1;
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/docs/examples/%s.json", source, kernels[k]);
        good = good && bench(context, device, path, "traffic", 1, false) &&
               bench(context, device, path, "traffic", 0, false) &&
               bench(context, device, path, "roofline", 1, false);
    }
    char path[4096];
    snprintf(path, sizeof(path), "%s/kernels/knl/matmul_coarse.knl", source);
    good = good && bench(context, device, path, "roofline", 1, false) &&
           bench(context, device, path, "traffic", 1, true);
    snprintf(path, sizeof(path), "%s/tests/golden/kernels/saxpy.ptx", source);
    good = good && bench_launches(context, device, path, "roofline", 10000) &&
           bench_launches(context, device, path, "traffic", 3000);
    fw_context_device_free(device);
    fw_context_free(context);
    return good ? 0 : 1;
}
