/* serve: a local web page.  A kernel is pasted or dropped, and the answer is the page of a report.
 *
 * One thread answers one request after the other.  Requests come from anybody: their size, time and
 * number are bounded, texts are escaped by the page, compilers are confined as everywhere, and what
 * another site's page sends is refused. */
#include "command.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    USUAL_PORT = 8470,
    MOST_BYTES = 1 << 20, /* of a request */
    MOST_CLIENTS = 64,
    MOST_CLIENTS_OF_ADDRESS = 32,
    IDLE_SECONDS = 15,
    QUESTION_SECONDS = 10,
    COMPILE_SECONDS = 20,
    MOST_WORDS = 64,
    MOST_CONFIGURATIONS = 2000,
    MESSAGE_BYTES = 4096
};

/* The functions of libmicrohttpd that are called.  It is opened when a page is served: it takes a
 * millisecond, with the libraries that it needs, of which every other command has no use. */
#define HTTP_FUNCTIONS(X)                                                                          \
    X(add_response_header)                                                                         \
    X(create_post_processor)                                                                       \
    X(create_response_from_buffer)                                                                 \
    X(destroy_post_processor)                                                                      \
    X(destroy_response)                                                                            \
    X(get_daemon_info)                                                                             \
    X(lookup_connection_value)                                                                     \
    X(post_process)                                                                                \
    X(queue_response)                                                                              \
    X(start_daemon)                                                                                \
    X(stop_daemon)

static struct {
#define X(name) __typeof__(&MHD_##name) name;
    HTTP_FUNCTIONS(X)
#undef X
} http;

/* Opens the library, for as long as the program runs; false: it is not there. */
static bool open_http(void)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    bool whole = library != NULL;
#define X(name)                                                                                    \
    if (whole) {                                                                                   \
        void *found = dlsym(library, "MHD_" #name);                                                \
        memcpy(&http.name, &found, sizeof(http.name));                                             \
        whole = found != NULL;                                                                     \
    }
    HTTP_FUNCTIONS(X)
#undef X
    return whole;
}

/* X(NAME, field): what a request states. */
#define FIELDS(X)                                                                                  \
    X(SOURCE, "source")                                                                            \
    X(LANGUAGE, "language")                                                                        \
    X(KERNEL, "kernel")                                                                            \
    X(GRID, "grid")                                                                                \
    X(BLOCK, "block")                                                                              \
    X(ARGUMENTS, "arguments")                                                                      \
    X(VARY, "vary")                                                                                \
    X(DEVICE, "device")

enum field {
#define X(name, text) FIELD_##name,
    FIELDS(X)
#undef X
        FIELD_COUNT
};

static const char *const field_names[] = {
#define X(name, text) text,
    FIELDS(X)
#undef X
};

struct server {
    struct session *session;
    struct fw_context *context;
    char said[MESSAGE_BYTES]; /* the messages of the request under way */
    char host[2][32];         /* that requests may name */
};

/* One request's body, as it comes. */
struct body {
    struct MHD_PostProcessor *reader;
    char *fields[FIELD_COUNT];
    size_t lengths[FIELD_COUNT], all;
    bool too_long;
};

