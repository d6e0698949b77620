/* Replays a corpus without a fuzzer: feeds each file named on the command line, or each file of a
 * folder, to LLVMFuzzerTestOneInput.  Fails when there was nothing to feed. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned fed;

static int feed(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t size = 0, capacity = 4096, got;
    uint8_t *data = malloc(capacity);
    if (!file || !data) {
        perror(name);
        exit(1);
    }
    while ((got = fread(data + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity && !(data = realloc(data, capacity *= 2)))
            exit(1);
    }
    fclose(file);
    fed++;
    int result = LLVMFuzzerTestOneInput(data, size);
    free(data);
    return result;
}

static int feed_folder(DIR *folder, const char *name)
{
    const struct dirent *entry;
    int failed = 0;
    while ((entry = readdir(folder)) != NULL) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
        failed |= feed(path);
    }
    return failed;
}

int main(int count, char **arguments)
{
    int failed = 0;
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(arguments[i]);
        failed |= folder ? feed_folder(folder, arguments[i]) : feed(arguments[i]);
        if (folder)
            closedir(folder);
    }
    printf("%u inputs\n", fed);
    return failed || fed == 0;
}
