/* What src/compile/machine_code.h promises, of a cubin that is made here. */
#include "machine_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sections: none, names, symbols' names, symbols, .nv.info, .text.attention. */
enum { SECTIONS = 6, HEADER = 64, ENTRY = 64, TABLE = 1024, BYTES = TABLE + SECTIONS * ENTRY };
enum { NAMES_AT = 64, TEXTS_AT = 160, SYMBOLS_AT = 192, INFO_AT = 256, CODE_AT = 320 };

static void put(char *at, uint64_t value, int bytes)
{
    for (int b = 0; b < bytes; b++)
        at[b] = (char)(value >> 8 * b & 0xff);
}

static void section(char *file, int index, uint32_t name, uint32_t type, uint64_t at,
                    uint64_t bytes, uint32_t link)
{
    char *entry = file + TABLE + ENTRY * index;
    put(entry, name, 4);
    put(entry + 4, type, 4);
    put(entry + 24, at, 8);
    put(entry + 32, bytes, 8);
    put(entry + 40, link, 4);
}

/* The kernel "attention" with 255 registers and a frame of 24 bytes, whose instructions are those
 * that ptxas 13.0 wrote for sm_90: two stores and a load of 4 bytes, a load of 16, one that is of
 * no memory. */
static void make(char file[BYTES])
{
    static const uint64_t code[][2] = {{0xfa01007387, 0xfe20000100800},
                                       {0x4f901007387, 0xfe20000100800},
                                       {0x1f97983, 0xee20000300800},
                                       {0x1f97983, 0xee20000300c00},
                                       {0x7918, 0xfc00000000000}};
    static const char names[] = "\0.shstrtab\0.strtab\0.symtab\0.nv.info\0.text.attention";
    static const char info[] = "\x04\x2f\x08\0\x01\0\0\0\xff\0\0\0"
                               "\x03\x50\0\0"
                               "\x04\x11\x08\0\x01\0\0\0\x18\0\0\0";
    memset(file, 0, BYTES);
    memcpy(file, "\177ELF\x02\x01\x01\x41\x08", 9);
    put(file + 18, 190, 2);
    put(file + 40, TABLE, 8);
    put(file + 48, 0x9005a04, 4);
    put(file + 58, ENTRY, 2);
    put(file + 60, SECTIONS, 2);
    put(file + 62, 1, 2);
    memcpy(file + NAMES_AT, names, sizeof(names));
    memcpy(file + TEXTS_AT + 1, "attention", 10);
    put(file + SYMBOLS_AT + 24, 1, 4);
    memcpy(file + INFO_AT, info, sizeof(info) - 1);
    for (size_t i = 0; i < sizeof(code) / sizeof(*code); i++)
        for (int half = 0; half < 2; half++)
            put(file + CODE_AT + 16 * i + 8 * half, code[i][half], 8);
    section(file, 1, 1, 3, NAMES_AT, sizeof(names), 0);
    section(file, 2, 11, 3, TEXTS_AT, 11, 0);
    section(file, 3, 19, 2, SYMBOLS_AT, 48, 2);
    section(file, 4, 27, 0x70000000, INFO_AT, sizeof(info) - 1, 3);
    section(file, 5, 36, 1, CODE_AT, sizeof(code), 3);
}

