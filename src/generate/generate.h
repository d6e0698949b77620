/* Generators of measurement kernels: many small kernels of the kernel language, chosen by tags.
 *
 * A generator is a template, NAME.knl, and a file that describes it, NAME.tags: the generator's
 * tags, its arguments and the values that each may have, the sizes of its launches, and what one
 * thread of it does (docs/generate.md).  A folder holds any number of them; those that come with
 * forewarp are read as any others.
 *
 * Takes folders and filter tags; gives variants: one for each combination of values that the tags
 * leave, with its text, its code, and its launch.  The design is Stevens and Kloeckner's, section
 * 7.1 (there: UIPiCK).  Nothing here runs a kernel, looks at a device, or knows a model.
 *
 * Diagnostics: GEN001 a line that cannot be read, GEN002 an expression, GEN003 a template that
 * makes no kernel, GEN004 tags and values that do not exist or leave nothing, GEN005 too many
 * variants, GEN006 files and folders, GEN007 a name that is taken; KNLnnn, LOOPnnn and EMITnnn of
 * what a template became, at the template's own line. */
#ifndef FW_GENERATE_H
#define FW_GENERATE_H

#include "emit.h"
#include "knl_reader.h"

/* ---- values ---- */

/* A number or a word. */
struct fw_generate_value {
    const char *text; /* as written, "f32", "1K"; of a computed number, its digits */
    bool is_number;
    double number;
};

/* ---- generators ---- */

/* An argument: in the template, or (a size) a parameter of the kernel that a launch binds. */
struct fw_generate_argument {
    const char *name, *about;
    bool is_size;
    FW_VECTOR(struct fw_generate_value) values;  /* that variants have unless tags say otherwise */
    FW_VECTOR(struct fw_generate_value) allowed; /* that a tag may ask for; none: `low` to `high` */
    bool has_range;
    double low, high, step;
    struct fw_span span;
};

/* A named expression: of a `let`, `where`, `expect` or `fill` line. */
struct fw_generate_line {
    const char *name;    /* NULL: none */
    struct fw_span rest; /* an expression, or a fill's words */
    struct fw_span span; /* of the name, or the whole */
    bool of_sizes;       /* of a `let`: it mentions a size */
};
typedef FW_VECTOR(struct fw_generate_line) fw_generate_lines;

struct fw_generator {
    const char *name, *about;
    FW_VECTOR(const char *) tags;
    FW_VECTOR(struct fw_generate_argument) arguments; /* sizes behind all others */
    fw_generate_lines lets, conditions, expected, fills;
    const struct fw_source *file;     /* NAME.tags */
    const struct fw_source *template; /* NAME.knl */
};

/* Reads a description; its template is the caller's to set.  `name`: of the file, without its
 * suffix.  FW_ERROR_INPUT: a diagnostic told what. */
enum fw_status fw_generator_read(struct fw_generator *generator, struct fw_arena *arena,
                                 const char *name, const struct fw_source *source,
                                 const struct fw_sink *sink);

/* A word and what it stands for. */
struct fw_generate_part {
    const char *word, *text;
};

/* A kernel whose parts are measured one by one: what is kept (an array's name) with a text of the
 * kernel language; its parameters with their values, "2048, 3072". */
struct fw_generate_kernel {
    const char *name;
    const struct fw_generate_part *parts;
    size_t part_count;
    const struct fw_generate_part *sizes;
    size_t size_count;
};

/* The generator whose argument `keep` chooses among the parts; its only tag is its name.  Errors as
 * above. */
enum fw_status fw_generator_of_kernel(struct fw_generator *generator, struct fw_arena *arena,
                                      const struct fw_generate_kernel *kernel,
                                      const struct fw_sink *sink);

typedef FW_VECTOR(struct fw_generator) fw_generators;

/* Adds the generators of a folder, by name.  FW_ERROR_MACHINE: it cannot be read; FW_ERROR_INPUT:
 * one makes no sense, or has the name of another. */
enum fw_status fw_generators_add_folder(fw_generators *generators, struct fw_arena *arena,
                                        const char *folder, const struct fw_sink *sink);

/* ---- choosing ---- */

