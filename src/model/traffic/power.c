#include "power.h"

#include <math.h>

/* Adds `amount` times the energy of one.  False: the profile lacks an energy that is needed. */
static bool add(double *joules, double amount, enum fw_figure figure,
                const struct fw_device *device)
{
    double energy;
    if (!(amount > 0))
        return true;
    if (!fw_device_figure(device, figure, &energy))
        return false;
    *joules += amount * energy;
    return true;
}

bool fw_power(struct fw_power *power, const struct fw_power_work *work,
              const struct fw_device *device)
{
    double idle, most, joules = work->others;
    if (!(work->seconds > 0) || !fw_device_figure(device, FW_FIGURE_IDLE_POWER, &idle) ||
        !fw_device_figure(device, FW_FIGURE_BOARD_POWER, &most) || !(most > idle) ||
        !add(&joules, work->l1_bytes, FW_FIGURE_ENERGY_L1, device) ||
        !add(&joules, work->shared_bytes, FW_FIGURE_ENERGY_SHARED, device) ||
        !add(&joules, work->l2_bytes, FW_FIGURE_ENERGY_L2, device) ||
        !add(&joules, work->dram_read, FW_FIGURE_ENERGY_DRAM_READ, device) ||
        !add(&joules, work->dram_write, FW_FIGURE_ENERGY_DRAM_WRITE, device))
        return false;
    power->joules = joules + idle * work->seconds;
    power->watts = power->joules / work->seconds;
    power->limit_watts = most;
    power->least_seconds = joules / (most - idle);
    return true;
}
