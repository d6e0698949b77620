/* Text, numbers and style of a page. */
#include "page_internal.h"

#include "timeline_style.h"

#include <math.h>
#include <string.h>

void page_text(struct fw_buffer *out, const char *text)
{
    text = fw_text_shown(out->arena, text, strlen(text));
    for (; *text; text++) {
        const char *written = *text == '<'    ? "&lt;"
                              : *text == '>'  ? "&gt;"
                              : *text == '&'  ? "&amp;"
                              : *text == '"'  ? "&quot;"
                              : *text == '\'' ? "&#39;"
                                              : NULL;
        if (written)
            fw_buffer_printf(out, "%s", written);
        else
            fw_buffer_add(out, text, 1);
    }
}

const char *page_quantity(struct fw_buffer *out, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(out->arena);
    fw_report_quantity(&text, value, unit);
    return text.text ? text.text : "";
}

const char *page_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

const char *page_colour(size_t number)
{
    static const char *const colours[] = {"#3b76af", "#d9822b", "#4f9d69", "#b0506a",
                                          "#7d6bb0", "#8c7a55", "#4aa3b5", "#8a8f98"};
    return colours[number % (sizeof(colours) / sizeof(colours[0]))];
}

const char *page_part_colour(const char *name)
{
    const struct timeline_style *style = fw_timeline_style(name);
    return strcmp(style->colour, "#ffffff") == 0 ? "#c9ced6" : style->colour;
}

double page_quantity_of(const struct fw_prediction *prediction, const char *key)
{
    for (size_t q = 0; q < prediction->quantity_count; q++)
        if (strcmp(prediction->quantities[q].kind->key, key) == 0)
            return prediction->quantities[q].value;
    return 0;
}

double page_at(const struct page_scale *scale, double value)
{
    double share = scale->logarithmic ? (log10(value) - log10(scale->low)) /
                                            (log10(scale->high) - log10(scale->low))
                                      : (value - scale->low) / (scale->high - scale->low);
    return scale->from + fmin(1, fmax(0, share)) * (scale->to - scale->from);
}

void page_decades(struct page_scale *scale, double low, double high)
{
    scale->logarithmic = true;
    scale->low = pow(10, floor(log10(low) + 1e-9));
    scale->high = pow(10, ceil(log10(high) - 1e-9));
    if (scale->high <= scale->low)
        scale->high = scale->low * 10;
}

const char *page_decade_text(struct fw_buffer *out, double value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    int decade = (int)lround(log10(value));
    if (decade < 0)
        return fw_arena_printf(out->arena, "%g", value);
    int prefix = decade / 3 < 6 ? decade / 3 : 6;
    return fw_arena_printf(out->arena, "%.0f%s%s", pow(10, decade - 3 * prefix), prefix ? " " : "",
                           prefixes[prefix]);
}

const char *const page_style =
    ":root{--paper:#fff;--ink:#1c2127;--soft:#5d6670;--line:#dde2e8;--panel:#f6f8fa;"
    "--accent:#2c66a0;--heat:44,102,160;--grid:#e6eaee}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e4e8ed;--soft:#98a2ad;"
    "--line:#2d343c;--panel:#1b2026;--accent:#79b0e6;--heat:92,152,214;--grid:#262c33}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:28px 20px 64px}\n"
    "h1{font-size:26px;font-weight:600;margin:0 0 4px;letter-spacing:-.01em}\n"
    "h2{font-size:20px;font-weight:600;margin:52px 0 2px;padding-top:20px;"
    "border-top:1px solid var(--line);overflow-wrap:anywhere}\n"
    "h3{font-size:14px;font-weight:600;margin:26px 0 8px}\n"
    "h3 span{font-weight:400}p{margin:4px 0}\n"
    ".soft,figcaption,.sub{color:var(--soft);font-size:13px}\n"
    "a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}\n"
    ".wide{overflow-x:auto}.wide td{white-space:nowrap}.wide .far{white-space:normal}\n"
    "table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}"
    "\n"
    "th{font-weight:500;color:var(--soft);text-align:left;white-space:nowrap}\n"
    "th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    ".name{min-width:9em;max-width:24em;overflow:hidden;text-overflow:ellipsis}\n"
    "code,.code{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',"
    "monospace}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:10px 34px;margin:14px 0 4px}\n"
    ".facts div{min-width:90px}.facts b{display:block;font-size:21px;font-weight:600;"
    "line-height:1.25}\n.facts span{color:var(--soft);font-size:12.5px}\n"
    ".two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:6px 34px}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:6px 14px}\n"
    ".least{min-width:440px}\n"
    "@media(max-width:960px){.two{grid-template-columns:minmax(0,1fr)}.two "
    "figure{max-width:640px}}\n"
    "figure{margin:0}figure svg{width:100%;height:auto;display:block}\n"
    "svg text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:var(--ink)}\n"
    "svg .t{fill:var(--soft);font-size:11.5px}svg .b{font-weight:600}\n"
    "svg .g{stroke:var(--grid);fill:none}svg .x{stroke:var(--soft);fill:none}\n"
    "svg text{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}"
    ".timeline svg text{stroke:none}svg .box{fill:var(--panel);stroke:var(--line)}\n"
    "svg .mark{fill:var(--accent)}svg .track{stroke:var(--accent);fill:none}\n"
    ".key{display:flex;flex-wrap:wrap;gap:3px 18px;font-size:12.5px;margin-top:8px}\n"
    ".key i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px}\n"
    "ol.advice{list-style:none;margin:0;padding:0}\n"
    ".advice li{display:grid;grid-template-columns:118px minmax(0,1fr);gap:14px;padding:9px 0;"
    "border-bottom:1px solid var(--line)}\n"
    ".advice b{font-size:16px;font-weight:600;color:var(--accent)}\n"
    ".advice .sub{display:block}\n"
    "@media(max-width:520px){.advice li{grid-template-columns:1fr;gap:2px}}\n"
    ".lines td{border:0;padding:1px 12px 1px 0}.lines .code{white-space:pre;padding-left:8px}\n"
    ".far{width:44%}@media(max-width:620px){.far{display:none}}\n"
    "details{margin-top:20px}summary{cursor:pointer;font-size:14px;font-weight:600}\n"
    ".timeline{overflow-x:auto;background:#fff;border-radius:4px;margin-top:8px}\n"
    ".timeline svg{min-width:820px;width:100%;height:auto;display:block}\n"
    ".timeline svg text{fill:#1c2127}\n"
    "@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#ccc;--panel:#f6f8fa;"
    "--accent:#2c66a0;--grid:#e6eaee}main{max-width:none;padding:0}body{font-size:11pt}"
    "h2{break-before:page;border:0;margin-top:0}figure,li,tr,.facts{break-inside:avoid}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";
