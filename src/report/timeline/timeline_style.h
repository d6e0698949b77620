/* How the parts of a timeline are shown: a letter in text, a colour in a picture. */
#ifndef FW_TIMELINE_STYLE_H
#define FW_TIMELINE_STYLE_H

#include "forewarp.h"
#include "json_writer.h"

struct timeline_style {
    const char *name; /* of the part */
    char letter;
    const char *colour;
};

/* A part's style; of one that the table does not have, '?' and grey. */
const struct timeline_style *fw_timeline_style(const char *name);

/* The style of the state of a warp in a column. */
static inline const struct timeline_style *fw_timeline_state(const struct fw_timeline *timeline,
                                                             uint32_t warp, uint32_t column)
{
    return fw_timeline_style(
        timeline->parts[timeline->states[(size_t)warp * timeline->columns + column]].name);
}

/* Share of all warps' time in a part. */
double fw_timeline_share(const struct fw_timeline *timeline, size_t part);

/* The timeline as a member of an object: a text of letters a warp, and what they mean. */
void fw_report_timeline_json(struct fw_json_writer *writer, const struct fw_timeline *timeline);

#endif
