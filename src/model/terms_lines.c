/* The account of a time by terms, shared out over lines of the source: what arithmetic and issue
 * take by what lines demand of them, what memory takes by the bytes that their accesses move. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

struct sharing {
    const struct fw_prediction *prediction;
    const struct fw_model_question *question;
    struct fw_demand demand;  /* by place, which stands for the line */
    uint32_t *first;          /* by place, from 1: an instruction there */
    uint32_t *place_of;       /* by access: its place, or 0 */
    uint32_t *row_of;         /* by place: its row; 0: it has none yet */
    struct fw_code_row *rows; /* row 0: what belongs to no line */
    double *parts;            /* by row and account row */
    size_t count;
};

static const char *file_at(const struct fw_kernel *kernel, uint32_t file)
{
    const char *name = file < kernel->file_count ? kernel->files[file] : NULL;
    return name ? name : kernel->file;
}

void fw_model_called_at(struct fw_code_row *row, const struct fw_kernel *kernel, uint32_t call,
                        struct fw_arena *arena)
{
    enum { MOST = 16 };
    row->called_at = call ? FW_ARRAY(arena, struct fw_code_place, MOST) : NULL;
    while (call && call <= kernel->call_count && row->called_count < MOST) {
        const struct fw_call_place *at = &kernel->calls[call - 1];
        row->called_at[row->called_count++] =
            (struct fw_code_place){.file = file_at(kernel, at->file), .line = at->line};
        call = at->call;
    }
}

/* Numbers the places of instructions from 1, and the schedule with them in place of lines; 0: no
 * line. */
static struct fw_scheduled *by_places(struct sharing *sharing)
{
    const struct fw_kernel *kernel = sharing->question->kernel;
    struct fw_arena *arena = sharing->question->arena;
    struct fw_scheduled *schedule =
        fw_arena_copy(arena, kernel->schedule, kernel->schedule_count * sizeof(*schedule));
    struct fw_map places = fw_map_new(arena);
    uint32_t count = 0;
    sharing->first = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    sharing->place_of = FW_ARRAY(arena, uint32_t, kernel->access_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        const uint32_t key[3] = {at->file, at->line, at->call};
        bool added = false;
        struct fw_map_entry *entry =
            at->line ? fw_map_add(&places, (const char *)key, sizeof(key), &added) : NULL;
        if (added) {
            entry->value = ++count;
            sharing->first[count] = i;
        }
        schedule[i].line = entry ? entry->value : 0;
        for (uint32_t a = 0; a < at->access_count; a++)
            sharing->place_of[at->access + a] = schedule[i].line;
    }
    return schedule;
}

/* The row of a place, made when it is new. */
static size_t row_of(struct sharing *sharing, uint32_t place)
{
    const struct fw_kernel *kernel = sharing->question->kernel;
    if (!place)
        return 0;
    const struct fw_scheduled *at = &kernel->schedule[sharing->first[place]];
    if (sharing->row_of[place])
        return sharing->row_of[place];
    struct fw_code_row *row = &sharing->rows[sharing->count];
    row->line = at->line;
    row->file = file_at(kernel, at->file);
    fw_model_called_at(row, kernel, at->call, sharing->question->arena);
    return sharing->row_of[place] = (uint32_t)sharing->count++;
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

static void add(struct sharing *sharing, uint32_t place, size_t part, double seconds)
{
    size_t row = row_of(sharing, place);
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
        add(sharing, sharing->place_of[a], part,
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
    struct fw_kernel placed = *kernel;
    placed.schedule = by_places(&sharing);
    sharing.row_of = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    fw_demand_arithmetic(&sharing.demand, &placed, question->bound);
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
