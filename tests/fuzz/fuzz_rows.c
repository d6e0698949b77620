/* Any bytes are SQL that makes a database, which then says that it is a store: whatever its tables
 * and rows hold, it is refused, or gives texts and takes records. */
#include "fuzzing.h"
#include "store.h"

#include <sqlite3.h>

enum { MARK = 0x66777374 };

/* Ends statements that run for long; `user` counts calls. */
static int too_long(void *user)
{
    return ++*(unsigned *)user > 50;
}

/* What the SQL may do: nothing outside of this file. */
static int may(void *user, int action, const char *one, const char *two, const char *three,
               const char *four)
{
    (void)user, (void)one, (void)two, (void)three, (void)four;
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA || action == SQLITE_DETACH
               ? SQLITE_DENY
               : SQLITE_OK;
}

static bool make(const char *path, const char *sql)
{
    sqlite3 *database;
    unsigned calls = 0;
    unlink(path);
    if (sqlite3_open(path, &database) != SQLITE_OK)
        fail("a database cannot be made");
    sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL,
                 NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 16);
    sqlite3_progress_handler(database, 1000, too_long, &calls);
    sqlite3_set_authorizer(database, may, NULL);
    sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_set_authorizer(database, NULL, NULL);
    sqlite3_progress_handler(database, 0, NULL, NULL);
    if (!sqlite3_get_autocommit(database))
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    char mark[100];
    snprintf(mark, sizeof(mark), "PRAGMA application_id = %d; PRAGMA user_version = 1", MARK);
    bool good = sqlite3_exec(database, mark, NULL, NULL, NULL) == SQLITE_OK;
    return sqlite3_close(database) == SQLITE_OK && good;
}

static const char records[] =
    "{\"record\": \"setup\", \"format\": 1, \"device\": \"d\", \"driver\": \"d\", \"backend\": "
    "\"b\", \"date\": \"2026\"}\n"
    "{\"record\": \"measurement\", \"name\": \"n\", \"fingerprint\": \"00\", \"kernel\": \"k\", "
    "\"grid\": [1, 1, 1], \"block\": [1, 1, 1], \"status\": \"done\", \"single\": "
    "{\"median_seconds\": 1}}\n";
static const char profiled[] = "{\"name\": \"n\", \"counters\": {\"dram__bytes_read.sum\": 3}}\n";

static void use(struct fw_store *store, struct fw_arena *arena)
{
    struct fw_store_outcome outcome = {0};
    struct fw_store_campaign *campaigns = NULL;
    struct fw_buffer text = fw_buffer_new(arena);
    const struct fw_source counters = {"counters", profiled, sizeof(profiled) - 1};
    size_t count = 0;
    bool has;
    if (fw_store_campaigns(&campaigns, &count, store, arena) == FW_OK)
        for (size_t c = 0; c < count && c < 8; c++)
            fw_store_text(&text, store, campaigns[c].name);
    fw_store_has(&has, store, "c", "00", true);
    fw_store_add(&outcome, store, "c", "records", records, sizeof(records) - 1);
    fw_store_add_counters(&outcome, store, "c", &counters, NULL);
    fw_store_text(&text, store, "c");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_store *store = NULL;
    char path[200];
    jmp_buf full;
    snprintf(path, sizeof(path), "%s/rows.db", fuzz_folder());
    if (make(path, fw_arena_text(arena, (const char *)data, size))) {
        enum fw_status status = fw_store_open(&store, path, &sink);
        if ((status == FW_OK) != (store != NULL) || (status && !errors))
            fail("status, store and diagnostics do not agree");
        fw_arena_on_exhausted(arena, &full);
        if (store && setjmp(full) == 0)
            use(store, arena);
        fw_store_close(store);
    }
    fw_arena_on_exhausted(arena, NULL);
    fw_arena_free(arena);
    return 0;
}
