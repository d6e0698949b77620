#include "coverage.h"

#include "feature.h"
#include "session.h"

#include <string.h>

typedef FW_VECTOR(const char *) names;

struct finding {
    struct fw_arena *arena;
    const struct fw_context *context;
    struct fw_worker *worker;
    const char *const *features;
    size_t count;
};

/* The identifier of what a feature counts of one array in one direction; NULL: nothing. */
static enum fw_status narrowed(const char **name, const struct finding *finding,
                               const char *identifier, const char *array, bool store)
{
    struct fw_feature feature;
    enum fw_status status =
        fw_feature_find(&feature, finding->arena, identifier, finding->context->features,
                        (struct fw_span){0}, &finding->context->sink);
    *name = NULL;
    if (status || feature.kind != FW_FEATURE_MEMORY)
        return status;
    bool all = !feature.loads && !feature.stores && !feature.atomics;
    bool space = feature.space == FW_SPACE_NONE || feature.space == FW_SPACE_GLOBAL;
    bool own = !feature.array || strcmp(feature.array, array) == 0;
    if (!space || !own || !(all || (store ? feature.stores : feature.loads)))
        return FW_OK;
    *name = fw_arena_printf(finding->arena, "%s%s%s_global%s%s", identifier, all ? "_" : "",
                            all ? (store ? "store" : "load") : "",
                            feature.array ? "" : "_array:", feature.array ? "" : array);
    return FW_OK;
}

static enum fw_status find_row(struct fw_coverage_row *row, const struct finding *finding)
{
    names asked = {0};
    const struct fw_answer *answer;
    enum fw_status status = FW_OK;
    *FW_APPEND(finding->arena, &asked) =
        fw_arena_printf(finding->arena, "f_mem_access_global_%s_array:%s",
                        row->store ? "store" : "load", row->array);
    for (size_t f = 0; f < finding->count && !status; f++) {
        const char *name;
        status = narrowed(&name, finding, finding->features[f], row->array, row->store);
        if (!status && name)
            *FW_APPEND(finding->arena, &asked) = name;
    }
    const struct fw_feature_settings settings = {
        .size = sizeof(settings), .names = asked.at, .count = asked.count};
    if (!status)
        status = fw_session_worker_features(&answer, finding->worker, NULL, &settings);
    if (status)
        return status;
    row->accesses = answer->features[0].value;
    for (size_t f = 1; f < answer->feature_count; f++)
        row->covered += answer->features[f].value;
    return FW_OK;
}

enum fw_status fw_coverage_find(fw_coverage *rows, struct fw_arena *arena,
                                const struct fw_context *context, struct fw_worker *worker,
                                const char *const *features, size_t count)
{
    const struct finding finding = {arena, context, worker, features, count};
    const struct fw_kernel_row *kernel = worker->row;
    enum fw_status status = FW_OK;
    for (size_t a = 0; a < kernel->argument_count; a++)
        for (int store = 0; store < 2 && kernel->arguments[a].is_pointer && !status; store++) {
            const char *name = kernel->arguments[a].name;
            struct fw_coverage_row row = {.array = fw_arena_text(arena, name, strlen(name)),
                                          .store = store};
            status = find_row(&row, &finding);
            if (!status && row.accesses > 0)
                *FW_APPEND(arena, rows) = row;
        }
    return status;
}
