/* What crosses the levels of the memory hierarchy, as text. */
#include "report.h"
#include "table.h"

#include <math.h>

static const char *quantity(struct fw_arena *arena, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

/* To the unit, as hardware counters have it, while that can be. */
static const char *count(struct fw_arena *arena, double value)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_number number = {.integer = (int64_t)llround(value), .known = true, .exact = true};
    if (!(fabs(value) < 9e15))
        return fw_arena_printf(arena, "%.6g", value);
    fw_report_count(&text, &number);
    return text.text;
}

static void heading(struct fw_buffer *out, const char *text, bool colour)
{
    fw_buffer_printf(out, colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static void show_counts(struct fw_buffer *out, const struct fw_traffic_row *row)
{
    const struct {
        const char *name;
        double value;
        const char *meaning;
    } rows[] = {{"global load sectors", row->global_load_sectors, "that warps ask L1 for"},
                {"global store sectors", row->global_store_sectors, "that they hand to it"},
                {"load-store wavefronts", row->lsu_wavefronts, "passes of the load-store unit"},
                {"of them shared memory's", row->shared_wavefronts,
                 "with shuffles and reads of the thread's index, as hardware counts"},
                {"constant memory's requests", row->constant_requests,
                 "addresses of each warp, one after the other"}};
    struct fw_table_text table = {.arena = out->arena, .sides = "lrl"};
    size_t shown =
        sizeof(rows) / sizeof(rows[0]) - (row->constant_requests == 0); /* few have some */
    for (size_t i = 0; i < shown; i++) {
        fw_table_cell(&table, "%s", rows[i].name);
        fw_table_cell(&table, "%s", count(out->arena, rows[i].value));
        fw_table_cell(&table, "%s", rows[i].meaning);
    }
    fw_table_print(&table, out);
}

static void show_bytes(struct fw_buffer *out, const struct fw_traffic_row *row)
{
    static const char *const heads[] = {"", "all", "first touches", "touched again, gone by then",
                                        "to complete sectors"};
    const struct {
        const char *name;
        double bytes;
        const struct fw_volume_row *parts; /* NULL: it has none */
        double fill;
    } rows[] = {
        {"L2 to L1", row->l2_to_l1.bytes, &row->l2_to_l1, 0},
        {"L1 to L2", row->l1_to_l2_bytes, NULL, 0},
        {"read from device memory", row->dram_read.bytes, &row->dram_read, row->fill_read_bytes},
        {"written to device memory", row->dram_write.bytes, &row->dram_write, 0},
        {"each byte that is read, once", row->once_read, NULL, 0},
        {"each byte that is written, once", row->once_written, NULL, 0}};
    struct fw_table_text table = {.arena = out->arena, .sides = "lrrrr"};
    for (size_t h = 0; h < sizeof(heads) / sizeof(heads[0]); h++)
        fw_table_cell(&table, "%s", heads[h]);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const double parts[] = {rows[i].parts ? rows[i].parts->compulsory : 0,
                                rows[i].parts ? rows[i].parts->capacity : 0, rows[i].fill};
        fw_table_cell(&table, "%s", rows[i].name);
        fw_table_cell(&table, "%s", quantity(out->arena, rows[i].bytes, "bytes"));
        for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
            fw_table_cell(&table, "%s",
                          rows[i].parts ? quantity(out->arena, parts[p], "bytes") : "");
    }
    fw_table_print(&table, out);
}

void fw_report_volumes_text(struct fw_buffer *out, const struct fw_traffic_row *row, bool colour)
{
    heading(out, "Memory traffic", colour);
    show_counts(out, row);
    heading(out, "Bytes between the levels, and what they are", colour);
    show_bytes(out, row);
}
