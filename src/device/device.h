/* Devices: what is known about one GPU, each figure with its source.
 *
 * Takes a profile (JSON: a name, a title, and figures by the names of figure.h) as a text, a path,
 * or a name to be looked up in folders that the caller lists.  Gives a struct fw_device whose
 * figures may be there or not: a figure that the profile does not state is absent, never assumed.
 * A profile may come from anybody: every value is checked for type, unit and bounds, texts for
 * control characters, and what is unknown is warned about.  Never writes a file, never looks for
 * folders by itself, never asks a real device. */
#ifndef FW_DEVICE_H
#define FW_DEVICE_H

#include "arena.h"
#include "diagnostic.h"
#include "figure.h"
#include "status.h"
#include "text.h"

#include <stdint.h>

/* One figure of one device. */
struct fw_figure_value {
    bool known;
    enum fw_figure_source source;
    double value;       /* COUNT and NUMBER; NAME: its number */
    double low, high;   /* the range that the source gives; both `value` when it gives none */
    const double *list; /* LIST: `count` numbers; POINTS: `count` pairs, flat */
    size_t count;
    const char *note; /* how it was got; "" when nothing is said */
};

/* A figure that the user states otherwise than the profile. */
struct fw_device_change {
    enum fw_figure figure;
    bool was_known;
    double was;   /* COUNT and NUMBER: the profile's value; NAME: its number */
    double value; /* that it has now; POINTS: the factor on their second numbers */
};

struct fw_device {
    const char
        *name; /* letters, digits and ._-; with changes, then also these: "h200:l2_bytes=2x" */
    const char *title; /* for people */
    const char *about; /* what the profile as a whole rests on; "" when nothing is said */
    const char *like;  /* name of the similar device whose figures stand in where no figure of its
                          own is known, and whose trained models serve; "": none */
    const char *path;  /* what it was read from */
    struct fw_figure_value figures[FW_FIGURE_COUNT];
    const struct fw_device_change *changes; /* none: it is as its profile */
    size_t change_count;
};

/* The format's version, the value of "forewarp_profile". */
enum { FW_PROFILE_VERSION = 1 };

/* Reads a profile from a text of `length` bytes; `name` is what diagnostics call it.  All lives in
 * the arena.  FW_ERROR_INPUT with diagnostics DEV002 to DEV011; FW_ERROR_MEMORY. */
enum fw_status fw_device_parse(struct fw_device **device, struct fw_arena *arena, const char *name,
                               const char *text, size_t length, const struct fw_sink *sink);

/* The same from a file (at most 1 MiB); also FW_ERROR_MACHINE (DEV001) when it cannot be read. */
enum fw_status fw_device_read(struct fw_device **device, struct fw_arena *arena, const char *path,
                              const struct fw_sink *sink);

/* Reads the device that a user named: a path (anything with a '/' or ending in ".json"), or a name
 * that stands for NAME.json in the first of `folders` that has it.  An unknown name is
 * FW_ERROR_USAGE (DEV009, whose notes list what there is).
 *
 * Behind a name or path may stand what is otherwise than in the profile: ":PROPERTY=VALUE,...",
 * where VALUE is a number in the property's unit ("8e12", "8TB/s", "96MiB", "1.5GHz"), a factor on
 * the profile's value ("2x"; of curves, on their second numbers), or a name that the property may
 * have ("greedy_oldest").  FW_ERROR_USAGE with the place
 * in the name: DEV014 (not of this form, another unit), DEV015 (no such property), DEV016 (a value
 * that a profile may not have, alone or beside its others), DEV017 (several devices). */
enum fw_status fw_device_find(struct fw_device **device, struct fw_arena *arena, const char *name,
                              const char *const *folders, size_t folder_count,
                              const struct fw_sink *sink);

/* The same for a list "h200,a100:l2_bytes=2x,multiprocessors=66,v100": a part behind a comma with
 * an equals sign changes the device before it.  The name of a file that exists is never divided. */
enum { FW_DEVICES_MOST = 64 };
struct fw_found_devices {
    FW_VECTOR(struct fw_device *) at;
};
enum fw_status fw_device_find_all(struct fw_found_devices *found, struct fw_arena *arena,
                                  const char *names, const char *const *folders,
                                  size_t folder_count, const struct fw_sink *sink);

struct fw_device_entry {
    const char *name; /* without ".json" */
    const char *path;
};

struct fw_device_list {
    FW_VECTOR(struct fw_device_entry) entries;
};

/* The profiles in `folders` by name, each name once: the first folder that has it wins.  Folders
 * that cannot be opened count as empty.  Nothing is read. */
void fw_device_list(struct fw_device_list *list, struct fw_arena *arena, const char *const *folders,
                    size_t folder_count);

/* Whether a figure of one value is known; its value, in the unit of its row, when it is (NaN when
 * it is not; `value` may be NULL): COUNT and NUMBER; NAME: its number. */
bool fw_device_figure(const struct fw_device *device, enum fw_figure figure, double *value);

/* A COUNT figure, or the number of a NAME, as a whole number; `absent` when it is not known. */
uint64_t fw_device_count(const struct fw_device *device, enum fw_figure figure, uint64_t absent);

/* Linear interpolation in a POINTS figure, level before the first point and proportional beyond
 * the last; false when it is not known. */
bool fw_device_curve(const struct fw_device *device, enum fw_figure figure, double at,
                     double *value);

/* Sets a COUNT, NUMBER or NAME figure (a probe's result, a clock given by the user).  The note is
 * copied. False, and nothing changed, when the value breaks the row's bounds. */
bool fw_device_set(struct fw_device *device, struct fw_arena *arena, enum fw_figure figure,
                   double value, enum fw_figure_source source, const char *note);

/* Whose trained models serve the device: 0 is its own name, 1 that of the similar device.  NULL:
 * there are no more. */
const char *fw_device_trained(const struct fw_device *device, unsigned number);

/* The profile as JSON text that fw_device_parse reads back to the same device. */
void fw_device_print(const struct fw_device *device, struct fw_buffer *buffer);

#endif
