/* Records in and out.  See store.h. */
#include "store_internal.h"

#include <jansson.h>
#include <string.h>

/* One text that is being added. */
struct addition {
    struct fw_store *store;
    struct fw_store_outcome *outcome;
    const char *campaign;
    const struct fw_source *source;
    struct fw_arena *arena;
    sqlite3_int64 setup; /* the last setup line's row; 0: none yet */
};

static enum fw_status refuse(const struct addition *addition, struct fw_span span, const char *code,
                             const char *message, const char *what)
{
    fw_report(addition->store->sink, FW_ERROR, code, span, "%s%s", message, what);
    return FW_ERROR_INPUT;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* "4,1,1", as the index has grids and blocks. */
static const char *triple(struct fw_arena *arena, const json_t *array)
{
    long long at[3] = {0};
    for (size_t i = 0; i < 3; i++)
        at[i] = json_integer_value(json_array_get(array, i));
    return fw_arena_printf(arena, "%lld,%lld,%lld", at[0], at[1], at[2]);
}

static enum fw_status same_device(const struct addition *addition, struct fw_span span,
                                  const char *device, const char *driver, const char *backend)
{
    struct fw_store *store = addition->store;
    enum fw_status status;
    sqlite3_stmt *statement = STORE_PREPARE(
        store, "SELECT device, driver, backend FROM setup WHERE campaign = ?1 LIMIT 1",
        addition->campaign);
    if (store_row(store, statement, &status)) {
        const char *found[3];
        for (int i = 0; i < 3; i++)
            found[i] = (const char *)sqlite3_column_text(statement, i);
        if (strcmp(found[0], device) != 0 || strcmp(found[1], driver) != 0 ||
            strcmp(found[2], backend) != 0) {
            fw_report(store->sink, FW_ERROR, "STO006", span,
                      "the campaign %s holds records of %s (%s, %s), and these are of %s (%s, %s): "
                      "give another campaign",
                      addition->campaign, found[0], found[1], found[2], device, driver, backend);
            status = FW_ERROR_INPUT;
        }
    }
    sqlite3_finalize(statement);
    return status;
}

static enum fw_status add_setup(struct addition *addition, const json_t *object, const char *line,
                                struct fw_span span)
{
    struct fw_store *store = addition->store;
    const char *device = text_of(object, "device"), *driver = text_of(object, "driver");
    const char *backend = text_of(object, "backend"), *date = text_of(object, "date");
    const json_t *format = json_object_get(object, "format");
    if (format && json_integer_value(format) != 1)
        return refuse(addition, span, "STO005",
                      "records of a format that this program does not know: it knows 1", "");
    if (!device || !driver || !backend || !date)
        return refuse(addition, span, "STO005",
                      "a setup line lacks device, driver, backend or date", "");
    enum fw_status status = same_device(addition, span, device, driver, backend);
    if (!status)
        status = store_run(
            store,
            STORE_PREPARE(store,
                          "INSERT OR IGNORE INTO setup (campaign, device, driver, backend, date, "
                          "line) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                          addition->campaign, device, driver, backend, date, line));
    if (status)
        return status;
    sqlite3_stmt *statement = STORE_PREPARE(
        store, "SELECT id FROM setup WHERE campaign = ?1 AND line = ?2", addition->campaign, line);
    if (store_row(store, statement, &status))
        addition->setup = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

enum verdict { TO_ADD, TO_REPLACE, TO_KEEP, TO_REFUSE };

/* What to do with a measurement, by what is there of its fingerprint. */
static enum fw_status judge(const struct addition *addition, const char *fingerprint,
                            const char *line, bool done, enum verdict *verdict)
{
    enum fw_status status;
    sqlite3_stmt *statement = STORE_PREPARE(
        addition->store,
        "SELECT line, status FROM measurement WHERE campaign = ?1 AND fingerprint = ?2",
        addition->campaign, fingerprint);
    *verdict = TO_ADD;
    if (store_row(addition->store, statement, &status)) {
        bool same = strcmp((const char *)sqlite3_column_text(statement, 0), line) == 0;
        bool was_done = strcmp((const char *)sqlite3_column_text(statement, 1), "done") == 0;
        *verdict = same || (was_done && !done) ? TO_KEEP : was_done ? TO_REFUSE : TO_REPLACE;
    }
    sqlite3_finalize(statement);
    return status;
}

static enum fw_status put_measurement(const struct addition *addition, const json_t *object,
                                      const char *line, bool replace)
{
    struct fw_store *store = addition->store;
    const json_t *single = json_object_get(object, "single");
    const json_t *net = json_object_get(single, "net_median_seconds");
    const json_t *seconds = net ? net : json_object_get(single, "median_seconds");
    const char *kernel = text_of(object, "kernel");
    sqlite3_stmt *statement = STORE_PREPARE(
        store,
        replace ? "UPDATE measurement SET name = ?3, kernel = ?4, grid = ?5, block = ?6, status = "
                  "?7, line = ?8, setup = ?9, seconds = ?10 WHERE campaign = ?1 AND fingerprint = "
                  "?2"
                : "INSERT INTO measurement (campaign, fingerprint, name, kernel, grid, block, "
                  "status, line, setup, seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        addition->campaign, text_of(object, "fingerprint"), text_of(object, "name"),
        kernel ? kernel : "", triple(addition->arena, json_object_get(object, "grid")),
        triple(addition->arena, json_object_get(object, "block")), text_of(object, "status"), line);
    if (statement)
        sqlite3_bind_int64(statement, 9, addition->setup);
    if (statement && json_is_number(seconds))
        sqlite3_bind_double(statement, 10, json_number_value(seconds));
    return store_run(store, statement);
}

static enum fw_status add_measurement(struct addition *addition, const json_t *object,
                                      const char *line, struct fw_span span)
{
    const char *name = text_of(object, "name"), *fingerprint = text_of(object, "fingerprint");
    const char *state = text_of(object, "status");
    enum verdict verdict;
    if (!name || !fingerprint || !state)
        return refuse(addition, span, "STO005", "a measurement lacks name, fingerprint or status",
                      "");
    if (!addition->setup)
        return refuse(addition, span, "STO005",
                      "no setup line stands before this measurement: ", name);
    enum fw_status status =
        judge(addition, fingerprint, line, strcmp(state, "done") == 0, &verdict);
    if (status)
        return status;
    if (verdict == TO_REFUSE) {
        fw_report(addition->store->sink, FW_ERROR, "STO007", span,
                  "the campaign %s holds %s with other numbers: give another campaign",
                  addition->campaign, name);
        return FW_ERROR_INPUT;
    }
    addition->outcome->known += verdict == TO_KEEP;
    addition->outcome->replaced += verdict == TO_REPLACE;
    addition->outcome->measurements += verdict == TO_ADD;
    return verdict == TO_KEEP ? FW_OK
                              : put_measurement(addition, object, line, verdict == TO_REPLACE);
}

enum fw_status store_put_counters(struct fw_store_outcome *outcome, struct fw_store *store,
                                  const char *campaign, const char *fingerprint, const char *line,
                                  struct fw_span span)
{
    enum fw_status status;
    sqlite3_stmt *statement = STORE_PREPARE(
        store,
        "SELECT m.id, c.line FROM measurement m LEFT JOIN counters c ON c.measurement = m.id "
        "WHERE m.campaign = ?1 AND m.fingerprint = ?2",
        campaign, fingerprint);
    bool found = store_row(store, statement, &status);
    sqlite3_int64 id = found ? sqlite3_column_int64(statement, 0) : 0;
    const char *old = found ? (const char *)sqlite3_column_text(statement, 1) : NULL;
    bool same = old && strcmp(old, line) == 0, other = old && !same;
    sqlite3_finalize(statement);
    if (status)
        return status;
    if (!found) {
        fw_report(store->sink, FW_ERROR, "STO008", span,
                  "counters of a measurement that the campaign %s does not hold: %s", campaign,
                  fingerprint);
        return FW_ERROR_INPUT;
    }
    outcome->known += same;
    outcome->replaced += other;
    outcome->counters += !same && !other;
    if (same)
        return FW_OK;
    statement = STORE_PREPARE(
        store, "INSERT OR REPLACE INTO counters (line, measurement) VALUES (?1, ?2)", line);
    if (statement)
        sqlite3_bind_int64(statement, 2, id);
    return store_run(store, statement);
}

static enum fw_status add_line(struct addition *addition, const char *line, struct fw_span span)
{
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    const char *kind = text_of(object, "record");
    enum fw_status status;
    if (!object) {
        if (error.position > 0 && (uint32_t)error.position <= span.length)
            span.offset += (uint32_t)error.position - 1;
        span.length = 1;
        status = refuse(addition, span, "STO005", "not a record: ", error.text);
    } else if (kind && strcmp(kind, "setup") == 0) {
        status = add_setup(addition, object, line, span);
    } else if (kind && strcmp(kind, "measurement") == 0) {
        status = add_measurement(addition, object, line, span);
    } else if (kind && strcmp(kind, "counters") == 0 && text_of(object, "measurement")) {
        status = store_put_counters(addition->outcome, addition->store, addition->campaign,
                                    text_of(object, "measurement"), line, span);
    } else {
        status =
            refuse(addition, span, "STO005",
                   "not a record of a kind that is known: ", kind ? kind : "it has no \"record\"");
    }
    json_decref(object);
    return status;
}

static enum fw_status add_lines(struct addition *addition)
{
    const struct fw_source *source = addition->source;
    const char *at = source->text, *last = source->text + source->length;
    enum fw_status status = FW_OK;
    while (at < last && !status) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        struct fw_span span = {source, (uint32_t)(at - source->text),
                               (uint32_t)((end ? end : last) - at)};
        if (!end) {
            fw_report(addition->store->sink, FW_WARNING, "STO010", span,
                      "the last line is not finished, and was left out");
            break;
        }
        if (memchr(at, '\0', span.length))
            return refuse(addition, span, "STO005", "not a record: ", "it holds a zero byte");
        struct fw_arena_mark mark = fw_arena_mark(addition->arena);
        status = add_line(addition, fw_arena_text(addition->arena, at, span.length), span);
        fw_arena_release(addition->arena, mark);
        at = end + 1;
    }
    return status;
}

static enum fw_status add_all(void *user)
{
    struct addition *addition = user;
    enum fw_status status = store_begin(addition->store);
    return status ? status : store_end(addition->store, add_lines(addition));
}

enum fw_status fw_store_add(struct fw_store_outcome *outcome, struct fw_store *store,
                            const char *campaign, const char *name, const char *text, size_t length)
{
    struct fw_source source = {name, text, length};
    struct fw_store_outcome before = *outcome;
    struct addition addition = {store, outcome, campaign, &source, fw_arena_new(0), 0};
    enum fw_status status = store_guard(addition.arena, add_all, &addition);
    if (status) {
        store_end(store, status);
        *outcome = before;
    }
    return status;
}

enum fw_status fw_store_has(bool *has, struct fw_store *store, const char *campaign,
                            const char *fingerprint, bool retry)
{
    enum fw_status status;
    sqlite3_stmt *statement = STORE_PREPARE(
        store, "SELECT status FROM measurement WHERE campaign = ?1 AND fingerprint = ?2", campaign,
        fingerprint);
    *has = store_row(store, statement, &status);
    if (*has && retry)
        *has = strcmp((const char *)sqlite3_column_text(statement, 0), "done") == 0;
    sqlite3_finalize(statement);
    return status;
}

static const char *column(struct fw_arena *arena, sqlite3_stmt *statement, int at)
{
    const char *text = (const char *)sqlite3_column_text(statement, at);
    return fw_arena_text(arena, text ? text : "", text ? strlen(text) : 0);
}

enum fw_status fw_store_campaigns(struct fw_store_campaign **campaigns, size_t *count,
                                  struct fw_store *store, struct fw_arena *arena)
{
    FW_VECTOR(struct fw_store_campaign) found = {0};
    enum fw_status status;
    sqlite3_stmt *statement = store_prepare(
        store,
        "SELECT s.campaign, s.device, s.driver, s.backend, sum(m.status = 'done'), "
        "sum(m.status <> 'done'), count(c.measurement) FROM setup s JOIN measurement m ON m.setup "
        "= s.id LEFT JOIN counters c ON c.measurement = m.id GROUP BY s.campaign "
        "ORDER BY s.campaign",
        NULL, 0);
    while (store_row(store, statement, &status)) {
        struct fw_store_campaign *one = FW_APPEND(arena, &found);
        one->name = column(arena, statement, 0);
        one->device = column(arena, statement, 1);
        one->driver = column(arena, statement, 2);
        one->backend = column(arena, statement, 3);
        one->done = (size_t)sqlite3_column_int64(statement, 4);
        one->failed = (size_t)sqlite3_column_int64(statement, 5);
        one->counted = (size_t)sqlite3_column_int64(statement, 6);
    }
    sqlite3_finalize(statement);
    *campaigns = found.at;
    *count = found.count;
    return status;
}

enum fw_status fw_store_text(struct fw_buffer *to, struct fw_store *store, const char *campaign)
{
    sqlite3_int64 setup = 0;
    enum fw_status status;
    bool lost = false;
    sqlite3_stmt *statement = STORE_PREPARE(
        store,
        "SELECT s.id, s.line, m.line, c.line FROM setup s JOIN measurement m ON m.setup = s.id "
        "LEFT JOIN counters c ON c.measurement = m.id WHERE s.campaign = ?1 "
        "ORDER BY s.date, s.line, m.name, m.fingerprint",
        campaign);
    while (!lost && store_row(store, statement, &status)) {
        bool next = sqlite3_column_int64(statement, 0) != setup;
        setup = sqlite3_column_int64(statement, 0);
        for (int i = next ? 1 : 2; i <= 3; i++) {
            const char *line = (const char *)sqlite3_column_text(statement, i);
            if (line)
                fw_buffer_printf(to, "%s\n", line);
            else /* only counters need not be there */
                lost = lost || i < 3;
        }
    }
    sqlite3_finalize(statement);
    return lost ? FW_ERROR_MEMORY : status;
}
