#include "emulate_npy.h"

#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The header's text, a Python dictionary of three known keys. */
struct reader {
    const char *at, *end;
    const char *why; /* the first thing that is wrong; NULL */
};

static void refuse(struct reader *reader, const char *why)
{
    if (!reader->why)
        reader->why = why;
    reader->at = reader->end;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && memchr(" \t\n\r\f\v", *reader->at, 6))
        reader->at++;
}

static bool accept(struct reader *reader, char c)
{
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static void expect(struct reader *reader, char c)
{
    if (!accept(reader, c))
        refuse(reader, "its header is no dictionary of descr, fortran_order and shape");
}

/* A quoted text without escapes into `text`; what is longer is cut, and equals nothing known. */
static void quoted(struct reader *reader, char *text, size_t size)
{
    size_t length = 0;
    skip_space(reader);
    const char quote = reader->at < reader->end ? *reader->at : '\0';
    text[0] = '\0';
    if (quote != '\'' && quote != '"') {
        refuse(reader, "its header is no dictionary of descr, fortran_order and shape");
        return;
    }
    for (reader->at++; reader->at < reader->end && *reader->at != quote; reader->at++)
        if (length + 1 < size)
            text[length++] = *reader->at;
    text[length] = '\0';
    expect(reader, quote);
}

static bool word(struct reader *reader, const char *text)
{
    const size_t length = strlen(text);
    skip_space(reader);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static void description(struct reader *reader, struct fw_npy *out)
{
    skip_space(reader);
    if (reader->at < reader->end && (*reader->at == '[' || *reader->at == '{'))
        refuse(reader, "its elements are structures, which no --arg can hold: save one field");
    else
        quoted(reader, out->description, sizeof(out->description));
}

static void order(struct reader *reader)
{
    if (!word(reader, "True") && !word(reader, "False"))
        refuse(reader, "fortran_order is neither True nor False");
}

/* One extent; Python 2 wrote an L behind it. */
static uint64_t extent(struct reader *reader)
{
    uint64_t value = 0;
    bool any = false;
    skip_space(reader);
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++) {
        any = true;
        if (value > (UINT64_MAX - 9) / 10) {
            refuse(reader, "its shape has more elements than can be counted");
            return 0;
        }
        value = value * 10 + (uint64_t)(*reader->at - '0');
    }
    if (!any)
        refuse(reader, "its shape is no tuple of whole numbers");
    if (reader->at < reader->end && *reader->at == 'L')
        reader->at++;
    return value;
}

static void shape(struct reader *reader, struct fw_npy *out)
{
    bool empty = false;
    out->count = 1;
    if (!accept(reader, '('))
        refuse(reader, "its shape is no tuple of whole numbers");
    while (!reader->why && !accept(reader, ')')) {
        const uint64_t value = extent(reader);
        empty |= value == 0;
        if (value && out->count > (uint64_t)INT64_MAX / value)
            refuse(reader, "its shape has more elements than can be counted");
        else if (value)
            out->count *= value;
        skip_space(reader);
        if (reader->at < reader->end && *reader->at != ')')
            expect(reader, ',');
        else if (reader->at == reader->end)
            refuse(reader, "its shape is no tuple of whole numbers");
    }
    if (empty)
        out->count = 0;
}

static void dictionary(struct reader *reader, struct fw_npy *out)
{
    enum { DESCRIPTION = 1, ORDER = 2, SHAPE = 4, ALL = 7 };
    unsigned seen = 0;
    expect(reader, '{');
    while (!reader->why && !accept(reader, '}')) {
        char key[16];
        quoted(reader, key, sizeof(key));
        expect(reader, ':');
        if (reader->why)
            return;
        const unsigned which = strcmp(key, "descr") == 0           ? DESCRIPTION
                               : strcmp(key, "fortran_order") == 0 ? ORDER
                               : strcmp(key, "shape") == 0         ? SHAPE
                                                                   : 0;
        if (!which || (seen & which))
            refuse(reader, "its header has a key that is unknown or given twice");
        else if (which == DESCRIPTION)
            description(reader, out);
        else if (which == ORDER)
            order(reader);
        else
            shape(reader, out);
        seen |= which;
        skip_space(reader);
        if (reader->at < reader->end && *reader->at != '}')
            expect(reader, ',');
        else if (reader->at == reader->end)
            refuse(reader, "its header is no dictionary of descr, fortran_order and shape");
    }
    if (seen != ALL)
        refuse(reader, "its header lacks descr, fortran_order or shape");
    skip_space(reader);
    if (reader->at < reader->end)
        refuse(reader, "something follows its header's dictionary");
}

/* The type of a dtype; `parts` numbers make one element. */
static const char *find_type(struct fw_npy *out, unsigned *parts)
{
    static const struct {
        const char *text; /* without the order of bytes */
        uint8_t type;
        uint8_t parts;
    } types[] = {{"f2", FW_TYPE_F16, 1}, {"f4", FW_TYPE_F32, 1}, {"f8", FW_TYPE_F64, 1},
                 {"i1", FW_TYPE_S8, 1},  {"i2", FW_TYPE_S16, 1}, {"i4", FW_TYPE_S32, 1},
                 {"i8", FW_TYPE_S64, 1}, {"u1", FW_TYPE_U8, 1},  {"u2", FW_TYPE_U16, 1},
                 {"u4", FW_TYPE_U32, 1}, {"u8", FW_TYPE_U64, 1}, {"b1", FW_TYPE_U8, 1},
                 {"c8", FW_TYPE_F32, 2}, {"c16", FW_TYPE_F64, 2}};
    const char *text = out->description;
    const char ordered = *text;
    if (ordered == '>')
        return "its numbers are big endian: save them as little endian";
    if (ordered == '|' || ordered == '<')
        text++;
    if (*text == 'O')
        return "its elements are Python objects, which are not read";
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        if (strcmp(types[t].text, text) != 0)
            continue;
        if (ordered != '<' && fw_type_bytes((enum fw_type)types[t].type) > 1)
            return "its dtype does not say the order of bytes";
        out->type = (enum fw_type)types[t].type;
        *parts = types[t].parts;
        return NULL;
    }
    return "its dtype is none of f2, f4, f8, i1 to i8, u1 to u8, b1, c8 and c16";
}

