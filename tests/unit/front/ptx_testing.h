/* What the tests of the PTX reader share. */
#ifndef PTX_TESTING_H
#define PTX_TESTING_H

#include "ptx_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

extern struct fw_arena *arena;
extern struct fw_buffer diagnostics; /* of the last reading, rendered */

#define HEAD ".version 8.6\n.target sm_90a\n.address_size 64\n"
#define REGISTERS                                                                                  \
    ".reg .pred %p<10>; .reg .b16 %rs<10>; .reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .f32 %f<20>;" \
    ".reg .f64 %fd<10>; .reg .b128 %rq<4>;\n"

/* Reads from the arena; diagnostics are rendered into `diagnostics`. */
enum fw_status read_bytes(struct fw_module **module, const char *text, size_t length);
/* Fails unless the text is read; it must print, read again and print the same. */
struct fw_module *read_good(const char *text);
/* The kernel with this body and declared REGISTERS, read without errors. */
struct fw_function *read_body(const char *body);
/* The status of a text that must be refused. */
enum fw_status read_bad(const char *text);
void assert_reported(const char *what);
/* A kernel with this body must be refused with `code` among the diagnostics. */
void bad_body(const char *body, const char *code);
int set_up(void **state);
int tear_down(void **state);

/* A literal with zero bytes in it. */
#define READ_LITERAL(module, text) read_bytes(module, text, sizeof(text) - 1)

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
