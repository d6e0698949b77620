/* Fat binaries (fatbin_reader.h). */
#include "fatbin_reader.h"

#include "text.h"

#include <string.h>
#ifdef FW_HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    FILE_HEADER = 16,
    PART_HEADER = 64,
    KIND_PTX = 1,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    LZ4_RATIO = 255, /* more bytes do not come of one */
    LARGEST = 256 << 20
};

static const uint32_t MAGIC = 0xba55ed50;

/* A module of PTX in the file. */
struct part {
    size_t at; /* of its content */
    size_t length, decompressed;
    unsigned architecture;
    bool is_lz4, is_zstd;
};

struct reading {
    const struct fw_source *file;
    struct fw_arena *arena;
    const struct fw_sink *sink;
    FW_VECTOR(struct part) parts; /* of PTX */
    bool any;                     /* there is a fat binary */
    unsigned machine_code;        /* parts that are none; their newest architecture */
};

/* Little-endian, of 2, 4 or 8 bytes. */
static uint64_t number(const struct reading *reading, size_t at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned b = bytes; b-- > 0;)
        value = value << 8 | (unsigned char)reading->file->text[at + b];
    return value;
}

static enum fw_status damaged(const struct reading *reading, size_t at, const char *what)
{
    fw_report_file(reading->sink, FW_ERROR, "FAT002", reading->file->name,
                   "the fat binary is damaged at byte %zu: %s", at, what);
    return FW_ERROR_INPUT;
}

bool fw_fatbin_begins(const char *bytes, size_t length)
{
    static const char magic[] = "\x50\xed\x55\xba", elf[] = "\177ELF";
    return length >= 4 && (memcmp(bytes, magic, 4) == 0 || memcmp(bytes, elf, 4) == 0);
}

/* The part with its header at `at`, within `end`; its end in `*next`. */
static enum fw_status read_part(struct reading *reading, size_t at, size_t end, size_t *next)
{
    if (end - at < PART_HEADER)
        return damaged(reading, at, "the header of a part is cut off");
    uint64_t header = number(reading, at + 4, 4), content = number(reading, at + 8, 8);
    uint64_t flags = number(reading, at + 40, 8);
    if (header < PART_HEADER || header > end - at || content > end - at - header)
        return damaged(reading, at, "a part is longer than what holds it");
    struct part part = {.at = at + (size_t)header,
                        .length = (size_t)content,
                        .decompressed = (size_t)content,
                        .architecture = (unsigned)number(reading, at + 28, 4),
                        .is_lz4 = flags & FLAG_LZ4,
                        .is_zstd = flags & FLAG_ZSTD};
    *next = part.at + part.length;
    if (number(reading, at, 2) != KIND_PTX) {
        if (part.architecture > reading->machine_code)
            reading->machine_code = part.architecture;
        return FW_OK;
    }
    if (part.is_lz4 || part.is_zstd) {
        uint64_t packed = number(reading, at + 16, 4), whole = number(reading, at + 56, 8);
        if (packed > content)
            return damaged(reading, at, "more is compressed than there is");
        if (whole > LARGEST || (part.is_lz4 && whole > packed * LZ4_RATIO))
            return damaged(reading, at, "the size of what is compressed makes no sense");
        part.length = (size_t)packed;
        part.decompressed = (size_t)whole;
    }
    *FW_APPEND(reading->arena, &reading->parts) = part;
    return FW_OK;
}

/* All fat binaries of the file. */
static enum fw_status find_parts(struct reading *reading)
{
    enum { ALIGNED = 8 };
    size_t length = reading->file->length;
    enum fw_status status = FW_OK;
    for (size_t at = 0; at + FILE_HEADER <= length && !status; at += ALIGNED) {
        if (number(reading, at, 4) != MAGIC || number(reading, at + 4, 2) != 1)
            continue;
        uint64_t header = number(reading, at + 6, 2), content = number(reading, at + 8, 8);
        if (header < FILE_HEADER || header > length - at || content > length - at - header) {
            if (at == 0)
                return damaged(reading, at, "its parts are cut off");
            continue; /* the number stands there by chance */
        }
        size_t next = at + (size_t)header, end = next + (size_t)content;
        reading->any = true;
        while (next < end && !status)
            status = read_part(reading, next, end, &next);
        at = (end - 1) / ALIGNED * ALIGNED; /* the last place that this one covers */
    }
    return status;
}

