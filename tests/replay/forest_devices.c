/* Forests of two devices from features that are the same for both: docs/forest-devices.md from
 * data/tutorial/two-devices.csv, 43 launches of 7 applications on a T4 and a K80.
 * usage: forest-devices SOURCE [--accept] */
#include "forest.h"
#include "opcode.h"
#include "operation.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 128, ROWS_MOST = 64, FEATURES = 12, TARGETS = 4, TREES = 256, TEXT = 32 };

/* Of the forest paper, table 6, in its order. */
static const char *const feature_names[FEATURES] = {
    "threads per CTA", "CTAs",           "total instr.",    "special ops",
    "logic ops",       "control ops",    "arithm. ops",     "sync ops",
    "global mem vol.", "param mem vol.", "shared mem vol.", "arithm. intensity"};
enum {
    BLOCK,
    GRID,
    TOTAL,
    SPECIAL,
    LOGIC,
    CONTROL,
    ARITHMETIC,
    SYNC,
    GLOBAL,
    PARAM,
    SHARED,
    INTENSITY
};

static const char *const targets[TARGETS] = {"T4_time_median", "K80_time_median", "T4_power_median",
                                             "K80_power_median"};
static const char *const target_titles[TARGETS] = {"time, T4", "time, K80", "power, T4",
                                                   "power, K80"};

struct table {
    size_t rows;
    char applications[ROWS_MOST][TEXT];
    double x[ROWS_MOST][FEATURES], targets[TARGETS][ROWS_MOST];
};

/* ---- reading ---- */

/* Of "ld.global.f32" the group of "ld". */
static unsigned group_of(const char *instruction)
{
    size_t length = strcspn(instruction, ".");
    for (int o = 0; o < FW_OP_COUNT; o++) {
        const char *text = fw_opcode_text((enum fw_opcode)o);
        if (*text && strlen(text) == length && strncmp(text, instruction, length) == 0)
            return fw_opcode_group((enum fw_opcode)o);
    }
    return FW_GROUP_COUNT;
}

/* Bytes of the type at its end. */
static double width_of(const char *instruction)
{
    return strstr(instruction, "64") ? 8 : 4;
}

static void count(double *x, const char *name, double executed)
{
    static const int of_group[FW_GROUP_COUNT] = {[FW_GROUP_ARITHMETIC] = ARITHMETIC,
                                                 [FW_GROUP_SPECIAL] = SPECIAL,
                                                 [FW_GROUP_LOGIC] = LOGIC,
                                                 [FW_GROUP_CONTROL] = CONTROL,
                                                 [FW_GROUP_SYNC] = SYNC};
    unsigned group = group_of(name);
    double bytes = executed * width_of(name);
    x[TOTAL] += executed;
    if (group < FW_GROUP_COUNT && of_group[group])
        x[of_group[group]] += executed;
    if (group != FW_GROUP_MEMORY)
        return;
    if (strstr(name, ".shared"))
        x[SHARED] += bytes;
    else if (strstr(name, ".param"))
        x[PARAM] += bytes;
    else if (strstr(name, ".global"))
        x[GLOBAL] += bytes;
}

static size_t split(char *cells[COLUMNS_MOST], char *line)
{
    size_t count_of = 0;
    char *rest;
    for (char *cell = strtok_r(line, ",\n", &rest); cell && count_of < COLUMNS_MOST;
         cell = strtok_r(NULL, ",\n", &rest))
        cells[count_of++] = cell;
    return count_of;
}

static void take_row(struct table *table, char **names, char **cells, size_t columns)
{
    double *x = table->x[table->rows];
    x[BLOCK] = x[GRID] = 1;
    snprintf(table->applications[table->rows], TEXT, "%s", cells[0]);
    for (size_t c = 3; c < columns; c++) {
        double number = strtod(cells[c], NULL);
        int target = 0;
        while (target < TARGETS && strcmp(names[c], targets[target]) != 0)
            target++;
        if (target < TARGETS)
            table->targets[target][table->rows] = number;
        else if (c < 6)
            x[GRID] *= number;
        else if (c < 9)
            x[BLOCK] *= number;
        else if (c > 9)
            count(x, names[c], number);
    }
    x[INTENSITY] = x[ARITHMETIC] / fmax(1, x[GLOBAL] + x[PARAM]);
    table->rows++;
}