static const char form[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>forewarp</title>"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<meta name=\"color-scheme\" content=\"light dark\"><style>"
    ":root{--paper:#fff;--ink:#1c2127;--soft:#5d6670;--line:#c8d0d8;--accent:#2c66a0}"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e4e8ed;--soft:#98a2ad;"
    "--line:#3a434c;--accent:#79b0e6}}"
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}"
    "form{max-width:880px;margin:0 auto;padding:28px 20px}h1{font-size:26px;margin:0}"
    "p,label{color:var(--soft);font-size:13px}label{display:block}"
    "textarea,input,select{width:100%;box-sizing:border-box;font:13px/1.5 ui-monospace,Menlo,"
    "'DejaVu Sans Mono',monospace;color:inherit;background:transparent;border:1px solid "
    "var(--line);border-radius:4px;padding:7px}textarea{height:320px}"
    "div{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));gap:12px;"
    "margin:12px 0}button{font:600 15px system-ui,sans-serif;color:#fff;background:#2c66a0;"
    "border:0;border-radius:4px;padding:9px 22px}option{color:#000}</style></head><body>"
    "<form method=\"post\" action=\"/report\" enctype=\"multipart/form-data\"><h1>Before it runs"
    "</h1><p>Paste a kernel, or address expressions of a code generator, or choose a file.</p>"
    "<textarea name=\"source\" spellcheck=\"false\" autofocus></textarea>"
    "<div><label>or a file <input type=\"file\" name=\"source\"></label>"
    "<label>language <select name=\"language\"><option value=\"cu\">CUDA C++</option>"
    "<option value=\"ptx\">PTX</option><option value=\"cl\">OpenCL C</option>"
    "<option value=\"knl\">kernel language</option>"
    "<option value=\"json\">address expressions</option></select></label>"
    "<label>kernel <input name=\"kernel\" placeholder=\"the only one\"></label>"
    "<label>device <input name=\"device\" value=\"h200\"></label></div>"
    "<div><label>grid, blocks <input name=\"grid\" placeholder=\"4096 or 64,64\"></label>"
    "<label>block, threads <input name=\"block\" placeholder=\"256 or 32,8\"></label>"
    "<label>arguments <input name=\"arguments\" placeholder=\"n=1M alpha=2\"></label>"
    "<label>vary, for a ranking <input name=\"vary\" placeholder=\"threads=256,512\"></label></div>"
    "<button>Predict</button></form></body></html>\n";

static void keep_message(void *user, const struct fw_message *message)
{
    struct server *server = user;
    size_t length = strlen(server->said);
    if (message->severity != FW_MESSAGE_NOTE)
        snprintf(server->said + length, sizeof(server->said) - length, "%s\n", message->text);
}

/* ---- answers ---- */

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status,
                                 const char *type, const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    if (!copy)
        return MHD_NO;
    memcpy(copy, text, length + 1);
    struct MHD_Response *response =
        http.create_response_from_buffer(length, copy, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(copy);
        return MHD_NO;
    }
    http.add_response_header(response, "Content-Type", type);
    http.add_response_header(response, "X-Content-Type-Options", "nosniff");
    http.add_response_header(response, "Cache-Control", "no-store");
    http.add_response_header(response, "Referrer-Policy", "no-referrer");
    http.add_response_header(response, "Content-Security-Policy",
                             "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                             "frame-ancestors 'none'");
    enum MHD_Result sent = http.queue_response(connection, status, response);
    http.destroy_response(response);
    return sent;
}

static enum MHD_Result send_plain(struct MHD_Connection *connection, unsigned status,
                                  const char *text)
{
    return send_text(connection, status, "text/plain; charset=utf-8", text);
}

/* ---- questions ---- */

static const char *field(const struct body *body, enum field which)
{
    const char *text = body->fields[which];
    return text && *text ? text : NULL;
}

static enum fw_status refuse(struct server *server, const char *text)
{
    snprintf(server->said, sizeof(server->said), "%s\n", text);
    return FW_ERROR_USAGE;
}

static enum fw_program_language language_of(const struct body *body)
{
    static const struct {
        const char *name;
        enum fw_program_language language;
    } languages[] = {{"ptx", FW_PROGRAM_PTX},
                     {"cl", FW_PROGRAM_OPENCL},
                     {"knl", FW_PROGRAM_LOOPS},
                     {"json", FW_PROGRAM_ADDRESSES}};
    const char *stated = field(body, FIELD_LANGUAGE);
    for (size_t l = 0; stated && l < sizeof(languages) / sizeof(languages[0]); l++)
        if (strcmp(languages[l].name, stated) == 0)
            return languages[l].language;
    return FW_PROGRAM_CUDA;
}

