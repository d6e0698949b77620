/* serve, in a build without libmicrohttpd. */
#include "command.h"

int page_server_command(struct session *session)
{
    (void)session;
    tell_error("CLI005", "serve: this program was built without libmicrohttpd");
    return 3;
}
