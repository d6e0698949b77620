#include "machine_code.h"

#include <string.h>

enum {
    MACHINE_CUDA = 190,
    SYMBOLS = 2,          /* type of a section */
    NEW_FLAGS = 8,        /* version of the ABI from which flags have the architecture higher up */
    LEAST_CAPABILITY = 70 /* instructions have 16 bytes from there on */
};
enum { INFO_SIZED = 4, INFO_FRAME = 0x11, INFO_REGISTERS = 0x2f };
enum { MOST_KERNELS = 256, MOST_REGISTERS = 255 };
enum { INSTRUCTION = 16, OPERATION = 0xfff, STORE_LOCAL = 0x387, LOAD_LOCAL = 0x983 };

struct elf {
    const uint8_t *bytes;
    size_t length;
    uint64_t sections, names; /* where the table of sections begins, and the section of its names */
    uint32_t count;
};

struct section {
    const char *name;
    uint32_t type, link;
    uint64_t at, bytes;
};

static uint64_t number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int b = bytes - 1; b >= 0; b--)
        value = value << 8 | at[b];
    return value;
}

static bool within(const struct elf *elf, uint64_t at, uint64_t bytes)
{
    return at <= elf->length && bytes <= elf->length - at;
}

/* A text of a section of texts; "" where there is none. */
static const char *text_at(const struct elf *elf, uint64_t begin, uint64_t bytes, uint64_t at)
{
    if (!within(elf, begin, bytes) || at >= bytes ||
        !memchr(elf->bytes + begin + at, 0, bytes - at))
        return "";
    return (const char *)elf->bytes + begin + at;
}

static struct section section_at(const struct elf *elf, uint64_t index)
{
    enum { ENTRY = 64 };
    const uint8_t *at = elf->bytes + elf->sections + ENTRY * index;
    const uint8_t *names = elf->bytes + elf->sections + ENTRY * elf->names;
    struct section section = {"", (uint32_t)number(at + 4, 4), (uint32_t)number(at + 40, 4),
                              number(at + 24, 8), number(at + 32, 8)};
    section.name = text_at(elf, number(names + 24, 8), number(names + 32, 8), number(at, 4));
    return section;
}

static bool open_elf(struct elf *elf, unsigned *capability, const char *bytes, size_t length)
{
    enum { HEADER = 64, ENTRY = 64, LITTLE_64 = 0x0102 };
    *elf = (struct elf){(const uint8_t *)bytes, length, 0, 0, 0};
    if (length < HEADER || memcmp(bytes, "\177ELF", 4) != 0 ||
        number(elf->bytes + 4, 2) != LITTLE_64 || number(elf->bytes + 18, 2) != MACHINE_CUDA)
        return false;
    uint64_t flags = number(elf->bytes + 48, 4);
    *capability = (unsigned)((elf->bytes[8] >= NEW_FLAGS ? flags >> 8 : flags) & 0xff);
    elf->sections = number(elf->bytes + 40, 8);
    elf->count = (uint32_t)number(elf->bytes + 60, 2);
    elf->names = number(elf->bytes + 62, 2);
    return *capability >= LEAST_CAPABILITY && elf->names < elf->count &&
           number(elf->bytes + 58, 2) == ENTRY &&
           within(elf, elf->sections, (uint64_t)ENTRY * elf->count);
}

static const char *symbol_name(const struct elf *elf, const struct section *symbols, uint64_t index)
{
    enum { ENTRY = 24 };
    if (!symbols->name || !within(elf, symbols->at, symbols->bytes) ||
        index >= symbols->bytes / ENTRY || symbols->link >= elf->count)
        return "";
    struct section names = section_at(elf, symbols->link);
    return text_at(elf, names.at, names.bytes, number(elf->bytes + symbols->at + ENTRY * index, 4));
}

static struct fw_assembled *kernel_called(struct fw_assembly *assembly, const char *name)
{
    for (size_t k = 0; k < assembly->kernels.count; k++)
        if (strcmp(assembly->kernels.at[k].entry, name) == 0)
            return &assembly->kernels.at[k];
    return NULL;
}

/* Registers and frames of functions that .nv.info names. */
static void read_info(struct fw_assembly *assembly, struct fw_arena *arena, const struct elf *elf,
                      const struct section *info, const struct section *symbols)
{
    const uint8_t *at = elf->bytes + info->at, *end = at + info->bytes;
    while (end - at >= 4) {
        uint64_t sized = at[0] == INFO_SIZED ? number(at + 2, 2) : 0;
        uint8_t attribute = at[1];
        at += 4;
        if (sized > (uint64_t)(end - at))
            return;
        if (sized == 8 && (attribute == INFO_REGISTERS || attribute == INFO_FRAME)) {
            const char *name = symbol_name(elf, symbols, number(at, 4));
            struct fw_assembled *kernel = kernel_called(assembly, name);
            if (!kernel && name[0] && assembly->kernels.count < MOST_KERNELS) {
                kernel = FW_APPEND(arena, &assembly->kernels);
                kernel->entry = fw_arena_text(arena, name, strlen(name));
            }
            if (kernel && attribute == INFO_REGISTERS)
                kernel->registers = (uint32_t)number(at + 4, 4);
            else if (kernel)
                kernel->stack_bytes = (uint32_t)number(at + 4, 4);
        }
        at += sized;
    }
}