/* X(NAME, text, what it means): how a generator's tags must stand to those that are asked for. */
#define FW_GENERATE_MATCHES(X)                                                                     \
    X(SUPERSET, "superset", "a generator has all tags that are asked for, and may have more")      \
    X(SUBSET, "subset", "a generator has no tags but those that are asked for")                    \
    X(IDENTICAL, "identical", "a generator has these tags and no others")                          \
    X(INTERSECT, "intersect", "a generator has one of the tags")

enum fw_generate_match {
#define X(name, text, about) FW_GENERATE_##name,
    FW_GENERATE_MATCHES(X)
#undef X
        FW_GENERATE_MATCH_COUNT
};

/* False when the text is none's. */
bool fw_generate_match_read(enum fw_generate_match *match, const char *text);

enum { FW_GENERATE_VARIANTS_MOST = 4096 };

/* One variant: a generator and a value for each of its arguments. */
struct fw_generate_variant {
    const char *name; /* of the generator and all values: unique */
    const char *stem; /* of the values that are no sizes: the kernel and its files */
    const struct fw_generator *generator;
    const struct fw_generate_value *values; /* of arguments, then of `let` lines */
};
typedef FW_VECTOR(struct fw_generate_variant) fw_generate_variants;

/* What is asked for: "tag" of generators, "argument:v1,v2" of variants; a value may be a comparison
 * (">1", "<=64"). */
struct fw_generate_question {
    const char *const *tags;
    size_t tag_count;
    enum fw_generate_match match;
};

/* The generators that match.  FW_ERROR_USAGE, GEN004: a tag that no generator has, or none
 * matches. */
enum fw_status fw_generators_match(fw_generators *matching, struct fw_arena *arena,
                                   const fw_generators *generators,
                                   const struct fw_generate_question *question,
                                   const struct fw_sink *sink);

/* All variants of what matches, in the order of names and values.  FW_ERROR_USAGE: an argument or
 * value that there is not, or too many variants (GEN005). */
enum fw_status fw_generate_choose(fw_generate_variants *variants, struct fw_arena *arena,
                                  const fw_generators *generators,
                                  const struct fw_generate_question *question,
                                  const struct fw_sink *sink);

/* The value of a name in a variant: an argument or `let` line; NULL: there is none. */
const struct fw_generate_value *fw_generate_value_of(const struct fw_generate_variant *variant,
                                                     const char *name);

/* ---- making ---- */

/* How often one thread does something: "operation mul f32", "load a", "store c", "barrier". */
struct fw_generate_expected {
    const char *what;
    struct fw_generate_value count;
};

/* What a variant launches. */
struct fw_generate_buffer {
    const char *name, *fill; /* the fill's words, "random 0 1" */
    enum fw_type type;
    int64_t count; /* elements */
    bool stored;
};
struct fw_generate_made {
    const struct fw_generate_variant *variant;
    const char *knl, *opencl, *cuda; /* the same pointers for variants of one stem */
    int64_t grid[3], block[3];
    FW_VECTOR(struct fw_generate_buffer) buffers;
    FW_VECTOR(struct fw_generate_expected) expected; /* what the generator's `expect` lines say */
};
typedef FW_VECTOR(struct fw_generate_made) fw_generate_made_list;

/* Expands the template of each variant, reads it as a kernel, and generates its code and launch.
 * `scratch` is reset for each kernel; `poly` is where they are read. */
enum fw_status fw_generate_make(fw_generate_made_list *made, struct fw_arena *arena,
                                struct fw_arena *scratch, struct fw_poly *poly,
                                const fw_generate_variants *variants, const struct fw_sink *sink);

/* The list of launches that measuring takes (kernels/README.md), with each variant's name, .knl,
 * generator, values and expected counts. */
const char *fw_generate_launches(struct fw_arena *arena, const fw_generate_made_list *made);

/* Writes the kernels as .knl, .cl and .cu, and launches.json, to a folder that does not exist yet,
 * or is empty; all of it or, on an error, nothing.  FW_ERROR_MACHINE, GEN006: it cannot be
 * written. */
enum fw_status fw_generate_write(const char *folder, const fw_generate_made_list *made,
                                 struct fw_arena *arena, const struct fw_sink *sink);

#endif
