/* The library's own statuses, for comparison with the public header's. */
#include "status.h"

extern const int library_statuses[7];
const int library_statuses[7] = {
    FW_OK,           FW_ERROR_INPUT,    FW_ERROR_USAGE, FW_ERROR_MACHINE,
    FW_ERROR_MEMORY, FW_ERROR_OVERFLOW, FW_ERROR_BUDGET};
