/* What the programs share that replay recordings: the launch of a recorded row, and the page that
 * they make of it. */
#ifndef RECORDED_H
#define RECORDED_H

#include "../property/subject.h"
#include "text.h"

#include <jansson.h>

/* The launch of kernels/launches.json that a recorded row is about; NULL: none. */
const json_t *recorded_launch(const json_t *launches, const json_t *row);

/* Gives the subject that launch: grid, block, shared memory, arguments (recorded_bind.c). */
void recorded_bind(struct subject *subject, const json_t *launch);

/* Writes the page (accept), or says whether the file holds it already. */
bool recorded_page(struct fw_arena *arena, const char *path, const struct fw_buffer *page,
                   bool accept);

#endif
