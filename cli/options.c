#include "options.h"
#include "tell.h"
#include "forewarp.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const struct subcommand_row subcommands[] = {
#define X(name, bit, text, operands, summary) {ON_##name, text, operands, summary},
    SUBCOMMANDS(X)
#undef X
};
const size_t subcommand_count = sizeof(subcommands) / sizeof(subcommands[0]);

static const struct option_row {
    int letter;
    const char *name;
    const char *argument;
    int on;
    const char *help;
} rows[OPTION_COUNT] = {
#define X(name, letter, text, argument, on, help) {letter, text, argument, on, help},
    OPTIONS(X)
#undef X
};

/* What an option means to some subcommands alone. */
static const struct meaning {
    enum option_index option;
    int on;
    const char *help;
} meanings[] = {
#define X(name, on, help) {OPTION_##name, on, help},
    OPTION_MEANINGS(X)
#undef X
};
enum { MEANING_COUNT = sizeof(meanings) / sizeof(meanings[0]) };

enum { LONG_ONLY = 256 };

static void make_tables(struct option *table, char *letters)
{
    *letters++ = ':';
    for (int o = 0; o < OPTION_COUNT; o++) {
        table[o] = (struct option){.name = rows[o].name,
                                   .has_arg = rows[o].argument ? required_argument : no_argument,
                                   .val = LONG_ONLY + o};
        if (!rows[o].letter)
            continue;
        *letters++ = (char)rows[o].letter;
        if (rows[o].argument)
            *letters++ = ':';
    }
    *letters = '\0';
    table[OPTION_COUNT] = (struct option){0};
}

static bool add(const char **list, size_t *count, const char *value)
{
    if (*count == MOST_VALUES)
        return tell_error("CLI003", "more than %d values of one option", MOST_VALUES);
    list[(*count)++] = value;
    return true;
}

static bool take(struct request *request, int o, const char *value)
{
    if (request->subcommand && !(rows[o].on & (int)request->subcommand->bit))
        return tell_error("CLI001", "%s has no option --%s; see forewarp %s --help",
                          request->subcommand->text, rows[o].name, request->subcommand->text);
    request->values[o] = value ? value : "";
    switch (o) {
    case OPTION_SET:
        return add(request->set, &request->set_count, value);
    case OPTION_DEFINE:
        return add(request->defines, &request->define_count, value);
    case OPTION_INCLUDE:
        return add(request->includes, &request->include_count, value);
    case OPTION_VARY:
        return add(request->varied, &request->varied_count, value);
    case OPTION_WHERE:
        return add(request->conditions, &request->condition_count, value);
    case OPTION_MERGE:
        return add(request->merged, &request->merged_count, value);
    case OPTION_HOLD_OUT:
        return add(request->held_out, &request->held_out_count, value);
    case OPTION_LAUNCHES:
        return add(request->launches, &request->launch_count, value);
    case OPTION_FEATURE:
        return add(request->features, &request->feature_count, value);
    case OPTION_ARG:
        return add(request->contents, &request->content_count, value);
    case OPTION_GENERATORS:
        return add(request->generators, &request->generator_count, value);
    default:
        return true;
    }
}

static bool find_subcommand(struct request *request, const char *name)
{
    for (size_t c = 0; c < subcommand_count; c++)
        if (strcmp(subcommands[c].text, name) == 0) {
            request->subcommand = &subcommands[c];
            return true;
        }
    char known[256] = "";
    for (size_t c = 0; c < subcommand_count; c++)
        snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s %s", c ? "," : "",
                 subcommands[c].text);
    return tell_error("CLI001", "there is no command %s; there are%s", name, known);
}

static bool wrong(const struct request *request, const char *what, const char *argument)
{
    return tell_error("CLI001", "%s%s%s: %s; see forewarp%s%s --help",
                      request->subcommand ? request->subcommand->text : "",
                      request->subcommand ? ": " : "", argument, what,
                      request->subcommand ? " " : "",
                      request->subcommand ? request->subcommand->text : "");
}

/* --limit: at least a millisecond, at most ten years. */
static bool read_limit(struct request *request)
{
    const char *stated = request->values[OPTION_LIMIT];
    char *end = NULL;
    if (!stated)
        return true;
    request->limit = strtod(stated, &end);
    if (*stated && !*end && request->limit >= 1e-3 && request->limit <= 3e8)
        return true;
    return tell_error("CLI003", "--limit is a number of seconds, not %s", stated);
}

