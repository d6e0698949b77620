#include "timeline_style.h"

#include <string.h>

const struct timeline_style *fw_timeline_style(const char *name)
{
    static const struct timeline_style styles[] = {
        {"selected", '#', "#1b7837"},
        {"dispatch_stall", 'r', "#66bd63"},
        {"wait", 'w', "#b8dfb0"},
        {"math_pipe_throttle.fma", 'f', "#d9ef8b"},
        {"math_pipe_throttle.alu", 'a', "#e6f598"},
        {"math_pipe_throttle.fp16", 'h', "#c7e57a"},
        {"math_pipe_throttle.fp64", 'd', "#b5d860"},
        {"math_pipe_throttle.xu", 'x', "#a6c64c"},
        {"math_pipe_throttle.tensor", 't', "#8fb02e"},
        {"short_scoreboard.xu", 'X', "#a6cee3"},
        {"short_scoreboard.shuffle", 'S', "#7fb3d8"},
        {"short_scoreboard.shared", 's', "#5a9bd4"},
        {"short_scoreboard.lsu", 'q', "#1f78b4"},
        {"long_scoreboard.l1", '1', "#fee391"},
        {"long_scoreboard.l2", '2', "#fdb863"},
        {"long_scoreboard.dram", 'M', "#e08214"},
        {"long_scoreboard.lsu", 'Q', "#c994c7"},
        {"long_scoreboard.l2_bandwidth", 'L', "#d6604d"},
        {"long_scoreboard.dram_bandwidth", 'B', "#b2182b"},
        {"lg_throttle", 'G', "#dd3497"},
        {"mio_throttle", 'O', "#08519c"},
        {"barrier", '|', "#7b5ea7"},
        {"not_selected", 'n', "#a0a0a0"},
        {"drain", 'v', "#80a0a8"},
        {"launch", '.', "#dfe4ea"},
        {"tail", ' ', "#ffffff"},
    };
    static const struct timeline_style other = {"", '?', "#cccccc"};
    for (size_t s = 0; s < sizeof(styles) / sizeof(styles[0]); s++)
        if (strcmp(styles[s].name, name) == 0)
            return &styles[s];
    return &other;
}

double fw_timeline_share(const struct fw_timeline *timeline, size_t part)
{
    double sum = 0;
    for (uint32_t c = 0; c < timeline->columns; c++)
        sum += timeline->shares[(size_t)c * timeline->part_count + part];
    return timeline->columns ? sum / timeline->columns : 0;
}

void fw_report_timeline_json(struct fw_json_writer *w, const struct fw_timeline *timeline)
{
    fw_json_object(w, "timeline");
    fw_json_real(w, "cycles", timeline->cycles);
    fw_json_integer(w, "columns", timeline->columns);
    fw_json_integer(w, "block_warps", timeline->block_warps);
    fw_json_real(w, "blocks", timeline->blocks);
    fw_json_integer(w, "barriers", (int64_t)timeline->all_barriers);
    fw_json_object(w, "letters");
    for (size_t p = 0; p < timeline->part_count; p++)
        if (fw_timeline_share(timeline, p) > 0) {
            const char letter[] = {fw_timeline_style(timeline->parts[p].name)->letter, '\0'};
            fw_json_text(w, timeline->parts[p].name, letter);
        }
    fw_json_object_end(w);
    fw_json_array(w, "warps");
    char *row = FW_ARRAY(w->out->arena, char, timeline->columns + 1);
    for (uint32_t warp = 0; warp < timeline->warps; warp++) {
        for (uint32_t c = 0; c < timeline->columns; c++)
            row[c] = fw_timeline_state(timeline, warp, c)->letter;
        fw_json_text(w, NULL, row);
    }
    fw_json_array_end(w);
    fw_json_array(w, "skipped_cycles");
    for (size_t s = 0; s < timeline->skip_count; s++) {
        fw_json_array(w, NULL);
        fw_json_real(w, NULL, timeline->skips[s].from);
        fw_json_real(w, NULL, timeline->skips[s].until);
        fw_json_array_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
}