static enum fw_status set_launch(struct server *server, struct fw_worker *worker, struct body *body)
{
    uint32_t at[3];
    enum fw_status status = FW_OK;
    if (field(body, FIELD_GRID)) {
        if (!options_triple(at, field(body, FIELD_GRID)) || !at[0] || !at[1] || !at[2])
            return refuse(server, "the grid is X[,Y[,Z]], whole numbers above 0");
        fw_worker_set_grid(worker, at[0], at[1], at[2]);
    }
    if (field(body, FIELD_BLOCK)) {
        if (!options_triple(at, field(body, FIELD_BLOCK)))
            return refuse(server, "the block is X[,Y[,Z]], whole numbers above 0");
        fw_worker_set_block(worker, at[0], at[1], at[2]);
    }
    char *arguments = field(body, FIELD_ARGUMENTS) ? body->fields[FIELD_ARGUMENTS] : NULL;
    for (char *at_word = arguments ? strtok(arguments, " \t\r\n") : NULL; at_word && !status;
         at_word = strtok(NULL, " \t\r\n"))
        status = fw_worker_bind(worker, at_word);
    return status;
}

static enum fw_status add_kernel(struct server *server, struct fw_page *page, struct body *body,
                                 const struct fw_device *device)
{
    const struct fw_program_options options = {.size = sizeof(options),
                                               .language = language_of(body),
                                               .compile_seconds = COMPILE_SECONDS,
                                               .capability = fw_context_device_capability(device)};
    struct fw_program *program = NULL;
    struct fw_worker *worker = NULL;
    const struct fw_kernel *kernel;
    enum fw_status status =
        fw_program_parse(&program, server->context, "pasted", body->fields[FIELD_SOURCE],
                         body->lengths[FIELD_SOURCE], &options);
    if (!status)
        status = fw_program_kernel(&kernel, program, field(body, FIELD_KERNEL));
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    if (!status)
        status = set_launch(server, worker, body);
    if (!status)
        status = fw_page_add(page, worker, device, "pasted", NULL);
    fw_worker_free(worker);
    fw_program_free(program);
    return status;
}

/* A ranking reads its source from a file: one of our own, for as long as it takes. */
static enum fw_status write_source(char *path, const struct body *body)
{
    int file = mkstemp(path);
    if (file < 0)
        return FW_ERROR_MACHINE;
    size_t left = body->lengths[FIELD_SOURCE];
    const char *at = body->fields[FIELD_SOURCE];
    while (left > 0) {
        ssize_t written = write(file, at, left);
        if (written <= 0 && errno != EINTR)
            break;
        at += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    close(file);
    return left ? FW_ERROR_MACHINE : FW_OK;
}

static enum fw_status add_ranking(struct server *server, struct fw_page *page, struct body *body,
                                  const struct fw_device *device)
{
    char path[] = "/tmp/forewarp-serve-XXXXXX";
    const char *varied[MOST_WORDS], *bindings[MOST_WORDS];
    const struct fw_program_options options = {.size = sizeof(options),
                                               .language = language_of(body),
                                               .compile_seconds = COMPILE_SECONDS,
                                               .capability = fw_context_device_capability(device)};
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = path,
                                        .options = &options,
                                        .kernel = field(body, FIELD_KERNEL),
                                        .vary = varied,
                                        .bindings = bindings,
                                        .device = device,
                                        .most = MOST_CONFIGURATIONS};
    struct fw_ranking *ranking = NULL;
    if (field(body, FIELD_GRID) && !options_triple(settings.grid, field(body, FIELD_GRID)))
        return refuse(server, "the grid is X[,Y[,Z]], whole numbers above 0");
    if (field(body, FIELD_BLOCK) && !options_triple(settings.block, field(body, FIELD_BLOCK)))
        return refuse(server, "the block is X[,Y[,Z]], whole numbers above 0");
    for (char *at = strtok(body->fields[FIELD_VARY], " \t\r\n");
         at && settings.vary_count < MOST_WORDS; at = strtok(NULL, " \t\r\n"))
        varied[settings.vary_count++] = at;
    for (char *at = field(body, FIELD_ARGUMENTS) ? strtok(body->fields[FIELD_ARGUMENTS], " \t\r\n")
                                                 : NULL;
         at && settings.binding_count < MOST_WORDS; at = strtok(NULL, " \t\r\n"))
        bindings[settings.binding_count++] = at;
    enum fw_status status = write_source(path, body);
    if (!status)
        status = fw_context_rank(&ranking, server->context, &settings);
    unlink(path);
    if (!status)
        status = fw_page_add_ranking(page, ranking);
    fw_ranking_free(ranking);
    return status;
}