bool options_add(struct request *request, int count, char **arguments)
{
    struct option table[OPTION_COUNT + 1];
    char letters[2 * OPTION_COUNT + 2];
    int found;
    make_tables(table, letters);
    opterr = 0;
    optind = 0; /* from the beginning, also for a second time */
    while ((found = getopt_long(count, arguments, letters, table, NULL)) != -1) {
        int o = found - LONG_ONLY;
        if (found == '?')
            return wrong(request, "there is no such option, or it is not complete",
                         arguments[optind - 1]);
        if (found == ':')
            return wrong(request, "a value is missing behind it", arguments[optind - 1]);
        for (int l = 0; l < OPTION_COUNT && found < LONG_ONLY; l++)
            if (rows[l].letter == found)
                o = l;
        if (!take(request, o, optarg))
            return false;
    }
    request->operands = arguments + optind;
    request->operand_count = count - optind;
    return read_limit(request);
}

bool options_read(struct request *request, int count, char **arguments)
{
    memset(request, 0, sizeof(*request));
    if (count > 1 && arguments[1][0] != '-') {
        if (!find_subcommand(request, arguments[1]))
            return false;
        arguments++;
        count--;
    }
    return options_add(request, count, arguments);
}

enum { HELP_MOST = 4096 };

/* Words up to a width, further lines behind `indent` spaces. */
static void wrap(FILE *out, const char *text, int indent, int width)
{
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, (size_t)length, out);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* What an option means to the subcommands `on` alone; NULL: what its row says. */
static const char *own_meaning(int option, int on)
{
    for (size_t m = 0; m < MEANING_COUNT; m++)
        if ((int)meanings[m].option == option && (meanings[m].on & on))
            return meanings[m].help;
    return NULL;
}

/* A row's help; of the models, the library's table says which there are. */
static const char *help_of(const struct option_row *row, char *text, size_t size)
{
    if (row != &rows[OPTION_MODEL])
        return row->help;
    size_t length = (size_t)snprintf(text, size, "%s", row->help);
    for (size_t m = 0; fw_model_name(m) && length < size; m++)
        length += (size_t)snprintf(text + length, size - length, "%s %s (%s)", m ? ";" : "",
                                   fw_model_name(m), fw_model_summary(m));
    return text;
}

enum { WIDTH = 80 }; /* of lines */

static void show_option(FILE *out, const struct option_row *row,
                        const struct subcommand_row *subcommand)
{
    char text[HELP_MOST];
    const char *own = own_meaning((int)(row - rows), (int)subcommand->bit);
    enum { COLUMN = 28 };
    char left[80];
    char letter[5] = "";
    if (row->letter)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    int length = snprintf(left, sizeof(left), "  %4s--%s%s%s", letter, row->name,
                          row->argument ? " " : "", row->argument ? row->argument : "");
    fputs(left, out);
    if (length >= COLUMN) {
        fputc('\n', out);
        length = 0;
    }
    fprintf(out, "%*s", COLUMN - length, "");
    wrap(out, own ? own : help_of(row, text, sizeof(text)), COLUMN, WIDTH);
}

static const char examples[] =
    "  forewarp count matmul.cu -g 64,64 -b 16,16 -s n=1024\n"
    "  forewarp count matmul.knl -s n=1024\n"
    "  forewarp predict matmul.ptx -k matmul -g 64,64 -b 16,16 -s 3=1K -d h200\n"
    "  forewarp rank stencil.cu --domain nx,ny -s nx=4K -s ny=4K -d h200\n"
    "  forewarp diff naive.cu tiled.cu -g 64,64 -b 16,16 -s n=1K -d h200\n"
    "  forewarp emulate reduce.cu -g 64 -b 256 -s n=16K --arg x=f32[16K]:random\n"
    "  forewarp device show h200\n"
    "  forewarp calibrate matmul.cost --table measured.csv -o matmul.calibration\n";

static const char status_text[] =
    "0 done; 1 the input is at fault; 2 the command line is at fault;\n"
    "3 the machine or the device is at fault, or a file cannot be read or written.";

