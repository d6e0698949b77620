/* diff: sides, each an answer that was recorded or is made here, and what changed between them. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIDES = 26, MOST_WORDS = 256, MOST_NAME = 512 };

/* One side: an operand, on one device. */
struct side {
    char name[MOST_NAME];
    char *answers[2]; /* count's and predict's */
    size_t answer_count;
    char *path; /* of a recorded answer */
    char *code;
};

struct diff {
    struct session *session;
    struct side sides[MOST_SIDES];
    size_t count;
};

static struct side *add_side(struct diff *diff, const char *operand, const char *device)
{
    if (diff->count == MOST_SIDES) {
        tell_error("CLI003", "diff: more than %d sides", MOST_SIDES);
        return NULL;
    }
    struct side *side = &diff->sides[diff->count++];
    snprintf(side->name, sizeof(side->name), "%s%s%s", operand, device ? " on " : "",
             device ? device : "");
    return side;
}

static enum fw_status keep_answer(struct side *side, const struct fw_answer *answer)
{
    const struct fw_render_options options = {.size = sizeof(options), .format = FW_FORMAT_JSON};
    enum fw_status status = fw_answer_render(&side->answers[side->answer_count], answer, &options);
    side->answer_count += !status;
    return status;
}

/* Counts, and on a device a prediction. */
static enum fw_status ask(struct session *session, struct fw_worker *worker,
                          const struct fw_device *device, struct side *side)
{
    const struct fw_count_settings counts = {.size = sizeof(counts), .brief = true};
    struct fw_predict_settings settings;
    struct fw_emulate_settings emulate;
    const struct fw_answer *answer;
    if (!session_predict_settings(session, &settings, &emulate))
        return FW_ERROR_USAGE;
    enum fw_status status = fw_worker_count(&answer, worker, &counts);
    if (!status)
        status = keep_answer(side, answer);
    if (!status && device)
        status = fw_worker_predict(&answer, worker, device, &settings);
    return status || !device ? status : keep_answer(side, answer);
}

/* `session` has the side's own command line. */
static enum fw_status make_side(struct session *session, const struct fw_device *device,
                                const char *file, struct side *side)
{
    struct fw_program_options options;
    struct fw_program *program = NULL;
    struct fw_worker *worker = NULL;
    const struct fw_kernel *kernel;
    if (!session_program_options(session, &options, device))
        return FW_ERROR_USAGE;
    enum fw_status status = fw_program_read(&program, session->context, file, &options);
    if (!status)
        status = fw_program_kernel(&kernel, program, session->request.values[OPTION_KERNEL]);
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    if (!status)
        status = session_set_launch(session, worker);
    if (!status)
        status = ask(session, worker, device, side);
    /* PTX names lines of another file. */
    if (!status && strcmp(fw_worker_kernel(worker)->language, "ptx") != 0 &&
        !(side->code = strdup(file)))
        status = FW_ERROR_MEMORY;
    fw_worker_free(worker);
    fw_program_free(program);
    return status;
}

/* The sides of an operand's file: one a device. */
static enum fw_status make_sides(struct diff *diff, struct session *own, const char *operand,
                                 const char *file)
{
    const char *names = own->request.values[OPTION_DEVICE];
    struct fw_devices *devices = NULL;
    struct fw_device *blank = NULL;
    enum fw_status status =
        names ? fw_context_devices(&devices, own->context, names) : session_device(&blank, own);
    size_t count = names ? fw_devices_count(devices) : 1;
    for (size_t d = 0; d < count && !status; d++) {
        const struct fw_device *device = names ? fw_devices_item(devices, d) : blank;
        struct side *side =
            add_side(diff, operand, count > 1 ? fw_context_device_name(device) : NULL);
        status = side ? make_side(own, device, file, side) : FW_ERROR_USAGE;
    }
    fw_devices_free(devices);
    fw_context_device_free(blank);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* "FILE OPTION..." as words; the name of a file that is there is one word.  Their number. */
static int split(char **words, char *text, const char *operand)
{
    int count = 0;
    words[count++] = text; /* in place of the program's name */
    if (access(operand, F_OK) == 0) {
        words[count++] = text;
        return count;
    }
    for (char *at = strtok(text, " \t\n"); at && count < MOST_WORDS; at = strtok(NULL, " \t\n"))
        words[count++] = at;
    return count;
}

static enum fw_status take_words(struct diff *diff, struct session *own, const char *operand,
                                 char *text)
{
    char *words[MOST_WORDS + 1] = {NULL};
    int count = split(words, text, operand);
    bool recorded = false;
    struct side *side;
    if (!options_add(&own->request, count, words))
        return FW_ERROR_USAGE;
    if (own->request.operand_count != 1) {
        tell_error("CLI002", "diff: a side is one FILE with its options, not \"%s\"", operand);
        return FW_ERROR_USAGE;
    }
    const char *file = own->request.operands[0];
    enum fw_status status =
        ends_with(file, ".json") ? fw_context_is_answer(&recorded, own->context, file) : FW_OK;
    if (status || !recorded)
        return status ? status : make_sides(diff, own, operand, file);
    side = add_side(diff, operand, NULL);
    if (side)
        side->path = strdup(file);
    return !side ? FW_ERROR_USAGE : side->path ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status take_operand(struct diff *diff, const char *operand)
{
    struct session *own = malloc(sizeof(*own));
    char *text = strdup(operand);
    enum fw_status status = FW_ERROR_MEMORY;
    if (own && text) {
        *own = *diff->session;
        status = take_words(diff, own, operand, text);
    }
    free(text);
    free(own);
    return status;
}

static enum fw_status compare(const struct diff *diff, char **text)
{
    const struct fw_render_options options = session_render_options(diff->session);
    struct fw_diff_input inputs[MOST_SIDES];
    for (size_t s = 0; s < diff->count; s++)
        inputs[s] = (struct fw_diff_input){.name = diff->sides[s].name,
                                           .answers = (const char *const *)diff->sides[s].answers,
                                           .answer_count = diff->sides[s].answer_count,
                                           .path = diff->sides[s].path,
                                           .code = diff->sides[s].code};
    return fw_context_diff(text, diff->session->context, inputs, diff->count, &options);
}

int diff_command(struct session *session)
{
    struct diff *diff = calloc(1, sizeof(*diff));
    enum fw_status status = diff ? FW_OK : FW_ERROR_MEMORY;
    char **operands = session->request.operands, *text = NULL;
    int count = session->request.operand_count;
    if (diff)
        diff->session = session;
    for (int o = 0; o < count && !status; o++)
        status = take_operand(diff, operands[o]);
    if (!status && diff->count < 2) {
        tell_error("CLI002", "diff: two sides are needed, and there %s; see forewarp diff --help",
                   diff->count ? "is one" : "is none");
        status = FW_ERROR_USAGE;
    }
    if (!status)
        status = compare(diff, &text);
    for (size_t s = 0; diff && s < diff->count; s++) {
        for (size_t a = 0; a < diff->sides[s].answer_count; a++)
            fw_text_free(diff->sides[s].answers[a]);
        free(diff->sides[s].path);
        free(diff->sides[s].code);
    }
    free(diff);
    return session_print(text, status);
}