/* Bytes that a thread's local stores and loads move, each instruction once. */
static void count_local(struct fw_assembled *kernel, const struct elf *elf,
                        const struct section *text)
{
    static const uint32_t width[] = {1, 1, 2, 2, 4, 8, 16, 0};
    for (uint64_t i = 0; i + INSTRUCTION <= text->bytes; i += INSTRUCTION) {
        const uint8_t *at = elf->bytes + text->at + i;
        uint64_t operation = number(at, 2) & OPERATION;
        uint32_t bytes = width[number(at + 8, 2) >> 9 & 7];
        kernel->spill_store_bytes += operation == STORE_LOCAL ? bytes : 0;
        kernel->spill_load_bytes += operation == LOAD_LOCAL ? bytes : 0;
    }
}

/* Whether each of its products (HGMMA, QGMMA, IGMMA, BGMMA) is a group of its own and waited for
 * before the next one, as an assembler has them that runs out of registers; one product alone is
 * no sequence. */
static bool waits_for_each_product(const struct elf *elf, const struct section *text)
{
    enum { PRODUCT = 0x9f0, KINDS = 0xbfc, GROUP_AT = 20, NO_GROUP = 7 };
    enum { GROUPS = 0x9c5, WAITS = 1 << 15, LEFT_AT = 8, MOST_LEFT = 0xff };
    uint64_t products = 0;
    bool waited = true;
    for (uint64_t i = 0; i + INSTRUCTION <= text->bytes && waited; i += INSTRUCTION) {
        const uint8_t *at = elf->bytes + text->at + i;
        uint64_t operation = number(at, 2) & OPERATION, modifiers = number(at + 8, 4);
        if ((operation & KINDS) == (PRODUCT & KINDS)) {
            waited = (modifiers >> GROUP_AT & NO_GROUP) != NO_GROUP;
            for (i += INSTRUCTION; waited && i + INSTRUCTION <= text->bytes; i += INSTRUCTION) {
                at = elf->bytes + text->at + i;
                operation = number(at, 2) & OPERATION;
                waited = (operation & KINDS) != (PRODUCT & KINDS);
                if (operation == GROUPS && number(at + 4, 2) & WAITS &&
                    !(number(at + 8, 4) >> LEFT_AT & MOST_LEFT))
                    break;
            }
            products++;
        }
    }
    return waited && products > 1;
}

/* Sections may overlap in a damaged file: no more is looked at than the file has bytes. */
static void read_code(struct fw_assembly *assembly, const struct elf *elf)
{
    static const char code[] = ".text.";
    uint64_t left = elf->length;
    for (uint32_t s = 0; s < elf->count; s++) {
        struct section section = section_at(elf, s);
        struct fw_assembled *kernel = NULL;
        if (strncmp(section.name, code, sizeof(code) - 1) == 0)
            kernel = kernel_called(assembly, section.name + sizeof(code) - 1);
        if (!kernel || !within(elf, section.at, section.bytes) || section.bytes > left)
            continue;
        count_local(kernel, elf, &section);
        kernel->wgmma_serialized = waits_for_each_product(elf, &section);
        left -= section.bytes;
    }
}

bool fw_machine_code_read(struct fw_assembly *assembly, unsigned *capability,
                          struct fw_arena *arena, const char *bytes, size_t length)
{
    struct elf elf;
    struct section symbols = {0}, info = {0};
    *assembly = (struct fw_assembly){.version = "machine code"};
    if (!open_elf(&elf, capability, bytes, length))
        return false;
    for (uint32_t s = 0; s < elf.count; s++) {
        struct section section = section_at(&elf, s);
        if (section.type == SYMBOLS)
            symbols = section;
        if (strcmp(section.name, ".nv.info") == 0)
            info = section;
    }
    if (info.name && within(&elf, info.at, info.bytes))
        read_info(assembly, arena, &elf, &info, &symbols);
    read_code(assembly, &elf);
    assembly->known = assembly->kernels.count > 0;
    for (size_t k = 0; k < assembly->kernels.count; k++) {
        uint32_t registers = assembly->kernels.at[k].registers;
        assembly->known &= registers > 0 && registers <= MOST_REGISTERS;
    }
    if (!assembly->known)
        assembly->kernels.count = 0;
    return assembly->known;
}