void options_help(FILE *out, const struct subcommand_row *subcommand)
{
    if (subcommand) {
        fprintf(out, "usage: forewarp %s%s%s [OPTION]...\n\n", subcommand->text,
                *subcommand->operands ? " " : "", subcommand->operands);
        wrap(out, subcommand->summary, 0, WIDTH);
        fprintf(out, "\noptions\n");
        for (int o = 0; o < OPTION_COUNT; o++)
            if (rows[o].on & (int)subcommand->bit)
                show_option(out, &rows[o], subcommand);
        if (subcommand->bit & ON_SOURCES)
            fprintf(out,
                    "\nFILE is PTX (.ptx), CUDA C++ (.cu), OpenCL C (.cl), the kernel language "
                    "(.knl)\nor address expressions (.json); - is standard input, with -x."
                    "\n");
        if (subcommand->bit & ON_DIFF)
            fprintf(out, "\nA and B are FILEs as above, or answers recorded with --json. Options "
                         "that are\none side's own may stand behind its FILE, in quotes:\n"
                         "  forewarp diff 'k.cu -b 256' 'k.cu -b 128' -g 4096 -s n=1M -d h200\n"
                         "One FILE on several devices (-d h200,a100) is compared with itself.\n");
        if (subcommand->bit & ON_DEVICE)
            fprintf(out,
                    "\nforms\n"
                    "  list             list all profiles\n"
                    "  show DEVICE      show one profile: a name, or a file\n"
                    "  probe            measure the device of this machine; gives a profile\n");
        if (subcommand->bit & ON_GENERATE)
            fprintf(out, "\ntags\n"
                         "  TAG              generators with this tag; without one, all\n"
                         "  ARGUMENT:V1,V2   only these values of an argument; <64, >=1 compare\n");
        if (subcommand->bit & ON_MEASURE)
            fprintf(out,
                    "\nFOLDER has launches.json. In place of FOLDER may stand such a list (.json), "
                    "a\nplan (.plan), or one of\n"
                    "  list             list the campaigns of the store\n"
                    "  import PATH      take a file of records, or a folder of exported text\n"
                    "  counters FILE    take a profiler's hardware counters into a campaign\n"
                    "  export FOLDER    write the store as text, FOLDER/CAMPAIGN.txt\n"
                    "  rebuild FOLDER   make a new store from the text of a folder\n");
        return;
    }
    fprintf(out,
            "usage: forewarp COMMAND ...\n\nforewarp predicts how long a GPU kernel takes, and "
            "why, from its source, its\nlaunch and a profile of the device.\n\ncommands\n");
    for (size_t c = 0; c < subcommand_count; c++) {
        enum { COLUMN = 28 };
        fprintf(out, "  %-9s %-15s ", subcommands[c].text, subcommands[c].operands);
        wrap(out, subcommands[c].summary, COLUMN, WIDTH);
    }
    fprintf(out,
            "\nexamples\n%s\nforewarp COMMAND --help lists the options of a command.\nExit status: "
            "%s\n",
            examples, status_text);
}