static bool read_table(struct table *table, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, *head = NULL, *names[COLUMNS_MOST], *cells[COLUMNS_MOST];
    size_t size = 0, columns = 0;
    if (!file)
        return false;
    while (getline(&line, &size, file) > 0 && table->rows < ROWS_MOST) {
        if (line[0] == '#')
            continue;
        if (!head) {
            head = strdup(line);
            columns = head ? split(names, head) : 0;
        } else if (split(cells, line) == columns) {
            take_row(table, names, cells, columns);
        }
    }
    free(line);
    free(head);
    fclose(file);
    return table->rows > 0;
}

/* ---- learning ---- */

/* Trains on the rows that are not left out; the logarithm of times, powers as they are. */
static struct fw_forest *grow(const struct table *table, int target, const bool *left_out)
{
    double x[ROWS_MOST][FEATURES], y[ROWS_MOST];
    size_t rows = 0;
    for (size_t r = 0; r < table->rows; r++) {
        if (left_out[r])
            continue;
        memcpy(x[rows], table->x[r], sizeof(x[0]));
        y[rows++] = target < 2 ? log(table->targets[target][r]) : table->targets[target][r];
    }
    const struct fw_forest_data data = {rows, FEATURES, x[0], y, NULL};
    const struct fw_forest_settings settings = {
        .criterion = FW_FOREST_ABSOLUTE, .trees = TREES, .threads = 1, .seed = 1};
    struct fw_forest *forest;
    return fw_forest_train(&forest, &data, &settings, NULL) ? NULL : forest;
}

/* Predictions of each row by a forest without it, or without its application. */
static bool leave_out(double *predictions, const struct table *table, int target, bool application)
{
    for (size_t r = 0; r < table->rows; r++) {
        bool out[ROWS_MOST];
        for (size_t other = 0; other < table->rows; other++)
            out[other] = application
                             ? strcmp(table->applications[other], table->applications[r]) == 0
                             : other == r;
        struct fw_forest *forest = grow(table, target, out);
        if (!forest)
            return false;
        double answer = fw_forest_predict(forest, table->x[r]);
        predictions[r] = target < 2 ? exp(answer) : answer;
        fw_forest_free(forest);
    }
    return true;
}