/* Devices by name alone: a request reads no file of this machine. */
static enum fw_status find_device(struct fw_device **device, struct server *server,
                                  const struct body *body)
{
    const char *name = field(body, FIELD_DEVICE) ? field(body, FIELD_DEVICE) : "h200";
    if (strpbrk(name, "/\\") || strstr(name, ".json"))
        return refuse(server, "a device is stated by its name");
    return fw_context_device(device, server->context, name);
}

static enum MHD_Result answer(struct server *server, struct MHD_Connection *connection,
                              struct body *body)
{
    struct fw_device *device = NULL;
    struct fw_page *page = NULL;
    char *html = NULL;
    server->said[0] = '\0';
    enum fw_status status = body->fields[FIELD_SOURCE] && body->lengths[FIELD_SOURCE]
                                ? find_device(&device, server, body)
                                : refuse(server, "there is no source");
    if (!status)
        status = fw_page_new(&page, server->context, NULL);
    if (!status)
        status = field(body, FIELD_VARY) ? add_ranking(server, page, body, device)
                                         : add_kernel(server, page, body, device);
    if (!status)
        status = fw_page_render(&html, page);
    enum MHD_Result sent =
        status ? send_plain(connection,
                            status == FW_ERROR_MEMORY || status == FW_ERROR_MACHINE
                                ? MHD_HTTP_INTERNAL_SERVER_ERROR
                                : 422u,
                            server->said[0] ? server->said : "this cannot be answered\n")
               : send_text(connection, MHD_HTTP_OK, "text/html; charset=utf-8", html);
    fw_text_free(html);
    fw_page_free(page);
    fw_context_device_free(device);
    return sent;
}

/* ---- requests ---- */

static enum MHD_Result take_part(void *user, enum MHD_ValueKind kind, const char *key,
                                 const char *file, const char *type, const char *encoding,
                                 const char *data, uint64_t offset, size_t size)
{
    struct body *body = user;
    (void)kind, (void)file, (void)type, (void)encoding, (void)offset;
    body->all += size;
    body->too_long |= body->all > MOST_BYTES;
    for (size_t f = 0; f < FIELD_COUNT && !body->too_long && size; f++) {
        if (strcmp(key, field_names[f]) != 0)
            continue;
        char *grown = realloc(body->fields[f], body->lengths[f] + size + 1);
        if (!grown)
            return MHD_NO;
        memcpy(grown + body->lengths[f], data, size);
        body->fields[f] = grown;
        body->lengths[f] += size;
        grown[body->lengths[f]] = '\0';
    }
    return MHD_YES;
}

static void end_request(void *user, struct MHD_Connection *connection, void **own,
                        enum MHD_RequestTerminationCode code)
{
    struct body *body = *own;
    (void)user, (void)connection, (void)code;
    if (!body)
        return;
    if (body->reader)
        http.destroy_post_processor(body->reader);
    for (size_t f = 0; f < FIELD_COUNT; f++)
        free(body->fields[f]);
    free(body);
    *own = NULL;
}

/* Pages of other sites can make a browser ask us: by another name of this machine, or from another
 * origin. */
