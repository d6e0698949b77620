/* The account of a launch's time, by stall reason and by line of the source. */
#include "trace_model_internal.h"

#include <stdlib.h>
#include <string.h>

/* A line of the source: place 0 of an account is none. */
struct line {
    uint32_t file, line, call; /* call: as in fw_scheduled */
};

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

/* Lines of the instructions, each once; their number. */
static uint32_t lines_of(struct line *lines, const struct fw_kernel *kernel)
{
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].line)
            lines[count++] = (struct line){kernel->schedule[i].file, kernel->schedule[i].line,
                                           kernel->schedule[i].call};
    qsort(lines, count, sizeof(*lines), compare_lines);
    for (uint32_t l = 0; l < count; l++)
        if (!kept || compare_lines(&lines[kept - 1], &lines[l]) != 0)
            lines[kept++] = lines[l];
    return kept;
}

void fw_trace_open_account(struct fw_trace_work *work, bool by_line)
{
    const struct fw_kernel *kernel = work->question->kernel;
    struct line *lines = FW_ARRAY(work->arena, struct line, kernel->schedule_count + 1);
    uint32_t *places = FW_ARRAY(work->arena, uint32_t, kernel->schedule_count + 1);
    uint32_t count = by_line ? lines_of(lines, kernel) : 0;
    for (uint32_t i = 0; i < kernel->schedule_count && by_line; i++) {
        const struct line at = {kernel->schedule[i].file, kernel->schedule[i].line,
                                kernel->schedule[i].call};
        const struct line *found =
            at.line ? bsearch(&at, lines, count, sizeof(*lines), compare_lines) : NULL;
        places[i] = found ? (uint32_t)(found - lines) + 1 : 0;
    }
    work->lines = lines;
    work->account = FW_NEW(work->arena, struct fw_sm_account);
    *work->account = (struct fw_sm_account){.places = places, .place_count = count + 1};
    work->account->cycles = FW_ARRAY(work->arena, double, (size_t)(count + 1) * FW_SM_PART_COUNT);
}

static int most_seconds(const void *a, const void *b)
{
    const struct fw_account_row *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static int most_code(const void *a, const void *b)
{
    const struct fw_code_row *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

const char *fw_trace_part_name(struct fw_arena *arena, enum fw_sm_part part)
{
    const struct fw_sm_part_row *row = fw_sm_part(part);
    return row->part ? fw_arena_printf(arena, "%s.%s", row->stall, row->part) : row->stall;
}

/* Rows of the parts that are not 0, the longest first; `order` has the part of each. */
static struct fw_account_row *rows_of(struct fw_trace_work *work, const double *seconds,
                                      double whole, uint32_t *order, size_t *count)
{
    struct fw_account_row *rows =
        FW_ARRAY(work->arena, struct fw_account_row, FW_SM_PART_COUNT + 1);
    *count = 0;
    for (uint32_t p = 0; p < FW_SM_PART_COUNT; p++)
        if (seconds[p] > 0) {
            const struct fw_sm_part_row *row = fw_sm_part((enum fw_sm_part)p);
            rows[(*count)++] =
                (struct fw_account_row){.name = fw_trace_part_name(work->arena, (enum fw_sm_part)p),
                                        .stall = row->stall,
                                        .meaning = row->meaning,
                                        .seconds = seconds[p],
                                        .share = seconds[p] / whole};
        }
    qsort(rows, *count, sizeof(*rows), most_seconds);
    for (size_t r = 0; r < *count; r++)
        for (uint32_t p = 0; p < FW_SM_PART_COUNT; p++)
            if (rows[r].meaning == fw_sm_part((enum fw_sm_part)p)->meaning)
                order[r] = p;
    return rows;
}

uint32_t fw_trace_line(const struct fw_trace_work *work, uint32_t place)
{
    const struct line *lines = work->lines;
    return place ? lines[place - 1].line : 0;
}

static const char *file_of(const struct fw_trace_work *work, const struct line *line)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const char *file = line->file < kernel->file_count ? kernel->files[line->file] : NULL;
    return file ? file : kernel->file;
}

/* Stores and atomic operations that a server still works on when no warp is left drain: the launch
 * ends with them. */
static void add_rest(const struct fw_sm_account *account, double cycles)
{
    double sum = 0;
    for (size_t c = 0; c < (size_t)account->place_count * FW_SM_PART_COUNT; c++)
        sum += account->cycles[c];
    if (sum < cycles * (1 - 1e-9))
        account->cycles[FW_SM_PART_DRAIN] += cycles - sum;
}

void fw_trace_publish_account(struct fw_trace_work *work, const struct fw_sm_result *result,
                              double around)
{
    const struct fw_sm_account *account = work->account;
    const struct line *lines = work->lines;
    double seconds[FW_SM_PART_COUNT] = {0}, whole = result->cycles / work->clock + around;
    uint32_t order[FW_SM_PART_COUNT];
    size_t rows, count = 0;
    account->cycles[FW_SM_PART_EDGES] = around * work->clock;
    add_rest(account, result->cycles + around * work->clock);
    for (uint32_t l = 0; l < account->place_count; l++)
        for (uint32_t p = 0; p < FW_SM_PART_COUNT; p++)
            seconds[p] += account->cycles[l * FW_SM_PART_COUNT + p] / work->clock;
    work->to->account = rows_of(work, seconds, whole, order, &rows);
    work->to->account_count = rows;
    struct fw_code_row *code = FW_ARRAY(work->arena, struct fw_code_row, account->place_count + 1);
    for (uint32_t l = 0; l < account->place_count; l++) {
        struct fw_code_row *row = &code[count];
        double *parts = FW_ARRAY(work->arena, double, rows + 1);
        *row = (struct fw_code_row){.parts = parts};
        for (size_t r = 0; r < rows; r++) {
            parts[r] = account->cycles[l * FW_SM_PART_COUNT + order[r]] / work->clock;
            row->seconds += parts[r];
        }
        row->share = row->seconds / whole;
        if (l) {
            row->line = lines[l - 1].line;
            row->file = file_of(work, &lines[l - 1]);
            fw_model_called_at(row, work->question->kernel, lines[l - 1].call, work->arena);
        }
        count += row->seconds > 0;
    }
    qsort(code, count, sizeof(*code), most_code);
    work->to->code = code;
    work->to->code_count = count;
    work->to->has_code_lines = account->place_count > 1;
}