const char *fw_npy_read(struct fw_npy *out, const unsigned char *bytes, size_t length,
                        uint64_t file_bytes)
{
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    unsigned parts;
    memset(out, 0, sizeof(*out));
    if (length < 10 || memcmp(bytes, magic, sizeof(magic)) != 0)
        return "it does not begin as an array of NumPy's format";
    const unsigned version = bytes[6];
    if (version < 1 || version > 3 || bytes[7] != 0)
        return "its version is none of 1.0, 2.0 and 3.0";
    const size_t start = version == 1 ? 10 : 12;
    if (length < start)
        return "it ends within its header";
    uint64_t header = bytes[8] | (uint64_t)bytes[9] << 8;
    if (version > 1)
        header |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
    if (header > FW_NPY_MOST_HEADER)
        return "its header is longer than 64 KiB";
    if (length - start < header)
        return "it ends within its header";
    struct reader reader = {.at = (const char *)bytes + start,
                            .end = (const char *)bytes + start + header};
    dictionary(&reader, out);
    if (!reader.why)
        reader.why = find_type(out, &parts);
    if (reader.why)
        return reader.why;
    out->begin = start + header;
    const uint64_t size = (uint64_t)fw_type_bytes(out->type) * parts;
    if (out->count > (uint64_t)INT64_MAX / size)
        return "its shape has more elements than can be counted";
    if (file_bytes < out->begin || (file_bytes - out->begin) / size < out->count)
        return "it is shorter than its shape says";
    out->count *= parts;
    return NULL;
}

enum fw_status fw_npy_read_file(struct fw_npy *out, const char *path, const struct fw_sink *sink)
{
    enum { MOST = FW_NPY_MOST_HEADER + 12 };
    enum fw_status status = FW_ERROR_MACHINE;
    struct stat about;
    const char *why = NULL;
    FILE *file = fw_file_open(path, false, &why);
    unsigned char *bytes = malloc(MOST);
    if (file && bytes && fstat(fileno(file), &about) == 0) {
        const size_t length = fread(bytes, 1, MOST, file);
        why = fw_npy_read(out, bytes, length, (uint64_t)about.st_size);
        status = why ? FW_ERROR_INPUT : FW_OK;
        if (why)
            fw_report_file(sink, FW_ERROR, "EMU008", path, "%s", why);
    } else {
        fw_report_file(sink, FW_ERROR, "EMU006", path, "cannot be read: %s",
                       why ? why : "no memory");
    }
    if (file)
        fclose(file);
    free(bytes);
    return status;
}
