/* The machine layer against hardware counters: what an H200 counted of each example launch beside
 * what the record says that the device issues.
 *
 * usage: machine-counts ROOT [--accept | --list | --show KERNEL]
 * --list prints both sides of every launch, --show what each instruction of a kernel issues.
 * Reads ROOT/kernels/launches.json, ROOT/tests/golden/kernels and ROOT/data/h200/kernels.jsonl;
 * writes docs/machine-counts.md with --accept, else compares with it: a drift is a reviewed
 * difference. Required: multiply-adds within 1% for at least 85% of the launches, and a reason in
 * tests/replay/machine_reasons.json for every kernel whose integer operations differ by more than
 * 5%. */
#include "../property/subject.h"
#include "recorded.h"
#include "tally.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *machine, *counter;
} floats[] = {{"FFMA", "ffma"}, {"FADD", "fadd"}, {"FMUL", "fmul"},
              {"DFMA", "dfma"}, {"DADD", "dadd"}, {"DMUL", "dmul"}};

enum { FLOATS = sizeof(floats) / sizeof(floats[0]) };

static const char *const integers[] = {"IMAD",     "IMAD.WIDE", "IMAD.HI", "IMAD.MOV", "IADD3",
                                       "LEA",      "IABS",      "IMNMX",   "VIMNMX3",  "VIADDMNMX",
                                       "ISETP",    "LOP3",      "SHF",     "SGXT",     "BMSK",
                                       "VABSDIFF", "VABSDIFF4", "IDP",     "POPC"};

struct summary {
    unsigned launches, unknown;
    unsigned fma, fma_near;                      /* launches with multiply-adds; within 1% */
    unsigned other, other_near;                  /* adds and multiplies within 1% */
    unsigned integer, integer_near, integer_far; /* within 5%; beyond 20% */
    struct fw_buffer *apart, *apart_floats;      /* rows of the table of reasons */
    const json_t *reasons;
    const char *kernel; /* whose row is being made, and its launches beyond 5% */
    struct fw_buffer sizes;
    unsigned beyond;
    struct {
        const char *name;
        unsigned kernels, launches;
    } classes[16];
    unsigned class_count, unexplained, needless;
};

static bool listing;          /* --list */
static const char *displayed; /* --show */

static double issued(const struct fw_tally *tally, const char *machine)
{
    double sum = 0;
    for (uint32_t r = 0; r < tally->machine_count; r++)
        if (!tally->machine[r].guarded && strcmp(tally->machine[r].machine, machine) == 0)
            sum += tally->machine[r].threads.estimate;
    return sum;
}

static double counter(const json_t *row, const char *operation)
{
    char name[96];
    snprintf(name, sizeof(name), "smsp__sass_thread_inst_executed_op_%s_pred_on.sum", operation);
    return json_number_value(json_object_get(json_object_get(row, "counters"), name));
}

static void add_cell(struct fw_buffer *out, double ours, double theirs)
{
    if (theirs == 0 && ours == 0)
        fw_buffer_printf(out, " |");
    else if (theirs == 0)
        fw_buffer_printf(out, " %.4g, none |", ours);
    else
        fw_buffer_printf(out, " %.4g %+.1f%% |", theirs, 100 * (ours / theirs - 1));
}

/* Of a kernel's integers, or (`counter`) its operations on floats. */
static const json_t *reason_for(const struct summary *summary, const char *kernel,
                                const char *counter)
{
    for (size_t r = 0; r < json_array_size(summary->reasons); r++) {
        const json_t *reason = json_array_get(summary->reasons, r);
        const char *of = json_string_value(json_object_get(reason, "counter"));
        if (strcmp(json_string_value(json_object_get(reason, "kernel")), kernel) == 0 &&
            (counter ? of && strcmp(of, counter) == 0 : !of))
            return reason;
    }
    return NULL;
}

static void add_class(struct summary *summary, const char *name)
{
    unsigned c = 0;
    while (c < summary->class_count && strcmp(summary->classes[c].name, name) != 0)
        c++;
    if (c == sizeof(summary->classes) / sizeof(summary->classes[0]))
        return;
    if (c == summary->class_count)
        summary->classes[summary->class_count++].name = name;
    summary->classes[c].kernels++;
    summary->classes[c].launches += summary->beyond;
}

