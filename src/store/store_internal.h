/* What the store's own files share. */
#ifndef FW_STORE_INTERNAL_H
#define FW_STORE_INTERNAL_H

#include "store.h"

#include <sqlite3.h>

struct fw_store {
    sqlite3 *database;
    const char *path; /* behind the struct */
    const struct fw_sink *sink;
    enum fw_status failure; /* of the last statement that failed */
    bool still;             /* can only be read */
};

/* A prepared statement with texts bound to ?1, ?2, ...; NULL, reported, when it cannot be made.
 * The texts must live until it is stepped. */
sqlite3_stmt *store_prepare(struct fw_store *store, const char *sql, const char *const *texts,
                            int count);
#define STORE_PREPARE(store, sql, ...)                                                             \
    store_prepare((store), (sql), (const char *const[]){__VA_ARGS__},                              \
                  (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

/* Runs a statement that gives no rows, and finalizes it. */
enum fw_status store_run(struct fw_store *store, sqlite3_stmt *statement);

/* Steps: true when there is a row; at the end `*status` says whether all was well. */
bool store_row(struct fw_store *store, sqlite3_stmt *statement, enum fw_status *status);

/* Opens a transaction that writes; ends it: commits when `status` is FW_OK, else takes all back. */
enum fw_status store_begin(struct fw_store *store);
enum fw_status store_end(struct fw_store *store, enum fw_status status);

/* Calls `work(user)`, FW_ERROR_MEMORY when the arena is exhausted meanwhile; frees the arena. */
enum fw_status store_guard(struct fw_arena *arena, enum fw_status (*work)(void *user), void *user);

/* Adds or replaces a measurement's counters, a line of text. */
enum fw_status store_put_counters(struct fw_store_outcome *outcome, struct fw_store *store,
                                  const char *campaign, const char *fingerprint, const char *line,
                                  struct fw_span span);

#endif
