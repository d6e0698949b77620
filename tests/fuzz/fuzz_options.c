/* Any lines are arguments of the command line: they make a request, or are refused. */
#include "fuzzing.h"
#include "options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 300 };
    static struct request request;
    char *text = malloc(size + 1), *arguments[MOST + 2] = {(char[]){"forewarp"}};
    int count = 1;
    uint32_t triple[3];
    uint64_t bytes;
    if (!text)
        fail("there is no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at && count < MOST; count++) {
        char *end = strchr(at, '\n');
        arguments[count] = at;
        if (end)
            *end = '\0';
        at = end ? end + 1 : NULL;
        options_triple(triple, arguments[count]);
        options_bytes(&bytes, arguments[count]);
    }
    optind = 0; /* getopt begins anew */
    if (options_read(&request, count, arguments) &&
        (request.operand_count < 0 || request.operand_count > count))
        fail("operands that are none");
    free(text);
    return 0;
}
