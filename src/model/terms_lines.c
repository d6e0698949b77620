/* The account of a time by terms, shared out over lines of the source: what arithmetic and issue
 * take by what lines demand of them, what memory takes by the bytes that their accesses move. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

struct sharing {
    const struct fw_prediction *prediction;
    const struct fw_model_question *question;
    struct fw_demand demand;  /* by line */
    struct fw_code_row *rows; /* row 0: what belongs to no line */
    double *parts;            /* by row and account row */
    size_t count;
};

/* The row of a line, made when it is new. */
static size_t row_of(struct sharing *sharing, uint32_t line)
{
    const struct fw_kernel *kernel = sharing->question->kernel;
    if (!line)
        return 0;
    for (size_t r = 1; r < sharing->count; r++)
        if (sharing->rows[r].line == line)
            return r;
    struct fw_code_row *row = &sharing->rows[sharing->count];
    row->line = line;
    row->file = kernel->file;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].line == line && kernel->schedule[i].file < kernel->file_count) {
            row->file = kernel->files[kernel->schedule[i].file];
            break;
        }
    return sharing->count++;
}

/* What an access counts for in a term of memory. */
static double weight_of(const struct sharing *sharing, const struct fw_access *access,
                        const char *term)
{
    bool global = access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC ||
                  access->space == FW_SPACE_LOCAL;
    bool constant = access->space == FW_SPACE_CONST || access->space == FW_SPACE_PARAM;
    bool wanted = strcmp(term, "atomics") == 0    ? access->direction >= FW_ATOMIC
                  : strcmp(term, "constant") == 0 ? constant
                  : strcmp(term, "shared") == 0   ? access->space == FW_SPACE_SHARED
                  : strcmp(term, "l1") == 0 || strcmp(term, "load_store") == 0 ? !constant
                                                                               : global;
    return wanted ? fw_bound_count(sharing->question->bound, access->domain)->estimate *
                        (access->bytes ? access->bytes : 1)
                  : 0;
}

static void add(struct sharing *sharing, uint32_t line, size_t part, double seconds)
{
    size_t row = row_of(sharing, line);
    sharing->parts[row * sharing->prediction->account_count + part] += seconds;
    sharing->rows[row].seconds += seconds;
}

static void share_access_term(struct sharing *sharing, size_t part)
{
    const struct fw_kernel *kernel = sharing->question->kernel;
    const struct fw_account_row *of = &sharing->prediction->account[part];
    double sum = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        sum += weight_of(sharing, &kernel->accesses[a], of->name);
    for (uint32_t a = 0; a < kernel->access_count && sum > 0; a++)
        add(sharing, kernel->accesses[a].line, part,
            of->seconds * weight_of(sharing, &kernel->accesses[a], of->name) / sum);
    if (!(sum > 0))
        add(sharing, 0, part, of->seconds);
}

static void share_part(struct sharing *sharing, size_t part)
{
    const struct fw_account_row *of = &sharing->prediction->account[part];
    const char *const nobodys[] = {"start_and_end", "dispatch", "not_in_terms"};
    for (size_t n = 0; n < sizeof(nobodys) / sizeof(nobodys[0]); n++)
        if (strcmp(of->name, nobodys[n]) == 0) {
            add(sharing, 0, part, of->seconds);
            return;
        }
    for (int r = 0; r < FW_RESOURCE_COUNT; r++) {
        double sum = fw_demand_sum(&sharing->demand, (enum fw_resource)r);
        if (strcmp(fw_resource_text((enum fw_resource)r), of->name) != 0 || !(sum > 0))
            continue;
        for (size_t l = 0; l < sharing->demand.lines.count; l++)
            if (sharing->demand.lines.at[l].amounts[r] > 0)
                add(sharing, sharing->demand.lines.at[l].line, part,
                    of->seconds * sharing->demand.lines.at[l].amounts[r] / sum);
        return;
    }
    share_access_term(sharing, part);
}

static int longest_first(const void *a, const void *b)
{
    const struct fw_code_row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void fw_model_lines(struct fw_prediction *prediction, const struct fw_model_question *question)
{
    struct fw_arena *arena = question->arena;
    const struct fw_kernel *kernel = question->kernel;
    if (prediction->code_count || !prediction->account_count || !question->bound || question->brief)
        return;
    struct sharing sharing = {
        .prediction = prediction, .question = question, .demand = {.arena = arena}, .count = 1};
    size_t most = kernel->schedule_count + kernel->access_count + 2, kept = 0;
    sharing.rows = FW_ARRAY(arena, struct fw_code_row, most);
    sharing.parts = FW_ARRAY(arena, double, most * prediction->account_count);
    fw_demand_arithmetic(&sharing.demand, kernel, question->bound);
    for (size_t a = 0; a < prediction->account_count; a++)
        share_part(&sharing, a);
    prediction->has_code_lines = sharing.count > 1;
    for (size_t r = 0; r < sharing.count; r++) {
        sharing.rows[r].share = sharing.rows[r].seconds / prediction->seconds;
        sharing.rows[r].parts = sharing.parts + r * prediction->account_count;
        if (sharing.rows[r].seconds > 0)
            sharing.rows[kept++] = sharing.rows[r];
    }
    qsort(sharing.rows, kept, sizeof(*sharing.rows), longest_first);
    prediction->code = sharing.rows;
    prediction->code_count = kept;
}
