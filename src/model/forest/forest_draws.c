#include "forest_draws.h"

static const char *const names[] = {
#define X(name, about) #name,
    FW_FOREST_DRAWS(X)
#undef X
};

const char *fw_forest_draw_name(enum fw_forest_draw draw)
{
    return names[draw];
}

double fw_forest_draws_watts(const double draws[FW_FOREST_DRAW_COUNT],
                             const double energies[FW_FOREST_DRAW_COUNT])
{
    double watts = 0;
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        watts += draws[d] * energies[d];
    return watts;
}
