/* The store: what was measured, kept in an SQLite database that several processes may write.
 *
 * Takes records as forewarp-measure writes them (docs/forewarp-measure.md), campaign by campaign,
 * and hardware counters as a profiler tells them; gives them back as text that is the same, byte
 * for byte, whenever the records are.  That text is the truth: a database is made anew from it.
 * What fw_store_add said is there is there after a crash.  A database that is damaged, or another
 * program's, is refused and left as it is.  Never measures, never looks into a record further than
 * it must to find it again.
 *
 * Diagnostics: STO001 cannot be opened or read, STO002 not this program's, STO003 damaged, STO004
 * cannot be written, STO005 not a record, STO006 another device, STO007 another measurement is
 * there, STO008 counters that fit nothing, STO009 exists already, STO010 an unfinished line, STO011
 * an empty file. */
#ifndef FW_STORE_H
#define FW_STORE_H

#include "arena.h"
#include "diagnostic.h"
#include "status.h"
#include "text.h"

#include <stdbool.h>

struct fw_store;

/* What an addition did. */
struct fw_store_outcome {
    size_t measurements; /* new */
    size_t counters;     /* new */
    size_t replaced;     /* a failed measurement by another, counters by other ones */
    size_t known;        /* were there already */
    size_t files;
};

/* Who measured a campaign; texts live in the arena. */
struct fw_store_campaign {
    const char *name;
    const char *device, *driver, *backend;
    size_t done, failed, counted;
};

/* Opens the database at `path`, or makes it.  FW_ERROR_INPUT: it is damaged or not ours;
 * FW_ERROR_MACHINE: it cannot be read, or not be made.  One that this process may not write to is
 * opened for reading alone; what would change it then fails with STO004. */
enum fw_status fw_store_open(FW_GIVE struct fw_store **store, const char *path,
                             const struct fw_sink *sink);
void fw_store_close(FW_TAKE struct fw_store *store);

/* Adds the records of a text, all or none: setup lines, measurements, counters, each line a JSON
 * object.  `name` is what diagnostics call the text.  An unfinished last line is left out, with a
 * warning.  A measurement that failed gives way to a later one; one that is done stays, and another
 * with the same fingerprint but other numbers is refused.  All of a campaign comes from one kind of
 * device, driver and backend. */
enum fw_status fw_store_add(struct fw_store_outcome *outcome, struct fw_store *store,
                            const char *campaign, const char *name, const char *text,
                            size_t length);

/* Whether a configuration need not be measured: it is recorded and, with `retry`, did not fail. */
enum fw_status fw_store_has(bool *has, struct fw_store *store, const char *campaign,
                            const char *fingerprint, bool retry);

/* Whether a campaign may have that name: text of one line in UTF-8, at most 200 bytes, that does
 * not begin with '-'; it becomes a path below a folder, so that no part of it between '/' is empty
 * or begins with '.'.  FW_ERROR_USAGE, STO011: it may not. */
enum fw_status fw_store_check_campaign(const char *name, const struct fw_sink *sink);

/* All campaigns, by name. */
enum fw_status fw_store_campaigns(struct fw_store_campaign **campaigns, size_t *count,
                                  struct fw_store *store, struct fw_arena *arena);

/* A campaign's records as text: setup lines by date, under each its measurements by name, each
 * followed by its counters. */
enum fw_status fw_store_text(struct fw_buffer *to, struct fw_store *store, const char *campaign);

/* Counters of a profiler, all or none.  `text` is Nsight Compute's CSV (counters.h), or JSON
 * lines with "name" (or "file", "kernel", "size") and "counters".  A launch of the table belongs to
 * the n-th launch of its kernel with its grid and block: the n-th such measurement of the campaign,
 * in the order in which they were added; where `order` is given (JSON lines with "name", one a
 * launch; those with "error" did not run), to the measurement that it names. */
enum fw_status fw_store_add_counters(struct fw_store_outcome *outcome, struct fw_store *store,
                                     const char *campaign, const struct fw_source *text,
                                     const struct fw_source *order);

/* Adds a file, or all files of a folder that open with a setup line ("*.txt", folders inside it
 * too).  A file's campaign is its path inside the folder without ".txt", or `campaign` unless that
 * is NULL. */
enum fw_status fw_store_import(struct fw_store_outcome *outcome, struct fw_store *store,
                               const char *path, const char *campaign);

/* Writes FOLDER/CAMPAIGN.txt for each campaign, or the one that is named; each lands by rename. */
enum fw_status fw_store_export(struct fw_store_outcome *outcome, struct fw_store *store,
                               const char *folder, const char *campaign);

/* Makes a new database from a folder's text; it lands by rename.  FW_ERROR_USAGE: there is a file
 * already. */
enum fw_status fw_store_rebuild(struct fw_store_outcome *outcome, const char *path,
                                const char *folder, const struct fw_sink *sink);

/* Whether a folder or file of records can be read, before a store is made of it; else
 * FW_ERROR_MACHINE with STO001. */
enum fw_status fw_store_records_readable(const char *path, const struct fw_sink *sink);

/* A whole file, zero-terminated, in the arena; FW_ERROR_MACHINE with STO001. */
enum fw_status fw_store_read_file(struct fw_source *source, struct fw_arena *arena,
                                  const char *path, const struct fw_sink *sink);

#endif
