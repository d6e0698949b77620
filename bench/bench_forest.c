/* Forests on a table: seconds of training, errors on another table, and times of predictions.
 * usage: bench-forest TRAIN.csv TEST.csv extra|bootstrap squared|absolute all|sqrt|log2 TREES
 *                     THREADS SEED...
 * Tables have numbers alone, the target last.  Prints a JSON line a seed: processor seconds of
 * training, mean absolute and mean squared error on the test table; with the first seed also
 * microseconds of one row (the same one again, the median of many; and each row of the test table
 * in turn) and rows a second of the test table, repeated up to 10,000 rows.  compare_forests.py
 * runs it beside others. */
#include "forest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW_RUNS = 2000, MANY_ROWS = 10000, MANY_RUNS = 7, COLUMNS_MOST = 256 };

struct table {
    size_t rows, features;
    double *x, *y;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench-forest: %s\n", what);
    exit(1);
}

/* The numbers of a line; how many. */
static size_t numbers(double *to, const char *line)
{
    size_t count = 0;
    char *end;
    while (count < COLUMNS_MOST) {
        to[count++] = strtod(line, &end);
        if (end == line)
            fail("not a number");
        if (*end != ',')
            break;
        line = end + 1;
    }
    return count;
}

static struct table read_table(const char *path)
{
    FILE *file = fopen(path, "r");
    struct table table = {0};
    char *line = NULL;
    size_t size = 0, room = 0;
    double row[COLUMNS_MOST];
    if (!file)
        fail(path);
    while (getline(&line, &size, file) > 0) {
        size_t count = numbers(row, line);
        if (table.rows == room) {
            room = room ? 2 * room : 1024;
            table.x = realloc(table.x, room * count * sizeof(double));
            table.y = realloc(table.y, room * sizeof(double));
        }
        table.features = count - 1;
        memcpy(table.x + table.rows * (count - 1), row, (count - 1) * sizeof(double));
        table.y[table.rows++] = row[count - 1];
    }
    free(line);
    fclose(file);
    return table;
}

static double median(double *seconds, size_t count)
{
    qsort(seconds, count, sizeof(*seconds), ascending);
    return seconds[count / 2];
}

static void time_rows(const struct fw_forest *forest, const struct table *test)
{
    static double same[ROW_RUNS];
    double sum = 0, begin = now();
    for (size_t i = 0; i < ROW_RUNS; i++)
        sum += fw_forest_predict(forest, test->x + i % test->rows * test->features);
    double each = (now() - begin) / ROW_RUNS;
    for (size_t i = 0; i < ROW_RUNS; i++) {
        begin = now();
        sum += fw_forest_predict(forest, test->x);
        same[i] = now() - begin;
    }
    printf(", \"row_us\": %.2f, \"rows_in_turn_us\": %.2f%s", 1e6 * median(same, ROW_RUNS),
           1e6 * each, isfinite(sum) ? "" : " ");
}

static void time_many(const struct fw_forest *forest, const struct table *test, uint32_t threads)
{
    double *x = malloc(MANY_ROWS * test->features * sizeof(double)), seconds[MANY_RUNS];
    double *predictions = malloc(MANY_ROWS * sizeof(double));
    for (size_t r = 0; r < MANY_ROWS; r++)
        memcpy(x + r * test->features, test->x + r % test->rows * test->features,
               test->features * sizeof(double));
    for (int run = 0; run < MANY_RUNS; run++) {
        double begin = now();
        fw_forest_predict_many(predictions, forest, x, MANY_ROWS, threads);
        seconds[run] = now() - begin;
    }
    printf(", \"rows_per_second\": %.0f", MANY_ROWS / median(seconds, MANY_RUNS));
    free(x);
    free(predictions);
}

static int which(const char *text, const char *const *names)
{
    for (int n = 0; names[n]; n++)
        if (strcmp(text, names[n]) == 0)
            return n;
    fail(text);
    return 0;
}

static void run_seed(const struct table *train, const struct table *test,
                     const struct fw_forest_settings *settings, bool times)
{
    const struct fw_forest_data data = {train->rows, train->features, train->x, train->y, NULL};
    struct fw_forest_shape shape;
    struct fw_forest *forest;
    double absolute = 0, squared = 0, begin = now();
    if (fw_forest_train(&forest, &data, settings, NULL))
        fail("no forest");
    double seconds = now() - begin;
    for (size_t r = 0; r < test->rows; r++) {
        double error = fw_forest_predict(forest, test->x + r * test->features) - test->y[r];
        absolute += fabs(error) / (double)test->rows;
        squared += error * error / (double)test->rows;
    }
    fw_forest_describe(&shape, forest);
    printf("{\"seed\": %llu, \"train_seconds\": %.4f, \"absolute\": %.9g, \"squared\": %.9g, "
           "\"nodes\": %zu, \"depth\": %.2f",
           (unsigned long long)settings->seed, seconds, absolute, squared, shape.nodes,
           shape.depth);
    if (times) {
        time_rows(forest, test);
        time_many(forest, test, settings->threads);
    }
    printf("}\n");
    fw_forest_free(forest);
}

int main(int count, char **arguments)
{
    static const char *const kinds[] = {"extra", "bootstrap", NULL};
    static const char *const criteria[] = {"squared", "absolute", NULL};
    static const char *const candidates[] = {"all", "sqrt", "log2", NULL};
    if (count < 9)
        fail("usage: bench-forest TRAIN.csv TEST.csv extra|bootstrap squared|absolute "
             "all|sqrt|log2 TREES THREADS SEED...");
    struct table train = read_table(arguments[1]), test = read_table(arguments[2]);
    struct fw_forest_settings settings = {
        .kind = (enum fw_forest_kind)which(arguments[3], kinds),
        .criterion = (enum fw_forest_criterion)which(arguments[4], criteria),
        .candidates = (enum fw_forest_candidates)which(arguments[5], candidates),
        .trees = (uint32_t)atoi(arguments[6]),
        .threads = (uint32_t)atoi(arguments[7])};
    for (int a = 8; a < count; a++) {
        settings.seed = strtoull(arguments[a], NULL, 10);
        run_seed(&train, &test, &settings, a == 8);
    }
    free(train.x);
    free(train.y);
    free(test.x);
    free(test.y);
    return 0;
}
