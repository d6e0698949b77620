/* Opening, checking, transactions.  See store.h. */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* In the database's header: who made it, and the version of the tables below.  Places in the header
 * as "Database File Format" of SQLite's documentation says. */
enum { APPLICATION = 0x66777374 /* "fwst" */, VERSION = 1 };
enum { HEADER_BYTES = 100, HEADER_PAGE = 16, HEADER_VERSION = 60, HEADER_APPLICATION = 68 };
enum { BUSY_MILLISECONDS = 30000, MAKING_SECONDS = 5 };

static const char tables[] =
    "CREATE TABLE setup (id INTEGER PRIMARY KEY, campaign TEXT NOT NULL, device TEXT NOT NULL,"
    " driver TEXT NOT NULL, backend TEXT NOT NULL, date TEXT NOT NULL, line TEXT NOT NULL,"
    " UNIQUE (campaign, line));"
    "CREATE TABLE measurement (id INTEGER PRIMARY KEY, setup INTEGER NOT NULL REFERENCES setup,"
    " campaign TEXT NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL, kernel TEXT NOT NULL,"
    " grid TEXT NOT NULL, block TEXT NOT NULL, status TEXT NOT NULL, seconds REAL,"
    " line TEXT NOT NULL, UNIQUE (campaign, fingerprint));"
    "CREATE INDEX measurement_launch ON measurement (campaign, kernel, grid, block);"
    "CREATE INDEX measurement_name ON measurement (campaign, name);"
    "CREATE TABLE counters (measurement INTEGER PRIMARY KEY REFERENCES measurement,"
    " line TEXT NOT NULL);";

/* Reports what SQLite said as STO001, STO003 or STO004; gives the status. */
static enum fw_status report_failure(struct fw_store *store)
{
    int code = sqlite3_extended_errcode(store->database), kind = code & 0xff;
    const char *text = sqlite3_errmsg(store->database);
    store->failure = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB ? FW_ERROR_INPUT
                     : kind == SQLITE_NOMEM                          ? FW_ERROR_MEMORY
                                                                     : FW_ERROR_MACHINE;
    int error = kind == SQLITE_IOERR ? sqlite3_system_errno(store->database) : 0;
    if (store->failure == FW_ERROR_INPUT)
        fw_report_file(store->sink, FW_ERROR, "STO003", store->path,
                       "the store is damaged (%s); it was left as it is: move it away and rebuild "
                       "it from text",
                       text);
    else
        fw_report_file(store->sink, FW_ERROR, kind == SQLITE_CANTOPEN ? "STO001" : "STO004",
                       store->path, "%s%s%s",
                       kind == SQLITE_BUSY ? "another process keeps writing to it" : text,
                       error ? ": " : "", error ? strerror(error) : "");
    return store->failure;
}

sqlite3_stmt *store_prepare(struct fw_store *store, const char *sql, const char *const *texts,
                            int count)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    for (int i = 0; i < count && code == SQLITE_OK; i++)
        code = sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        return statement;
    report_failure(store);
    sqlite3_finalize(statement);
    return NULL;
}

bool store_row(struct fw_store *store, sqlite3_stmt *statement, enum fw_status *status)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    *status = FW_OK;
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE) /* what could not be prepared was reported then */
        *status = statement ? report_failure(store) : store->failure;
    return false;
}

enum fw_status store_run(struct fw_store *store, sqlite3_stmt *statement)
{
    enum fw_status status;
    while (store_row(store, statement, &status))
        ;
    sqlite3_finalize(statement);
    return status;
}

static enum fw_status execute(struct fw_store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK
               ? FW_OK
               : report_failure(store);
}

enum fw_status store_begin(struct fw_store *store)
{
    return execute(store, "BEGIN IMMEDIATE");
}

enum fw_status store_end(struct fw_store *store, enum fw_status status)
{
    if (!status)
        status = execute(store, "COMMIT");
    if (status && !sqlite3_get_autocommit(store->database))
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    /* What is committed is safe in the journal.  Where nobody else is at work, it goes on into the
     * one file, which is then all of the store, and whose end can be missed when it is cut off. */
    if (!status) {
        sqlite3_busy_timeout(store->database, 0);
        sqlite3_exec(store->database, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
        sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    }
    return status;
}

enum fw_status store_guard(struct fw_arena *arena, enum fw_status (*work)(void *user), void *user)
{
    jmp_buf exhausted;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &exhausted);
    enum fw_status status = setjmp(exhausted) ? FW_ERROR_MEMORY : work(user);
    fw_arena_free(arena);
    return status;
}

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static enum fw_status damaged(const struct fw_store *store, const char *how)
{
    fw_report_file(store->sink, FW_ERROR, "STO003", store->path,
                   "the store is damaged (%.200s); it was left as it is: move it away and rebuild "
                   "it from text",
                   how);
    return FW_ERROR_INPUT;
}

