/* Numbers as people read them. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_grouped(struct fw_buffer *out, const char *digits)
{
    size_t length = strlen(digits), sign = *digits == '-';
    fw_buffer_add(out, digits, sign);
    for (size_t d = sign; d < length; d++) {
        if (d > sign && (length - d) % 3 == 0)
            fw_buffer_add(out, ",", 1);
        fw_buffer_add(out, digits + d, 1);
    }
}

void fw_report_count(struct fw_buffer *out, const struct fw_number *number)
{
    char digits[32];
    if (!number->known) {
        fw_buffer_printf(out, "not known");
        return;
    }
    if (!number->exact)
        fw_buffer_add(out, "~", 1);
    snprintf(digits, sizeof(digits), "%lld", (long long)number->integer);
    add_grouped(out, number->digits ? number->digits : digits);
}

/* Three digits with the greatest prefix of thousands that leaves one before the point. */
static void add_scaled(struct fw_buffer *out, double value, const char *unit)
{
    static const struct {
        double factor;
        const char *prefix;
    } scales[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                  {1, ""},     {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
    bool small = strcmp(unit, "s") == 0 || strcmp(unit, "J") == 0 || strcmp(unit, "W") == 0;
    size_t last = small ? sizeof(scales) / sizeof(scales[0]) - 1 : 6, s = 0;
    double size = fabs(value);
    while (s < last && size < scales[s].factor * 0.9995)
        s++;
    size /= scales[s].factor;
    bool apart = strlen(unit) > 3 && *scales[s].prefix; /* "4.2 MB", but "4.2 M results" */
    fw_buffer_printf(out, "%.*f %s%s%s",
                     size >= 99.95 || size == 0 ? 0
                     : size >= 9.995            ? 1
                                                : 2,
                     value / scales[s].factor, scales[s].prefix, apart ? " " : "", unit);
}

void fw_report_quantity(struct fw_buffer *out, double value, const char *unit)
{
    char digits[64];
    if (strcmp(unit, "share") == 0) {
        fw_buffer_printf(out, value < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * value);
        return;
    }
    if (strcmp(unit, "seconds") == 0 && value >= 60) {
        fw_buffer_printf(out, "%.4g s", value);
        return;
    }
    if (strcmp(unit, "seconds") == 0 || strcmp(unit, "bytes") == 0 || strcmp(unit, "hertz") == 0 ||
        strcmp(unit, "watts") == 0 || strcmp(unit, "joules") == 0 || strcmp(unit, "bytes/s") == 0) {
        add_scaled(out, value,
                   strcmp(unit, "seconds") == 0   ? "s"
                   : strcmp(unit, "bytes") == 0   ? "B"
                   : strcmp(unit, "bytes/s") == 0 ? "B/s"
                   : strcmp(unit, "watts") == 0   ? "W"
                   : strcmp(unit, "joules") == 0  ? "J"
                                                  : "Hz");
        return;
    }
    if (fabs(value) >= 1e6) {
        add_scaled(out, value, unit);
        return;
    }
    if (value == floor(value) || fabs(value) >= 1000) {
        snprintf(digits, sizeof(digits), "%.0f", value);
        add_grouped(out, digits);
    } else {
        fw_buffer_printf(out, "%.4g", value);
    }
    if (*unit)
        fw_buffer_printf(out, " %s", unit);
}