/* Ends the kernel in hand: its row among the reasons, when a launch of it is beyond 5%. */
static void settle_kernel(struct summary *summary)
{
    const json_t *reason = summary->kernel ? reason_for(summary, summary->kernel, NULL) : NULL;
    if (summary->beyond && !reason) {
        summary->unexplained += summary->beyond;
        printf("%s: %u launches beyond 5%% without a reason\n", summary->kernel, summary->beyond);
    } else if (summary->beyond) {
        const char *class = json_string_value(json_object_get(reason, "class"));
        add_class(summary, class);
        fw_buffer_printf(summary->apart, "| %s |%s | %s | %s |\n", summary->kernel,
                         summary->sizes.text, class,
                         json_string_value(json_object_get(reason, "evidence")));
    } else if (reason) {
        summary->needless++;
        printf("%s: a reason for no launch\n", summary->kernel);
    }
    summary->beyond = 0;
    summary->sizes.length = 0;
}

/* A launch's operations on floats, far from the counter. */
static void note_float(struct summary *summary, const json_t *row, const char *operation,
                       double ours, double theirs)
{
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    const char *size = json_string_value(json_object_get(row, "size"));
    const json_t *reason = reason_for(summary, kernel, operation);
    if (!reason) {
        summary->unexplained++;
        printf("%s %s: %s %g, counted %g, without a reason\n", kernel, size, operation, ours,
               theirs);
        return;
    }
    fw_buffer_printf(summary->apart_floats, "| %s %s | %s %+.1f%% | %s | %s |\n", kernel, operation,
                     size, 100 * (ours / theirs - 1),
                     json_string_value(json_object_get(reason, "class")),
                     json_string_value(json_object_get(reason, "evidence")));
}

/* A launch's integer operations: `part` of the counter's too many. */
static void note(struct summary *summary, const json_t *row, double part)
{
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    if (!summary->kernel || strcmp(summary->kernel, kernel) != 0) {
        settle_kernel(summary);
        summary->kernel = fw_arena_text(summary->sizes.arena, kernel, strlen(kernel));
    }
    if (fabs(part) <= 0.05)
        return;
    summary->beyond++;
    fw_buffer_printf(&summary->sizes, " %s %+.1f%%",
                     json_string_value(json_object_get(row, "size")), 100 * part);
}

static void compare(const struct fw_tally *tally, const json_t *row, bool leans, bool shown,
                    struct fw_buffer *out, struct summary *summary)
{
    for (size_t f = 0; f < FLOATS; f++) {
        double ours = issued(tally, floats[f].machine), theirs = counter(row, floats[f].counter);
        bool near = fabs(ours - theirs) <= 0.01 * theirs;
        bool fma = floats[f].machine[1] == 'F';
        if (shown)
            add_cell(out, ours, theirs);
        if (leans || (ours == 0 && theirs == 0))
            continue;
        if (fabs(ours - theirs) > 0.05 * theirs)
            note_float(summary, row, floats[f].machine, ours, theirs);
        *(fma ? &summary->fma : &summary->other) += 1;
        *(fma ? &summary->fma_near : &summary->other_near) += near;
    }
    double ours = 0, theirs = counter(row, "integer");
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
        ours += issued(tally, integers[i]);
    if (shown)
        add_cell(out, ours, theirs);
    if (leans || theirs == 0)
        return;
    double part = ours / theirs - 1;
    note(summary, row, part);
    if (listing)
        printf("%s %s %.6g %.6g %+.1f%%\n", json_string_value(json_object_get(row, "kernel")),
               json_string_value(json_object_get(row, "size")), ours, theirs, 100 * part);
    summary->integer++;
    summary->integer_near += fabs(ours - theirs) <= 0.05 * theirs;
    summary->integer_far += fabs(ours - theirs) > 0.2 * theirs;
}