static bool is_own(const struct server *server, struct MHD_Connection *connection)
{
    const char *host = http.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin = http.lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    bool known = false;
    for (size_t h = 0; host && h < 2; h++)
        known |= strcmp(host, server->host[h]) == 0;
    return known &&
           (!origin || (strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0));
}

static enum MHD_Result begin_post(struct MHD_Connection *connection, void **own)
{
    struct body *body = calloc(1, sizeof(*body));
    if (!body)
        return MHD_NO;
    *own = body;
    const char *length =
        http.lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    body->too_long = length && strtoull(length, NULL, 10) > 2 * (unsigned long long)MOST_BYTES;
    if (!body->too_long)
        body->reader = http.create_post_processor(connection, 65536, take_part, body);
    return MHD_YES;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **own)
{
    struct server *server = user;
    struct body *body = *own;
    (void)version;
    if (!is_own(server, connection))
        return send_plain(connection, MHD_HTTP_FORBIDDEN, "this page is for this machine alone\n");
    if (strcmp(method, "GET") == 0)
        return strcmp(url, "/") == 0
                   ? send_text(connection, MHD_HTTP_OK, "text/html; charset=utf-8", form)
                   : send_plain(connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
    if (strcmp(method, "POST") != 0 || strcmp(url, "/report") != 0)
        return send_plain(connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
    if (!body)
        return begin_post(connection, own);
    if (*size) {
        if (body->reader && !body->too_long &&
            http.post_process(body->reader, data, *size) != MHD_YES)
            body->too_long = body->all > MOST_BYTES;
        *size = 0;
        return MHD_YES;
    }
    if (body->too_long)
        return send_plain(connection, 413u, "a request has at most 1 MiB of text\n");
    if (!body->reader)
        return send_plain(connection, MHD_HTTP_BAD_REQUEST, "this is no form\n");
    return answer(server, connection, body);
}

/* ---- the server ---- */

static bool open_context(struct server *server)
{
    const struct session *session = server->session;
    const struct fw_context_options options = {.size = sizeof(options),
                                               .data = session->data,
                                               .headers = session->headers,
                                               .cache = session->cache,
                                               .memory = (size_t)1 << 30,
                                               .message = keep_message,
                                               .user = server,
                                               .question_seconds = QUESTION_SECONDS};
    return fw_context_new(&server->context, &options) == FW_OK;
}

static int listen_and_wait(struct server *server, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    sigset_t ends;
    int ended;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL); /* the server's thread inherits it */
    signal(SIGPIPE, SIG_IGN);
    struct MHD_Daemon *daemon = http.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CLIENTS,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)MOST_CLIENTS_OF_ADDRESS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, NULL, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    if (!daemon) {
        tell_error("CLI004", "serve: nothing can listen at 127.0.0.1:%u: %s", port,
                   strerror(errno));
        return 3;
    }
    const union MHD_DaemonInfo *bound = http.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    unsigned chosen = bound && bound->port ? bound->port : port;
    snprintf(server->host[0], sizeof(server->host[0]), "127.0.0.1:%u", chosen);
    snprintf(server->host[1], sizeof(server->host[1]), "localhost:%u", chosen);
    printf("http://127.0.0.1:%u/\n", chosen);
    fflush(stdout);
    sigwait(&ends, &ended);
    http.stop_daemon(daemon);
    return 0;
}

int page_server_command(struct session *session)
{
    struct server server = {.session = session};
    const char *stated = session->request.values[OPTION_PORT];
    uint64_t port = USUAL_PORT;
    if (session->request.operand_count ||
        (stated && (!options_bytes(&port, stated) || port > 65535))) {
        tell_error("CLI003", "serve takes no FILE, and --port a number up to 65535");
        return 2;
    }
    if (!open_http()) {
        tell_error("CLI005", "serve: libmicrohttpd.so.12 cannot be opened");
        return 3;
    }
    if (!open_context(&server))
        return 3;
    int exit_status = listen_and_wait(&server, (uint16_t)port);
    fw_context_free(server.context);
    return exit_status;
}
