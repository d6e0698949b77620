/* Processor time to read and transform a loop program, to gather its statistics, to generate code
 * (order, barriers and text), and to evaluate a row. usage: bench-knl [FILE]     default:
 * tests/fuzz/corpus-knl/matmul.knl Reading and gathering are done RUNS times in one workplace,
 * medians printed; every row's count is evaluated EVALUATIONS times at 1024 for all parameters, the
 * slowest row's mean is printed beside the median over rows. */
#include "emit.h"
#include "knl_reader.h"
#include "loop_statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 51, EVALUATIONS = 20000, ROWS = 256, PARAMETERS = 64 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(double), by_value);
    return values[count / 2];
}

static void show(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    printf("%s: %s\n", diagnostic->code, diagnostic->message);
}

static double evaluate(const struct fw_count *count, struct fw_poly *poly)
{
    int64_t values[PARAMETERS];
    mpz_t result;
    mpz_init(result);
    for (size_t i = 0; i < PARAMETERS; i++)
        values[i] = 1024;
    double before = now();
    for (int i = 0; i < EVALUATIONS; i++) {
        values[0] = 1024 + i;
        fw_count_evaluate(result, count, poly, values);
    }
    double each = (now() - before) / EVALUATIONS;
    mpz_clear(result);
    return each;
}

static void evaluate_rows(const struct fw_loop_statistics *statistics, struct fw_poly *poly)
{
    double times[ROWS];
    size_t rows = 0;
    for (size_t i = 0; i < statistics->operations.count && rows < ROWS; i++)
        times[rows++] = evaluate(statistics->operations.at[i].count, poly);
    for (size_t i = 0; i < statistics->memory.count && rows < ROWS; i++)
        times[rows++] = evaluate(statistics->memory.at[i].count, poly);
    double middle = rows ? median(times, rows) : 0;
    printf("evaluate  %8.3f us a row, slowest %.3f us, %zu rows\n", middle,
           rows ? times[rows - 1] : 0, rows);
}

int main(int count, char **arguments)
{
    static char text[1 << 16];
    const char *name = count > 1 ? arguments[1] : "tests/fuzz/corpus-knl/matmul.knl";
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        return 1;
    }
    size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    const struct fw_source source = {name, text, length};
    const struct fw_sink sink = {show, NULL};
    const struct fw_loop_statistics_options options = {
        .subscripts = true, .footprints = true, .contract = false};
    struct fw_poly *poly = fw_poly_new();
    double reading[RUNS], gathering[RUNS], generating[RUNS], all[RUNS];
    for (int i = 0; i < RUNS; i++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_loop_program *program = NULL;
        struct fw_loop_statistics *statistics = NULL;
        double before = now();
        if (fw_knl_read(&program, arena, poly, &source, &sink) != FW_OK)
            return 1;
        reading[i] = now() - before;
        before = now();
        if (fw_loop_statistics_new(&statistics, program, &options) != FW_OK)
            return 1;
        gathering[i] = now() - before;
        struct fw_emission *emission = NULL;
        before = now();
        if (fw_emit(&emission, program, FW_EMIT_OPENCL) != FW_OK)
            return 1;
        generating[i] = now() - before;
        all[i] = reading[i] + gathering[i] + generating[i];
        if (i == RUNS - 1)
            evaluate_rows(statistics, poly);
        fw_loop_statistics_free(statistics);
        fw_arena_free(arena);
    }
    printf("read      %8.1f us\ngather    %8.1f us\ngenerate  %8.1f us\nall       %8.1f us\n",
           median(reading, RUNS), median(gathering, RUNS), median(generating, RUNS),
           median(all, RUNS));
    fw_poly_free(poly);
    return 0;
}