/* Every instruction of a launch: how often all threads together execute it, and what it issues. */
static void show(const struct subject *s)
{
    for (uint32_t i = 0; i < s->kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &s->kernel->schedule[i];
        double threads = at->domain == FW_NONE ? 0 : fw_bound_count(s->bound, at->domain)->estimate;
        printf("%4u %12.6g line %3u %-8s", i, threads, at->line, at->operation);
        for (uint32_t m = 0; m < at->machine_count; m++)
            printf(" %s%s*%u", at->machine[m].guarded ? "@" : "", at->machine[m].name,
                   at->machine[m].times);
        printf("\n");
    }
}

static bool one(const char *root, const json_t *launches, const json_t *row, struct fw_buffer *out,
                struct summary *summary)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const json_t *launch = recorded_launch(launches, row);
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    const char *file = json_string_value(json_object_get(row, "file"));
    bool shown = strcmp(json_string_value(json_object_get(row, "size")), "medium") == 0;
    char *base = fw_arena_printf(s.arena, "%s", file);
    *strrchr(base, '.') = '\0';
    const char *ptx = fw_arena_printf(s.arena, "%s/tests/golden/kernels/%s.ptx", root, base);
    bool good =
        launch &&
        subject_build(&s, ptx, fw_arena_printf(s.arena, "%s/kernels/%s", root, file), kernel);
    if (good) {
        uint32_t unknowns;
        struct fw_tally *tally = fw_tally_new(s.kernel);
        recorded_bind(&s, launch);
        s.bound = fw_bound_new(s.kernel);
        good = fw_bound_set(s.bound, s.launch) == FW_OK;
        fw_tally_fill(tally, s.bound, false);
        fw_bound_unknowns(s.bound, &unknowns);
        if (displayed && strcmp(displayed, kernel) == 0 && shown)
            show(&s);
        summary->launches++;
        summary->unknown += unknowns > 0;
        if (shown)
            fw_buffer_printf(out, "| %s%s |", kernel, unknowns ? " (u)" : "");
        compare(tally, row, unknowns > 0, shown, out, summary);
        if (shown)
            fw_buffer_printf(out, "\n");
        fw_bound_free(s.bound);
        fw_tally_free(tally);
    }
    fw_arena_free(s.arena);
    return good;
}

static const struct {
    const char *name, *means;
} meanings[] = {
    {"moves",
     "copies between registers. ptxas writes some of them as IMAD.MOV, which the counter counts as "
     "an integer operation; its register allocation decides which copies are needed"},
    {"unrolling",
     "iterations that remain where ptxas takes four at once, comparisons of such a loop, and loops "
     "that ptxas unrolls by another number"},
    {"scalar",
     "a value that ptxas keeps on the scalar datapath, which no counter of threads counts, "
     "and the lowering does not, or the reverse"},
    {"branches", "branches that become predicates or jump tables, and tests that move across them"},
    {"division", "operations that several quotients share"},
    {"fragments", "addresses of matrix fragments"},
    {"merging", "operations that ptxas merges and the lowering does not, or the reverse"},
    {"call", "a function that is called: the moves of its arguments"}};

static void add_classes(struct fw_buffer *page, const struct summary *s)
{
    unsigned apart = s->integer - s->integer_near;
    fw_buffer_printf(page,
                     "The %u launches with an error beyond 5%%, by reason (unexplained: %u):\n\n"
                     "| reason | kernels | launches | meaning |\n|---|---|---|---|\n",
                     apart, s->unexplained);
    for (size_t m = 0; m < sizeof(meanings) / sizeof(meanings[0]); m++)
        for (unsigned c = 0; c < s->class_count; c++)
            if (strcmp(s->classes[c].name, meanings[m].name) == 0)
                fw_buffer_printf(page, "| %s | %u | %u | %s |\n", meanings[m].name,
                                 s->classes[c].kernels, s->classes[c].launches, meanings[m].means);
    fw_buffer_printf(
        page,
        "\nThe kernels of these launches, and what their machine code shows (ptxas 13.0, "
        "sm_90, from the\nPTX in `tests/golden/kernels`):\n\n"
        "| kernel | launches | reason | evidence |\n|---|---|---|---|\n%s%s\n",
        s->apart->text, s->apart_floats->length ? s->apart_floats->text : "");
}

