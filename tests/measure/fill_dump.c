/* Prints the first content of every buffer of a plan in hexadecimal, and every scalar's bytes. */
#include "measure_plan.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    struct fw_plan plan;
    struct fw_growing text = {0};
    struct fw_reason reason;
    if (count != 2 || !fw_file_read(&text, arguments[1], &reason) ||
        !fw_plan_read(&plan, arguments[1], text.text, &reason))
        return 1;
    const struct fw_configuration *one = &plan.configurations[0];
    for (size_t i = 0; i < one->argument_count; i++) {
        const struct fw_argument *argument = &one->arguments[i];
        unsigned char *bytes = fw_measure_memory(argument->bytes, 1);
        if (argument->kind == FW_ARGUMENT_BUFFER)
            fw_buffer_fill(argument, i, bytes);
        for (uint64_t j = 0; j < argument->bytes; j++)
            printf("%02x", argument->kind == FW_ARGUMENT_BUFFER ? bytes[j] : argument->scalar[j]);
        printf("\n");
        free(bytes);
    }
    fw_plan_free(&plan);
    free(text.text);
    return 0;
}
