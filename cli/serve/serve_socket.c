/* predict --serve --socket: requests of several clients, one after the other.
 *
 * The socket is the user's own alone.  A client has at most one request answered before the next
 * client's turn, and none while its replies are not read: what it asks is bounded by what it takes.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_CLIENTS = 64, WAITING = 16, OUT_ENOUGH = 1 << 18, IN_SIZE = 2 * FW_REQUEST_MOST };

struct client {
    int socket; /* -1: the place is free */
    char *in;   /* IN_SIZE bytes, of which `length` are there */
    size_t length;
    char *out; /* replies that were not taken yet */
    size_t out_length, out_sent;
    uint64_t line;
    bool ended, dropping; /* it sends no more; the rest of a line that is too long */
};

struct server {
    struct fw_service *service;
    int listening;
    struct client clients[MOST_CLIENTS];
};

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

static void drop(struct client *client)
{
    close(client->socket);
    free(client->in);
    free(client->out);
    *client = (struct client){.socket = -1};
}

/* ---- one client ---- */

static bool add_reply(struct client *client, const char *reply)
{
    size_t length = strlen(reply), left = client->out_length - client->out_sent;
    char *out = malloc(left + length + 1);
    if (!out)
        return false;
    if (left)
        memcpy(out, client->out + client->out_sent, left);
    memcpy(out + left, reply, length + 1);
    free(client->out);
    client->out = out;
    client->out_length = left + length;
    client->out_sent = 0;
    return true;
}

/* The length of the first request that is there, its newline included; 0: none is complete. */
static size_t first_request(const struct client *client)
{
    const char *newline = client->length ? memchr(client->in, '\n', client->length) : NULL;
    if (newline)
        return (size_t)(newline - client->in) + 1;
    return client->ended || client->length > FW_REQUEST_MOST ? client->length : 0;
}

static bool is_ready(const struct client *client)
{
    return client->socket >= 0 && client->out_length - client->out_sent < OUT_ENOUGH &&
           first_request(client) > 0;
}

static void answer(struct server *server, struct client *client)
{
    size_t length = first_request(client), text = length;
    bool whole = client->in[length - 1] == '\n', good = true;
    const char *reply;
    while (text && strchr("\n\r\t ", client->in[text - 1]))
        text--;
    client->line += !client->dropping;
    if (text && !client->dropping)
        good = fw_service_ask(&reply, server->service, client->line, client->in, text) == FW_OK &&
               add_reply(client, reply);
    client->dropping = !whole;
    client->length -= length;
    memmove(client->in, client->in + length, client->length);
    if (!good)
        drop(client);
}

static void receive(struct client *client)
{
    ssize_t count = recv(client->socket, client->in + client->length, IN_SIZE - client->length, 0);
    if (count > 0)
        client->length += (size_t)count;
    else if (count == 0)
        client->ended = true;
    else if (errno != EINTR && errno != EAGAIN)
        drop(client);
}

static void hand_out(struct client *client)
{
    ssize_t count = send(client->socket, client->out + client->out_sent,
                         client->out_length - client->out_sent, MSG_NOSIGNAL);
    if (count > 0)
        client->out_sent += (size_t)count;
    else if (count < 0 && errno != EINTR && errno != EAGAIN)
        drop(client);
}

/* ---- all of them ---- */

static void accept_client(struct server *server)
{
    int socket = accept(server->listening, NULL, NULL);
    for (size_t c = 0; c < MOST_CLIENTS && socket >= 0; c++) {
        struct client *client = &server->clients[c];
        if (client->socket >= 0)
            continue;
        *client = (struct client){.socket = socket, .in = malloc(IN_SIZE)};
        fcntl(socket, F_SETFL, O_NONBLOCK);
        fcntl(socket, F_SETFD, FD_CLOEXEC);
        if (!client->in)
            drop(client);
        return;
    }
    if (socket >= 0)
        close(socket);
}

/* One turn: who can be heard or told something is, and each who is ready has one answer. */
static void turn(struct server *server)
{
    struct pollfd polled[MOST_CLIENTS + 1];
    bool any = false, room = false;
    for (size_t c = 0; c < MOST_CLIENTS; c++) {
        const struct client *client = &server->clients[c];
        bool full = client->length == IN_SIZE;
        polled[c] = (struct pollfd){.fd = client->socket};
        if (client->socket >= 0 && !client->ended && !full && !is_ready(client))
            polled[c].events |= POLLIN;
        if (client->out_sent < client->out_length)
            polled[c].events |= POLLOUT;
        any |= is_ready(client);
        room |= client->socket < 0;
    }
    polled[MOST_CLIENTS] = (struct pollfd){.fd = room ? server->listening : -1, .events = POLLIN};
    if (poll(polled, MOST_CLIENTS + 1, any ? 0 : 1000) < 0)
        return;
    for (size_t c = 0; c < MOST_CLIENTS; c++) {
        struct client *client = &server->clients[c];
        if (polled[c].revents & POLLIN)
            receive(client);
        if (client->socket >= 0 && (polled[c].revents & POLLOUT))
            hand_out(client);
        if (client->socket >= 0 && (polled[c].revents & (POLLERR | POLLNVAL)))
            drop(client);
        if (is_ready(client))
            answer(server, client);
        if (client->socket >= 0 && client->ended && !client->length &&
            client->out_sent == client->out_length)
            drop(client);
    }
    if (polled[MOST_CLIENTS].revents & POLLIN)
        accept_client(server);
}

/* A socket that nobody listens at is left from before. */
static bool is_left(const struct sockaddr_un *address)
{
    struct stat about;
    if (lstat(address->sun_path, &about) != 0 || !S_ISSOCK(about.st_mode))
        return false;
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    bool refused = probe >= 0 &&
                   connect(probe, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
                   errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    return refused;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(address.sun_path)) {
        tell_error("CLI007", "the path of a socket has at most %zu bytes: %s",
                   sizeof(address.sun_path) - 1, path);
        return -1;
    }
    strcpy(address.sun_path, path);
    if (is_left(&address))
        unlink(path);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177); /* the user's own */
    bool good = listening >= 0 &&
                bind(listening, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
                listen(listening, WAITING) == 0;
    umask(before);
    if (good)
        return listening;
    tell_error("CLI007", "there can be no socket %s: %s", path, strerror(errno));
    if (listening >= 0)
        close(listening);
    return -1;
}

int serve_socket(struct fw_service *service, const char *path)
{
    struct sigaction action = {.sa_handler = stop};
    struct server *server = calloc(1, sizeof(*server));
    if (!server)
        return 3;
    server->service = service;
    for (size_t c = 0; c < MOST_CLIENTS; c++)
        server->clients[c].socket = -1;
    server->listening = listen_at(path);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    int exit_status = server->listening >= 0 ? 0 : 3;
    while (exit_status == 0 && !stopped)
        turn(server);
    for (size_t c = 0; c < MOST_CLIENTS; c++)
        if (server->clients[c].socket >= 0)
            drop(&server->clients[c]);
    if (server->listening >= 0) {
        close(server->listening);
        unlink(path);
    }
    free(server);
    return exit_status;
}