static void finish(struct fw_buffer *page, const struct fw_buffer *table, const struct summary *s)
{
    fw_buffer_printf(
        page,
        "# Machine instructions: estimates and the counters of an H200\n\n"
        "`machine-counts . --accept` made this page from `data/h200/kernels.jsonl` and\n"
        "`tests/replay/machine_reasons.json`; a test recomputes it. The estimate is the machine "
        "layer of\nthe kernel record (`kernel-record.md`).\n\n"
        "| | launches | within |\n|---|---|---|\n"
        "| multiply-adds (FFMA, DFMA) within 1%% (required: 85%%) | %u | %u (%.1f%%) |\n"
        "| adds and multiplies (FADD, FMUL, DADD, DMUL) within 1%% | %u | %u (%.1f%%) |\n"
        "| integer operations, all kinds together, within 5%% | %u | %u (%.1f%%) |\n"
        "| the same, beyond 20%% | %u | %u (%.1f%%) |\n\n"
        "Of %u launches, %u depend on loaded data (mark u): they are counted with defaults and "
        "not judged.\nThe counter counts threads whose predicate is true. It counts IMAD.MOV and "
        "POPC, and it does not\ncount operations of the scalar datapath (UIADD3 and similar). "
        "`data/lowering/README.md` says how\nthe rules for integers were found.\n\n",
        s->fma, s->fma_near, 100.0 * s->fma_near / s->fma, s->other, s->other_near,
        100.0 * s->other_near / s->other, s->integer, s->integer_near,
        100.0 * s->integer_near / s->integer, s->integer, s->integer_far,
        100.0 * s->integer_far / s->integer, s->launches, s->unknown);
    add_classes(page, s);
    fw_buffer_printf(page,
                     "The medium size: what the device counted, and the error of the estimate.\n\n"
                     "| kernel | FFMA | FADD | FMUL | DFMA | DADD | DMUL | integer |\n"
                     "|---|---|---|---|---|---|---|---|\n%s",
                     table->text);
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct summary summary = {0};
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    if (argc < 2)
        return 2;
    listing = argc > 2 && strcmp(argv[2], "--list") == 0;
    displayed = argc > 3 && strcmp(argv[2], "--show") == 0 ? argv[3] : NULL;
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    FILE *rows = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", argv[1]), "r");
    if (!launches || !rows)
        return 2;
    json_t *reasons = json_load_file(
        fw_arena_printf(arena, "%s/tests/replay/machine_reasons.json", argv[1]), 0, NULL);
    struct fw_buffer table = fw_buffer_new(arena), page = fw_buffer_new(arena);
    struct fw_buffer apart = fw_buffer_new(arena), apart_floats = fw_buffer_new(arena);
    summary.apart = &apart;
    summary.apart_floats = &apart_floats;
    summary.reasons = reasons;
    summary.sizes = fw_buffer_new(arena);
    json_t *row;
    while ((row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        good = one(argv[1], launches, row, &table, &summary) && good;
        json_decref(row);
    }
    settle_kernel(&summary);
    fclose(rows);
    json_decref(launches);
    finish(&page, &table, &summary);
    const char *path = fw_arena_printf(arena, "%s/docs/machine-counts.md", argv[1]);
    bool same = recorded_page(arena, path, &page, accept);
    bool enough = summary.fma > 0 && 100 * summary.fma_near >= 85 * summary.fma;
    printf("multiply-adds within 1%%: %u of %u; page %s\n", summary.fma_near, summary.fma,
           same ? "as committed" : "differs: run with --accept and review");
    bool reasoned = reasons && summary.unexplained == 0 && summary.needless == 0;
    printf("integers within 5%%: %u of %u; beyond without a reason: %u\n", summary.integer_near,
           summary.integer, summary.unexplained);
    printf("%d passed, %d failed\n", good + same + enough + reasoned,
           !good + !same + !enough + !reasoned);
    json_decref(reasons);
    fw_arena_free(arena);
    return good && same && enough && reasoned ? 0 : 1;
}