/* ---- the page ---- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void add_errors(struct fw_buffer *out, const struct table *table, int target,
                       const double *predictions)
{
    double errors[ROWS_MOST], mean = 0;
    for (size_t r = 0; r < table->rows; r++) {
        errors[r] = fabs(predictions[r] / table->targets[target][r] - 1);
        mean += errors[r] / (double)table->rows;
    }
    qsort(errors, table->rows, sizeof(*errors), ascending);
    fw_buffer_printf(out, " %.1f | %.1f |", 100 * mean, 100 * errors[table->rows / 2]);
}

static bool add_accuracy(struct fw_buffer *out, const struct table *table,
                         double by_application[TARGETS][ROWS_MOST])
{
    double alone[ROWS_MOST];
    fw_buffer_printf(out,
                     "| target | leave-one-out: mean %% | median %% | "
                     "leave-one-application-out: mean %% | median %% |\n|---|---|---|---|---|\n");
    for (int t = 0; t < TARGETS; t++) {
        if (!leave_out(alone, table, t, false) || !leave_out(by_application[t], table, t, true))
            return false;
        fw_buffer_printf(out, "| %s |", target_titles[t]);
        add_errors(out, table, t, alone);
        add_errors(out, table, t, by_application[t]);
        fw_buffer_printf(out, "\n");
    }
    return true;
}

static bool add_importance(struct fw_buffer *out, const struct table *table)
{
    static const bool none[ROWS_MOST] = {0};
    struct fw_forest *forests[TARGETS];
    fw_buffer_printf(out, "\n| feature | time, T4 %% | time, K80 %% | power, T4 %% | power, K80 %% "
                          "|\n|---|---|---|---|---|\n");
    for (int t = 0; t < TARGETS; t++)
        if (!(forests[t] = grow(table, t, none)))
            return false;
    for (int f = 0; f < FEATURES; f++) {
        fw_buffer_printf(out, "| %s |", feature_names[f]);
        for (int t = 0; t < TARGETS; t++)
            fw_buffer_printf(out, " %.1f |", 100 * fw_forest_importance(forests[t])[f]);
        fw_buffer_printf(out, "\n");
    }
    for (int t = 0; t < TARGETS; t++)
        fw_forest_free(forests[t]);
    return true;
}

static void add_faster(struct fw_buffer *out, const struct table *table,
                       double by_application[TARGETS][ROWS_MOST])
{
    size_t right = 0, always = 0;
    double ratio = 0;
    for (size_t r = 0; r < table->rows; r++) {
        double measured = table->targets[1][r] / table->targets[0][r];
        double predicted = by_application[1][r] / by_application[0][r];
        right += (measured > 1) == (predicted > 1);
        always += measured > 1;
        ratio += fabs(predicted / measured - 1) / (double)table->rows;
    }
    fw_buffer_printf(out,
                     "\nWhich device is faster, by leave-one-application-out: right for %zu of %zu "
                     "launches. To say always\nthe T4 would be right for %zu, so that these data "
                     "cannot tell whether forests choose well. How many\ntimes faster: %.1f %% off "
                     "in the mean.\n",
                     right, table->rows, always, 100 * ratio);
}

int main(int argument_count, char **arguments)
{
    static struct table table;
    static double by_application[TARGETS][ROWS_MOST];
    bool accept = argument_count > 2 && strcmp(arguments[2], "--accept") == 0;
    struct fw_arena *arena = fw_arena_new(0);
    if (argument_count < 2 || !arena)
        return 2;
    struct fw_buffer page = fw_buffer_new(arena);
    const char *path = fw_arena_printf(arena, "%s/docs/forest-devices.md", arguments[1]);
    if (!read_table(&table,
                    fw_arena_printf(arena, "%s/data/tutorial/two-devices.csv", arguments[1])))
        return 2;
    fw_buffer_printf(
        &page,
        "# Two devices, one set of features\n\n"
        "Features that do not depend on the device are gathered once; what was measured on a "
        "device\n"
        "trains its forest. `data/tutorial/two-devices.csv` has %zu launches of 7 applications on "
        "a T4\n"
        "and a K80, from the public tutorial of the forest paper's authors: far too few to judge\n"
        "accuracy by, and here to show the procedure. Extremely randomized trees, %d of them, "
        "criterion\n"
        "absolute, all features; logarithms of times, powers as they are.\n"
        "`build/tests/forest-devices SOURCE --accept` writes this page.\n\n"
        "Errors are |predicted / measured - 1|. With only the launch left out, its kernel's other "
        "sizes are\ntrained on; with the application left out, nothing like it is: trees of the "
        "time "
        "itself then say\nlittle, because applications differ more than sizes do, and trees cannot "
        "go beyond what they saw.\n\n",
        table.rows, (int)TREES);
    if (!add_accuracy(&page, &table, by_application))
        return 1;
    add_faster(&page, &table, by_application);
    fw_buffer_printf(&page, "\nImportance, the share of what splits gained:\n");
    if (!add_importance(&page, &table))
        return 1;
    bool same = recorded_page(arena, path, &page, accept);
    if (!same)
        printf("%s is not what data/ give: --accept writes it\n", path);
    fw_arena_free(arena);
    return same ? 0 : 1;
}
