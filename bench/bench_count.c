/* Milliseconds to count sets symbolically, beside the times that a file of cases states.
 * usage: bench-count [FILE]     default: tests/conformance/set-cardinalities.json
 * A case is {"name", "set" | "domain" + "accesses", "card_ms", "values"}; each is counted RUNS
 * times in one workplace, once more to warm it; the median is printed.  Reading the text is printed
 * apart; making an isl context is in neither.  Every value is checked. */
#include "count.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 21, EVALUATIONS = 2000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(double), by_value);
    return values[count / 2];
}

static void show(void *user, const struct fw_diagnostic *diagnostic)
{
    printf("%s: %s: %s\n", (const char *)user, diagnostic->code, diagnostic->message);
}

static struct fw_source source_of(const char *text)
{
    return (struct fw_source){"case", text, strlen(text)};
}

/* The set of a case: as written, or the union of its domain's images. */
static struct fw_set *read_case(struct fw_poly *poly, const json_t *item,
                                const struct fw_sink *sink)
{
    struct fw_set *set = NULL;
    const char *text = json_string_value(json_object_get(item, "set"));
    if (text) {
        struct fw_source source = source_of(text);
        return fw_set_read(&set, poly, &source, sink) == FW_OK ? set : NULL;
    }
    struct fw_set *domain = NULL;
    struct fw_source source = source_of(json_string_value(json_object_get(item, "domain")));
    if (fw_set_read(&domain, poly, &source, sink) != FW_OK)
        return NULL;
    size_t index;
    json_t *access;
    json_array_foreach(json_object_get(item, "accesses"), index, access)
    {
        struct fw_source relation = source_of(json_string_value(access));
        struct fw_set *image = NULL;
        struct fw_set *both = NULL;
        if (fw_set_image(&image, domain, &relation, sink) == FW_OK && set &&
            fw_set_unite(&both, set, image, sink) == FW_OK) {
            fw_set_free(image);
            image = both;
        }
        fw_set_free(set);
        set = image;
    }
    fw_set_free(domain);
    return set;
}

/* Values that differ from the file's; the median nanoseconds of one evaluation go to `ns`. */
static int check_values(struct fw_poly *poly, const struct fw_count *count, const json_t *item,
                        double *ns)
{
    int wrong = 0;
    size_t index;
    json_t *value;
    double times[64];
    int timed = 0;
    mpz_t result;
    mpz_init(result);
    json_array_foreach(json_object_get(item, "values"), index, value)
    {
        int64_t point[32] = {0};
        for (size_t i = 0; i < fw_count_parameter_count(count) && i < 32; i++)
            point[i] = json_integer_value(
                json_object_get(json_object_get(value, "params"), fw_count_parameter(count, i)));
        enum fw_status status = FW_OK;
        double start = now();
        for (int i = 0; i < EVALUATIONS; i++)
            status = fw_count_evaluate(result, count, poly, point);
        if (timed < 64)
            times[timed++] = (now() - start) / EVALUATIONS * 1e6;
        json_int_t expected = json_integer_value(json_object_get(value, "value"));
        wrong += status != FW_OK || mpz_cmp_si(result, (long)expected) != 0;
    }
    mpz_clear(result);
    *ns = timed ? median(times, timed) : 0;
    return wrong;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "tests/conformance/set-cardinalities.json";
    json_t *file = json_load_file(path, 0, NULL);
    struct fw_poly *poly = fw_poly_new();
    struct fw_arena *arena = fw_arena_new(0);
    double ratios[4096];
    int cases = 0;
    int faults = 0;
    double worst = 0;
    if (!file || !poly || !arena) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    printf("%-36s %9s %9s %9s %7s %6s %8s\n", "case", "count ms", "file ms", "read ms", "ratio",
           "leaves", "value ns");
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(file, "cases"), index, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        struct fw_sink sink = {show, (void *)(uintptr_t)name};
        double reading[RUNS];
        double counting[RUNS];
        struct fw_count *count = NULL;
        for (int run = -1; run < RUNS; run++) {
            double start = now();
            struct fw_set *set = read_case(poly, item, &sink);
            double read = now();
            fw_count_free(count);
            count = NULL;
            if (set)
                fw_set_count(&count, set, NULL, &sink);
            double end = now();
            fw_set_free(set);
            if (run >= 0) {
                reading[run] = read - start;
                counting[run] = end - read;
            }
        }
        double limit = json_number_value(json_object_get(item, "card_ms"));
        double ns = 0;
        int wrong = count ? check_values(poly, count, item, &ns) : 1;
        double taken = median(counting, RUNS);
        double ratio = taken / limit;
        printf("%-36s %9.4f %9.4f %9.4f %7.2f %6zu %8.0f%s%s\n", name, taken, limit,
               median(reading, RUNS), ratio, count ? fw_count_leaf_count(count) : 0, ns,
               wrong ? "  WRONG" : "", count && !fw_count_is_symbolic(count) ? "  kept" : "");
        faults += wrong;
        worst = ratio > worst ? ratio : worst;
        if (cases < 4096)
            ratios[cases++] = ratio;
        if (argc > 2 && count) {
            char *text = NULL;
            fw_arena_reset(arena);
            if (fw_count_print(&text, count, poly, arena) == FW_OK)
                printf("    %s\n", text);
        }
        fw_count_free(count);
    }
    printf("%d cases, %d wrong values; ratio to the file's time: median %.2f, worst %.2f\n", cases,
           faults, cases ? median(ratios, cases) : 0, worst);
    fw_arena_free(arena);
    fw_poly_free(poly);
    json_decref(file);
    return faults != 0;
}