/* Text with roff's special characters escaped. */
static void roff(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* What an option means, and to which subcommands. */
static void manual_meaning(FILE *out, const char *help, int on)
{
    roff(out, help);
    fprintf(out, "\n.br\nFor:");
    for (size_t c = 0; c < subcommand_count; c++)
        if (on & (int)subcommands[c].bit)
            fprintf(out, " %s", subcommands[c].text);
    fprintf(out, ".\n.br\n");
}

void options_manual(FILE *out)
{
    char text[HELP_MOST];
    fprintf(out,
            ".TH FOREWARP 1 \"\" \"forewarp\" \"User Commands\"\n.SH NAME\nforewarp \\- predict "
            "how long a GPU kernel takes\n.SH SYNOPSIS\n");
    for (size_t c = 0; c < subcommand_count; c++) {
        fprintf(out, ".B forewarp %s\n", subcommands[c].text);
        roff(out, subcommands[c].operands);
        fprintf(out, " [OPTION]...\n.br\n");
    }
    fprintf(out,
            ".SH DESCRIPTION\nforewarp predicts how long a GPU kernel takes, and why, from its "
            "source (CUDA C++, OpenCL C or PTX), its launch and a profile of the device.  "
            "No GPU is used, except by measure and device probe.\n.SH COMMANDS\n");
    for (size_t c = 0; c < subcommand_count; c++) {
        fprintf(out, ".TP\n.B %s ", subcommands[c].text);
        roff(out, subcommands[c].operands);
        fprintf(out, "\n");
        roff(out, subcommands[c].summary);
        fprintf(out, "\n");
    }
    fprintf(out, ".SH OPTIONS\n");
    for (int o = 0; o < OPTION_COUNT; o++) {
        fprintf(out, ".TP\n.B ");
        if (rows[o].letter)
            fprintf(out, "\\-%c, ", rows[o].letter);
        fprintf(out, "\\-\\-");
        roff(out, rows[o].name);
        fprintf(out, " %s\n", rows[o].argument ? rows[o].argument : "");
        int others = rows[o].on;
        for (size_t m = 0; m < MEANING_COUNT; m++)
            if ((int)meanings[m].option == o)
                others &= ~meanings[m].on;
        if (others)
            manual_meaning(out, help_of(&rows[o], text, sizeof(text)), others);
        for (size_t m = 0; m < MEANING_COUNT; m++)
            if ((int)meanings[m].option == o)
                manual_meaning(out, meanings[m].help, meanings[m].on);
    }
    fprintf(out, ".SH EXIT STATUS\n");
    roff(out, status_text);
    fprintf(
        out,
        "\n.SH ENVIRONMENT\n.TP\n.B FOREWARP_STORE\nThe store of measure, instead of "
        "forewarp.db.\n.TP\n.B FOREWARP_MEASURE\nThe program forewarp\\-measure, instead of the "
        "one beside forewarp.\n.TP\n.B FOREWARP_DATA\nFolder that holds profiles/, instead of "
        "the installed folder.\n.TP\n.B NO_COLOR\nWhen set, text has no "
        "colour.\n.SH EXAMPLES\n.nf\n");
    roff(out, examples);
    fprintf(out, ".fi\n");
}

/* Options whose argument is one of some words: "warm|cold". */
static void complete_choices(FILE *out)
{
    for (int o = 0; o < OPTION_COUNT; o++) {
        const char *words = rows[o].argument;
        if (!words || !strchr(words, '|'))
            continue;
        fprintf(out, "    --%s)\n        COMPREPLY=($(compgen -W '", rows[o].name);
        for (; *words; words++)
            fputc(*words == '|' ? ' ' : *words, out);
        fprintf(out, "' -- \"$word\"))\n        return ;;\n");
    }
}

void options_completion(FILE *out)
{
    fprintf(out, "# Completion of forewarp in bash; made from its own table of options.\n"
                 "_forewarp() {\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS"
                 "[COMP_CWORD-1]}\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($("
                 "compgen -W \"");
    for (size_t c = 0; c < subcommand_count; c++)
        fprintf(out, "%s ", subcommands[c].text);
    fprintf(out, "--help --version\" -- \"$word\"))\n        return\n    fi\n"
                 "    case $before in\n");
    complete_choices(out);
    fprintf(out,
            "    -d | --device | show)\n        COMPREPLY=($(compgen -W \"$(forewarp device "
            "list 2>/dev/null | awk '{print $1}')\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
            "        return ;;\n"
            "    --backend)\n        COMPREPLY=($(compgen -W 'cuda opencl replay' -- \"$word\"))\n"
            "        return ;;\n"
            "    --compiler)\n        COMPREPLY=($(compgen -W 'nvcc clang' -- \"$word\"))\n"
            "        return ;;\n"
            "    --vary)\n        compopt -o nospace\n"
            "        COMPREPLY=($(compgen -W 'block= threads= coarsening= -D' -- \"$word\"))\n"
            "        return ;;\n"
            "    --cache)\n        COMPREPLY=($(compgen -W 'warm cold sequence' -- \"$word\"))\n"
            "        return ;;\n"
            "    -x | --language)\n        COMPREPLY=($(compgen -W 'ptx cu cl knl json set' -- "
            "\"$word\"))\n"
            "        return ;;\n"
            "    -m | --model)\n        COMPREPLY=($(compgen -W '");
    for (size_t m = 0; fw_model_name(m); m++)
        fprintf(out, "%s%s", m ? " " : "", fw_model_name(m));
    fprintf(out,
            "' -- \"$word\"))\n        return ;;\n"
            "    --target)\n        COMPREPLY=($(compgen -W 'opencl cuda c knl' -- \"$word\"))\n"
            "        return ;;\n"
            "    --match)\n        COMPREPLY=($(compgen -W 'superset subset identical "
            "intersect' -- \"$word\"))\n        return ;;\n"
            "    --dump)\n        COMPREPLY=($(compgen -W 'cfg ssa loops uniformity record "
            "domains ptx' -- \"$word\"))\n        return ;;\n    esac\n"
            "    case ${COMP_WORDS[1]} in\n");
    for (size_t c = 0; c < subcommand_count; c++) {
        fprintf(out, "    %s) local options='", subcommands[c].text);
        for (int o = 0; o < OPTION_COUNT; o++)
            if (rows[o].on & (int)subcommands[c].bit)
                fprintf(out, "%s--%s", o ? " " : "", rows[o].name);
        fprintf(out, "%s' ;;\n",
                subcommands[c].bit == ON_DEVICE    ? " list show probe"
                : subcommands[c].bit == ON_MEASURE ? " list import counters export rebuild"
                                                   : "");
    }
    fprintf(out, "    *) return ;;\n    esac\n"
                 "    if [[ $word == -* || ${COMP_WORDS[1]} == device ]]; then\n"
                 "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    else\n"
                 "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
                 "complete -o filenames -F _forewarp forewarp\n");
}

bool options_triple(uint32_t at[3], const char *text)
{
    char part[32];
    at[0] = at[1] = at[2] = 1;
    for (int d = 0; d < 3; d++) {
        size_t length = strcspn(text, ",x");
        uint64_t value;
        if (length >= sizeof(part))
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!options_bytes(&value, part) || value > UINT32_MAX)
            return false;
        at[d] = (uint32_t)value;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
    return false;
}

bool options_bytes(uint64_t *bytes, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (*text < '0' || *text > '9' || errno || value > (UINT64_MAX >> 32) || end[shift ? 1 : 0])
        return false;
    *bytes = (uint64_t)value << shift;
    return true;
}