/* Whether a file of that name and `tail` holds anything. */
static bool holds_any(const char *path, const char *tail)
{
    struct stat about;
    char *beside = malloc(strlen(path) + strlen(tail) + 1);
    if (beside)
        sprintf(beside, "%s%s", path, tail);
    bool any = beside && stat(beside, &about) == 0 && about.st_size > 0;
    free(beside);
    return any;
}

/* Whether the file ends inside a page, and no journal holds what would complete it: SQLite would
 * take the rest of that page for zeros. */
static bool is_cut(const struct fw_store *store, const unsigned char *header, off_t size)
{
    uint32_t page = (uint32_t)header[HEADER_PAGE] << 8 | header[HEADER_PAGE + 1];
    page = page == 1 ? 65536 : page;
    return page >= 512 && size % page != 0 && !holds_any(store->path, "-wal") &&
           !holds_any(store->path, "-journal");
}

/* Looks at the file before SQLite does, which would write to whatever it takes for a database.
 * `*fresh`: there is none, or an empty one. */
static enum fw_status look(struct fw_store *store, bool *fresh)
{
    unsigned char header[HEADER_BYTES];
    /* Without waiting for whoever would write to a named pipe. */
    int file = open(store->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *fresh = file < 0 && errno == ENOENT;
    if (*fresh)
        return FW_OK;
    struct stat about;
    ssize_t got = -1;
    bool regular = file < 0 ? errno != ENXIO /* a socket */
                            : fstat(file, &about) != 0 || S_ISREG(about.st_mode);
    if (file >= 0 && regular)
        got = read(file, header, sizeof(header));
    int code = errno;
    if (file >= 0)
        close(file);
    *fresh = got == 0;
    if (got < 0) {
        fw_report_file(store->sink, FW_ERROR, "STO001", store->path, "cannot be read: %s",
                       regular ? strerror(code) : "a store is a regular file");
        return FW_ERROR_MACHINE;
    }
    if (*fresh) {
        /* A crash while it was made leaves it so, or a cut; for a moment, another process that is
         * making it. */
        if (about.st_mtime + MAKING_SECONDS < time(NULL))
            fw_report_file(store->sink, FW_WARNING, "STO012", store->path,
                           "the store was empty: it becomes a new one");
        return FW_OK;
    }
    if (got < HEADER_BYTES || memcmp(header, "SQLite format 3", 16) != 0 ||
        number_at(header + HEADER_APPLICATION) != APPLICATION) {
        fw_report_file(store->sink, FW_ERROR, "STO002", store->path,
                       "this is not a store of forewarp; it was left as it is");
        return FW_ERROR_INPUT;
    }
    if (number_at(header + HEADER_VERSION) != VERSION) {
        fw_report_file(store->sink, FW_ERROR, "STO002", store->path,
                       "the store is of version %u, and this program knows %d; it was left as it "
                       "is",
                       number_at(header + HEADER_VERSION), VERSION);
        return FW_ERROR_INPUT;
    }
    return is_cut(store, header, about.st_size) ? damaged(store, "its end is missing") : FW_OK;
}

/* A store that this process may not write to, and that nobody has open for writing: its journal
 * would be beside it.  SQLite reads such a file only when told that it is not going to change. */
static bool is_still(const struct fw_store *store)
{
    size_t length = strlen(store->path);
    char *path = malloc(length + sizeof("-wal"));
    if (!path)
        return false;
    memcpy(path, store->path, length);
    memcpy(path + length, "-wal", sizeof("-wal"));
    bool still = access(path, F_OK) != 0;
    memcpy(path, store->path, length + 1);
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    still = still && (access(store->path, W_OK) != 0 || access(slash ? path : ".", W_OK) != 0);
    free(path);
    return still;
}

static enum fw_status open_database(struct fw_store *store, const char *name, int flags)
{
    int code = sqlite3_open_v2(name, &store->database, flags, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    return code == SQLITE_OK ? FW_OK : report_failure(store);
}

/* The path as a URI, for what only a URI can say. */
static enum fw_status connect_still(struct fw_store *store)
{
    static const char rest[] = "?immutable=1";
    char *name = malloc(sizeof("file://") + 3 * strlen(store->path) + sizeof(rest)), *end = name;
    if (!name)
        return FW_ERROR_MEMORY;
    end += sprintf(end, *store->path == '/' ? "file://" : "file:");
    for (const char *at = store->path; *at; at++)
        if (strchr("?#%", *at))
            end += sprintf(end, "%%%02x", (unsigned)*at);
        else
            *end++ = *at;
    memcpy(end, rest, sizeof(rest));
    enum fw_status status = open_database(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    free(name);
    return status;
}

static enum fw_status connect_database(struct fw_store *store, int flags)
{
    return store->still ? connect_still(store) : open_database(store, store->path, flags);
}

/* Whether the tables are those above and no others.  A file from somebody else could have views
 * that never end, triggers, and columns that hold nothing. */
static enum fw_status check_tables(struct fw_store *store)
{
    enum fw_status status;
    size_t found = 0, wanted = 0;
    bool good = true;
    for (const char *at = tables; (at = strchr(at, ';')) != NULL; at++)
        wanted++;
    sqlite3_stmt *statement = store_prepare(
        store,
        "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB "
        "'sqlite_stat*'", /* of ANALYZE */
        NULL, 0);
    while (store_row(store, statement, &status)) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        const char *place = text ? strstr(tables, text) : NULL;
        good = good && place && (place == tables || place[-1] == ';');
        found++;
    }
    sqlite3_finalize(statement);
    if (status || (good && found == wanted))
        return status;
    fw_report_file(store->sink, FW_ERROR, "STO002", store->path,
                   "it has other tables than a store of forewarp; it was left as it is");
    return FW_ERROR_INPUT;
}

/* Whether SQLite finds its pages and rows in order, and each row the row that it belongs to. */
static enum fw_status check_rows(struct fw_store *store)
{
    enum fw_status status, end = FW_OK;
    sqlite3_stmt *statement = store_prepare(store, "PRAGMA integrity_check(1)", NULL, 0);
    if (store_row(store, statement, &status)) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (!text || strcmp(text, "ok") != 0)
            status = damaged(store, text ? text : "no answer");
    }
    sqlite3_finalize(statement);
    if (status)
        return status;
    statement = store_prepare(store, "PRAGMA foreign_key_check", NULL, 0);
    if (store_row(store, statement, &end))
        end = damaged(store, "a row belongs to a setup or a measurement that is not there");
    sqlite3_finalize(statement);
    return end;
}

/* A process that was killed while it made the store left a journal that takes the half made file
 * back: SQLite does so with who may write, and reads. */
static enum fw_status recover(struct fw_store *store, bool *fresh)
{
    enum fw_status status = open_database(store, store->path, SQLITE_OPEN_READWRITE);
    if (!status)
        status = execute(store, "SELECT count(*) FROM sqlite_schema");
    sqlite3_close(store->database);
    store->database = NULL;
    return status ? status : look(store, fresh);
}

/* Through a connection that cannot write. */
static enum fw_status check(struct fw_store *store)
{
    enum fw_status status = connect_database(store, SQLITE_OPEN_READONLY);
    if (!status)
        status = check_tables(store);
    if (!status)
        status = check_rows(store);
    sqlite3_close(store->database);
    store->database = NULL;
    return status;
}

/* An empty file: SQLite would not say why there can be none. */
static enum fw_status create(const struct fw_store *store)
{
    if (strcmp(store->path, ":memory:") == 0)
        return FW_OK;
    int file = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) {
        fw_report_file(store->sink, FW_ERROR, "STO001", store->path, "the store cannot be made: %s",
                       strerror(errno));
        return FW_ERROR_MACHINE;
    }
    close(file);
    return FW_OK;
}

