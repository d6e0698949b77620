/* The lanes' handlers for any machine: see emulate_lanes_body.h. */
#define LANES_NAME fw_emulate_lanes_portable
#define LANES_TEXT "portable"
#include "emulate_lanes_body.h"
