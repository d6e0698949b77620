/* Rankings: median time of one configuration on one thread and on all, for the star of range four
 * and a five-point star as address expressions.  usage: bench-rank [SOURCE] */
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
                  const char *path, const char *models, unsigned workers)
{
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = models};
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = path,
                                        .device = device,
                                        .predict = &predict,
                                        .workers = workers};
    double seconds[ROUNDS];
    size_t count = 0;
    for (int r = 0; r < ROUNDS; r++) {
        struct fw_ranking *ranking;
        if (fw_context_rank(&ranking, context, &settings) != FW_OK)
            return false;
        count = ranking->row_count;
        seconds[r] = ranking->seconds / (double)count;
        fw_ranking_free(ranking);
    }
    qsort(seconds, ROUNDS, sizeof(*seconds), by_value);
    printf("%-28s %-9s %s  %4zu shapes  %7.3f ms a configuration\n",
           strrchr(path, '/') ? strrchr(path, '/') + 1 : path, models,
           workers == 1 ? "one thread " : "all threads", count, 1e3 * seconds[ROUNDS / 2]);
    return true;
}

int main(int argc, char **argv)
{
    const char *source = argc > 1 ? argv[1] : ".";
    static const char *const kernels[] = {"star25", "five"};
    struct fw_context_options options = {.size = sizeof(options), .data = source, .message = show};
    struct fw_context *context;
    struct fw_device *device;
    bool good = true;
    if (fw_context_new(&context, &options) != FW_OK ||
        fw_context_device(&device, context, "h200") != FW_OK)
        return 1;
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/docs/examples/%s.json", source, kernels[k]);
        good = good && bench(context, device, path, "traffic", 1) &&
               bench(context, device, path, "traffic", 0) &&
               bench(context, device, path, "roofline", 1);
    }
    fw_context_device_free(device);
    fw_context_free(context);
    return good ? 0 : 1;
}
