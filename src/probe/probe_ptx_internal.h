/* What the files that write PTX share. */
#ifndef FW_PROBE_PTX_INTERNAL_H
#define FW_PROBE_PTX_INTERNAL_H

#include "probe_ptx.h"

#include <stdio.h>

/* A module's opening for a least compute capability. */
void probe_head(struct fw_buffer *out, int target);
/* A kernel's opening, with the parameters that all have and `more`; registers %p %r %t %f; and its
 * end: %sum is stored when it equals `never`. */
void probe_open(struct fw_buffer *out, const char *name, const char *more, int threads);
void probe_close(struct fw_buffer *out);

#endif