static void resources_are_those_of_the_machine_code(void **state)
{
    (void)state;
    char file[BYTES];
    struct fw_assembly assembly;
    unsigned capability = 0;
    struct fw_arena *arena = fw_arena_new(0);
    make(file);
    assert_true(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    assert_int_equal(capability, 90);
    assert_int_equal(assembly.kernels.count, 1);
    const struct fw_assembled *kernel = fw_assembly_find(&assembly, "attention");
    assert_non_null(kernel);
    assert_int_equal(kernel->registers, 255);
    assert_int_equal(kernel->stack_bytes, 24);
    assert_int_equal(kernel->spill_store_bytes, 8);
    assert_int_equal(kernel->spill_load_bytes, 20);
    put(file + 8, 7, 1); /* an earlier ABI has the architecture in the lowest bits */
    put(file + 48, 0x505056, 4);
    assert_true(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    assert_int_equal(capability, 86);
    fw_arena_free(arena);
}

/* Instructions that ptxas 13.4 wrote of two kernels: HGMMA with and without a group of its own,
 * waits for all groups and for all but one. */
static void products_are_serial_where_each_is_waited_for(void **state)
{
    (void)state;
    static const uint64_t product[2] = {0x1e000000c1879f0, 0xfe20008700818};
    static const uint64_t ends_group[2] = {0x1e0000c985879f0, 0xfe80008000858};
    static const uint64_t of_registers[2] = {0x41e0000c98587df0, 0xfe80008000858};
    static const uint64_t arrive[2] = {0x79c5, 0xfcc0000000000};
    static const uint64_t wait[2] = {0x8000000079c5, 0xfe40000010000};
    static const uint64_t wait_but_one[2] = {0x8000000079c5, 0xfe40000010100};
    static const struct {
        const uint64_t *code[5];
        bool serial;
    } cases[] = {{{ends_group, wait, arrive, of_registers, wait}, true},
                 {{product, ends_group, arrive, ends_group, wait}, false},
                 {{ends_group, wait, product, of_registers, wait}, false},
                 {{ends_group, wait_but_one, arrive, ends_group, wait}, false},
                 {{ends_group, wait, arrive, arrive, arrive}, false}};
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        char file[BYTES];
        struct fw_assembly assembly;
        unsigned capability = 0;
        struct fw_arena *arena = fw_arena_new(0);
        make(file);
        for (int i = 0; i < 5; i++)
            for (int half = 0; half < 2; half++)
                put(file + CODE_AT + 16 * i + 8 * half, cases[c].code[i][half], 8);
        assert_true(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
        assert_int_equal(assembly.kernels.at[0].wgmma_serialized, cases[c].serial);
        fw_arena_free(arena);
    }
}

static void what_cannot_be_is_not_believed(void **state)
{
    (void)state;
    char file[BYTES];
    struct fw_assembly assembly;
    unsigned capability;
    struct fw_arena *arena = fw_arena_new(0);
    make(file);
    put(file + INFO_AT + 8, 256, 4); /* registers */
    assert_false(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    make(file);
    put(file + INFO_AT + 8, 0, 4);
    assert_false(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    make(file);
    put(file + 18, 62, 2); /* of another machine */
    assert_false(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    make(file);
    put(file + 48, 0x3c, 4); /* for 6.0, whose instructions are others */
    put(file + 8, 7, 1);
    assert_false(fw_machine_code_read(&assembly, &capability, arena, file, BYTES));
    assert_false(fw_machine_code_read(&assembly, &capability, arena, "PTX", 3));
    fw_arena_free(arena);
}

/* No damage of a byte, and no shorter file, reads beyond the end: sanitizers see it. */
static void damage_is_survived(void **state)
{
    (void)state;
    char whole[BYTES];
    struct fw_arena *arena = fw_arena_new(0);
    make(whole);
    for (size_t at = 0; at < BYTES; at++)
        for (int with = 0; with < 3; with++) {
            static const char bytes[] = {'\x00', '\x7f', '\xff'};
            struct fw_assembly assembly;
            unsigned capability;
            size_t length = with ? BYTES : at;
            char *file = malloc(length ? length : 1);
            assert_non_null(file);
            memcpy(file, whole, length);
            if (with)
                file[at] = bytes[with];
            if (fw_machine_code_read(&assembly, &capability, arena, file, length))
                assert_true(assembly.kernels.count > 0);
            free(file);
        }
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resources_are_those_of_the_machine_code),
        cmocka_unit_test(products_are_serial_where_each_is_waited_for),
        cmocka_unit_test(what_cannot_be_is_not_believed),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
