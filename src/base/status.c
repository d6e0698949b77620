#include "status.h"

int fw_status_exit(enum fw_status status)
{
    switch (status) {
    case FW_OK:
        return 0;
    case FW_ERROR_USAGE:
        return 2;
    case FW_ERROR_MACHINE:
    case FW_ERROR_MEMORY:
        return 3;
    case FW_ERROR_INPUT:
    case FW_ERROR_OVERFLOW:
    case FW_ERROR_BUDGET:
        return 1;
    }
    return 3;
}