/* Two processes may make the same store: the second finds the tables. */
static enum fw_status make(struct fw_store *store)
{
    char mark[100];
    sqlite3_snprintf(sizeof(mark), mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                     APPLICATION, VERSION);
    enum fw_status status = store_begin(store);
    if (status)
        return status;
    sqlite3_stmt *statement =
        store_prepare(store, "SELECT 1 FROM sqlite_schema WHERE name = 'setup'", NULL, 0);
    bool there = store_row(store, statement, &status);
    sqlite3_finalize(statement);
    if (!status && !there)
        status = execute(store, tables);
    if (!status && !there)
        status = execute(store, mark);
    return store_end(store, status);
}

enum fw_status fw_store_open(FW_GIVE struct fw_store **store, const char *path,
                             const struct fw_sink *sink)
{
    size_t length = strlen(path) + 1;
    struct fw_store *made = calloc(1, sizeof(*made) + length);
    bool fresh;
    *store = NULL;
    if (!made)
        return FW_ERROR_MEMORY;
    made->path = memcpy(made + 1, path, length);
    made->sink = sink;
    enum fw_status status = look(made, &fresh);
    made->still = !status && !fresh && is_still(made);
    if (!status && !fresh && !made->still && holds_any(made->path, "-journal"))
        status = recover(made, &fresh);
    if (!status && !fresh)
        status = check(made);
    if (!status && fresh)
        status = create(made);
    if (!status)
        status = connect_database(made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!status && fresh)
        status = make(made);
    /* Only now: the header, which says whose the file is, must not be in the journal alone. */
    if (!status && !made->still)
        status = execute(made, "PRAGMA journal_mode = WAL");
    if (!status && !made->still)
        status = execute(made, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    if (!status)
        *store = made;
    else
        fw_store_close(made);
    return status;
}

void fw_store_close(FW_TAKE struct fw_store *store)
{
    if (!store)
        return;
    sqlite3_close_v2(store->database);
    free(store);
}
