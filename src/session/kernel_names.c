/* Names of kernels as sources have them: template arguments and scopes, which PTX has mangled by
 * the Itanium C++ ABI. */
#include "session.h"
#include "signature.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#ifdef FW_HAVE_DEMANGLE
#include <libiberty/demangle.h>
#endif

enum { LONGEST_NAME = 4096 };

/* The name that a mangled one stands for, with its parameters where `signature`; NULL: none. */
static const char *demangled(struct fw_arena *arena, const char *entry, bool signature)
{
#ifdef FW_HAVE_DEMANGLE
    if (strncmp(entry, "_Z", 2) != 0 || strlen(entry) > LONGEST_NAME)
        return NULL;
    char *text = cplus_demangle_v3(entry, signature ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
    const char *copy = text ? fw_arena_text(arena, text, strlen(text)) : NULL;
    free(text); /* of the library's malloc */
    return copy;
#else
    (void)arena, (void)entry, (void)signature;
    return NULL;
#endif
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* One way of writing: blanks stand between words alone, numbers have no suffix ("4u": "4"). */
static char *plain(struct fw_arena *arena, const char *text)
{
    char *to = fw_arena_alloc(arena, strlen(text) + 1), *out = to;
    while (*text) {
        size_t blanks = strspn(text, " \t");
        bool begins = out == to || !in_name(out[-1]);
        text += blanks;
        if (blanks && !begins && in_name(*text))
            *out++ = ' ';
        if (begins && isdigit((unsigned char)*text)) {
            while (isdigit((unsigned char)*text))
                *out++ = *text++;
            size_t suffix = strspn(text, "uUlL");
            text += in_name(text[suffix]) ? 0 : suffix;
        } else if (*text) {
            *out++ = *text++;
        }
    }
    *out = '\0';
    return to;
}

/* Whether `name` is `stated`, or ends in it behind a scope. */
static bool ends_in(const char *name, const char *stated)
{
    size_t length = strlen(name), own = strlen(stated);
    if (length == own)
        return strcmp(name, stated) == 0;
    return length > own + 2 && strcmp(name + length - own, stated) == 0 &&
           strncmp(name + length - own - 2, "::", 2) == 0;
}

bool fw_session_is_called(struct fw_arena *arena, const char *entry, const char *stated)
{
    const char *name = demangled(arena, entry, false);
    if (!name)
        return false;
    const char *own = plain(arena, stated);
    if (ends_in(plain(arena, name), own))
        return true;
    const char *whole = strchr(stated, '(') ? demangled(arena, entry, true) : NULL;
    if (!whole)
        return false;
    /* "void axpy<float, 4>(float*)": what it returns may be left out */
    const char *all = plain(arena, whole);
    const char *begin = strncmp(all, "void ", 5) == 0 ? all + 5 : all;
    return strcmp(all, own) == 0 || ends_in(begin, own);
}

const char *fw_session_full_name(struct fw_arena *arena, const char *entry)
{
    return demangled(arena, entry, false);
}

const char *fw_session_template_hint(const struct fw_program *program, const char *stated)
{
    size_t length = stated ? strcspn(stated, "<(") : 0;
    const char *arguments = stated && stated[length] == '<' ? stated + length : "<ARGUMENTS>";
    for (size_t s = 0; program->compiled && s < program->compiled->signatures.kernels.count; s++) {
        const struct fw_signature *own = &program->compiled->signatures.kernels.at[s];
        bool is_it =
            own->templated && own->defined &&
            (!stated || (strlen(own->name) == length && strncmp(own->name, stated, length) == 0));
        if (is_it)
            return fw_arena_printf(
                program->arena,
                "a template makes code only for the arguments that the source instantiates it "
                "with: template __global__ void %s%.*s(...);",
                own->name, (int)strcspn(arguments, "("), arguments);
    }
    return NULL;
}