static enum fw_status no_ptx(const struct reading *reading)
{
    const char *note = "nvcc keeps PTX beside machine code with -gencode "
                       "arch=compute_90,code=compute_90; libraries of kernels often have none";
    const struct fw_source whole = {reading->file->name, "", 0};
    if (!reading->any)
        fw_report_notes(reading->sink, FW_ERROR, "FAT001", fw_span_of_source(&whole), &note, 1,
                        "there is no PTX in it: an ELF file (a cubin, an object or a program) "
                        "without a fat binary");
    else if (reading->machine_code)
        fw_report_notes(reading->sink, FW_ERROR, "FAT001", fw_span_of_source(&whole), &note, 1,
                        "there is no PTX in it, only machine code (the newest for sm_%u)",
                        reading->machine_code);
    else
        fw_report_notes(reading->sink, FW_ERROR, "FAT001", fw_span_of_source(&whole), &note, 1,
                        "there is no PTX in it");
    return FW_ERROR_INPUT;
}

/* The architecture to take; see fw_fatbin_ptx. */
static unsigned choose(const struct reading *reading, unsigned capability)
{
    unsigned best = 0, oldest = UINT32_MAX;
    for (size_t p = 0; p < reading->parts.count; p++) {
        unsigned own = reading->parts.at[p].architecture;
        if ((!capability || own <= capability) && own > best)
            best = own;
        oldest = own < oldest ? own : oldest;
    }
    return best ? best : oldest;
}

/* The text of a part, into `text` of `decompressed` bytes. */
static enum fw_status unpack(const struct reading *reading, const struct part *part, char *text)
{
    const char *from = reading->file->text + part->at;
    if (part->is_lz4)
        return fw_lz4_block(text, part->decompressed, from, part->length)
                   ? FW_OK
                   : damaged(reading, part->at, "its LZ4 data make no sense");
    if (!part->is_zstd) {
        memcpy(text, from, part->length);
        return FW_OK;
    }
#ifdef FW_HAVE_ZSTD
    size_t done = ZSTD_decompress(text, part->decompressed, from, part->length);
    return !ZSTD_isError(done) && done == part->decompressed
               ? FW_OK
               : damaged(reading, part->at, "its zstd data make no sense");
#else
    fw_report_file(reading->sink, FW_ERROR, "FAT003", reading->file->name,
                   "its PTX is compressed with zstd, and forewarp was built without: nvcc "
                   "--no-compress leaves it as it is");
    return FW_ERROR_INPUT;
#endif
}

/* Of a further module, the directives that a text has once become blanks. */
static void blank_header(char *text)
{
    static const char *const once[] = {".version", ".target", ".address_size"};
    for (char *line = text; line && *line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        for (size_t d = 0; d < sizeof(once) / sizeof(once[0]); d++)
            if (strncmp(line, once[d], strlen(once[d])) == 0)
                memset(line, ' ', strcspn(line, "\r\n"));
    }
}

enum fw_status fw_fatbin_ptx(struct fw_source *ptx, struct fw_arena *arena,
                             const struct fw_source *file, unsigned capability,
                             const struct fw_sink *sink)
{
    struct reading reading = {.file = file, .arena = arena, .sink = sink};
    size_t total = 0, length = 0;
    enum fw_status status = find_parts(&reading);
    if (status)
        return status;
    if (!reading.parts.count)
        return no_ptx(&reading);
    unsigned architecture = choose(&reading, capability);
    for (size_t p = 0; p < reading.parts.count; p++)
        if (reading.parts.at[p].architecture == architecture)
            total += reading.parts.at[p].decompressed + 2;
    if (total > LARGEST)
        return damaged(&reading, 0, "its PTX is larger than 256 MiB");
    char *text = fw_arena_alloc(arena, total + 1);
    for (size_t p = 0; p < reading.parts.count && !status; p++) {
        const struct part *part = &reading.parts.at[p];
        if (part->architecture != architecture)
            continue;
        char *own = text + length;
        status = unpack(&reading, part, own);
        own[part->decompressed] = '\0'; /* what follows it in the text is not written yet */
        if (status)
            break;
        length += strlen(own); /* contents are filled up with zero bytes */
        if (own != text)
            blank_header(own);
        text[length++] = '\n';
    }
    text[status ? 0 : length] = '\0';
    *ptx = (struct fw_source){fw_arena_printf(arena, "%s (its PTX)", file->name), text, length};
    return status;
}
