/* Arguments of the public functions, before anything is done with them.
 *
 * Takes what a caller gave; gives FW_ERROR_USAGE and a diagnostic, API009, for what is missing or
 * makes no sense: pointers that are NULL, structures whose size was not set, texts that are empty,
 * counts without an array, numbers that are negative or not finite.  Without a context there is
 * nobody to tell, and the status alone says it.  Each check names the argument in the words of
 * forewarp.h.  Never looks at files, and never at what an argument means to a program. */
#ifndef FW_API_CHECK_H
#define FW_API_CHECK_H

#include "session.h"

/* One function's check; `status` becomes FW_ERROR_USAGE with the first argument that is refused,
 * and later checks say nothing. */
struct api_check {
    const struct fw_context *context; /* NULL: nobody hears */
    const char *function;
    enum fw_status status;
};

/* Begins; without a context the check fails. */
struct api_check api_check_begin(const struct fw_context *context, const char *function);

/* A pointer that must be there. */
void api_check_pointer(struct api_check *check, const void *pointer, const char *name);

/* A text that must be there, and one that may be missing; neither may be empty. */
void api_check_text(struct api_check *check, const char *text, const char *name);
void api_check_optional(struct api_check *check, const char *text, const char *name);

/* An array of `count` texts, none of them missing. */
void api_check_texts(struct api_check *check, const char *const *texts, size_t count,
                     const char *name);

/* An array of `count` elements. */
void api_check_array(struct api_check *check, const void *array, size_t count, const char *name);

/* A structure of options, which begins with its own size; NULL is allowed. */
void api_check_size(struct api_check *check, const void *options, const char *name);

/* A number of 0 or more; at most `most`. */
void api_check_number(struct api_check *check, double number, double most, const char *name);

/* One of `count` values of an enum. */
void api_check_choice(struct api_check *check, unsigned choice, unsigned count, const char *name);

/* The structures that several functions take, NULL allowed: first their size, then their members.
 */
void api_check_program_options(struct api_check *check, const struct fw_program_options *options);
void api_check_predict(struct api_check *check, const struct fw_predict_settings *settings);
void api_check_emulate(struct api_check *check, const struct fw_emulate_settings *settings);
void api_check_render(struct api_check *check, const struct fw_render_options *options);

#endif
