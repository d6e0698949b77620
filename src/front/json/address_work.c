/* What a thread does beside its accesses: operations by type, which of them wait for each other,
 * and how many instructions it issues in all; at each point, and in each turn of a loop. */
#include "address_internal.h"

#include <string.h>

/* X(name, group, flops of a float) */
#define OPERATIONS(X)                                                                              \
    X("add", ARITHMETIC, 1)                                                                        \
    X("sub", ARITHMETIC, 1)                                                                        \
    X("mul", ARITHMETIC, 1)                                                                        \
    X("fma", ARITHMETIC, 2)                                                                        \
    X("mad", ARITHMETIC, 0)                                                                        \
    X("mad.wide", ARITHMETIC, 0) /* of 32 bits each, with all 64 of the product */                 \
    X("min", ARITHMETIC, 1)                                                                        \
    X("max", ARITHMETIC, 1)                                                                        \
    X("div", ARITHMETIC, 1)                                                                        \
    X("flop", ARITHMETIC, 1)                                                                       \
    X("rcp", SPECIAL, 1)                                                                           \
    X("sqrt", SPECIAL, 1)                                                                          \
    X("rsqrt", SPECIAL, 1)                                                                         \
    X("sin", SPECIAL, 1)                                                                           \
    X("cos", SPECIAL, 1)                                                                           \
    X("lg2", SPECIAL, 1)                                                                           \
    X("ex2", SPECIAL, 1)                                                                           \
    X("tanh", SPECIAL, 1)

static const struct {
    const char *name;
    enum fw_group group;
    uint32_t flops;
} kinds[] = {
#define X(name, group, flops) {name, FW_GROUP_##group, flops},
    OPERATIONS(X)
#undef X
};

static void read_operation(struct reader *reader, const char *name, enum fw_type type,
                           json_t *value, const struct place *place, uint32_t depth)
{
    size_t o = 0;
    json_int_t times;
    while (o < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[o].name, name) != 0)
        o++;
    if (o == sizeof(kinds) / sizeof(kinds[0])) {
        FAIL(reader, "ADR003", place,
             "operations are add, sub, mul, fma, mad, mad.wide, min, max, div, rcp, sqrt, rsqrt, "
             "sin, "
             "cos, lg2, ex2, tanh and flop (one of any kind)");
        return;
    }
    if (strcmp(name, "mad.wide") == 0 && type != FW_TYPE_S32 && type != FW_TYPE_U32) {
        FAIL(reader, "ADR003", place, "mad.wide is an operation of s32 or u32");
        return;
    }
    if (!address_whole(reader, value, place, 0, ADDRESS_OPERATIONS, &times))
        return;
    struct address_operation *operation = FW_APPEND(reader->arena, &reader->all.operations);
    *operation =
        (struct address_operation){.name = kinds[o].name,
                                   .type = type,
                                   .times = (uint32_t)times,
                                   .flops = fw_type_class(type) == 'f' ? kinds[o].flops : 0,
                                   .group = kinds[o].group,
                                   .depth = depth,
                                   .line = address_line(address_span(reader->source, place))};
}

/* Of the operations there, how many are in the chain. */
static void read_chained(struct reader *reader, const char *name, enum fw_type type, json_t *value,
                         const struct place *place, uint32_t depth)
{
    struct address_operation *operation = NULL;
    json_int_t times;
    for (size_t o = 0; o < reader->all.operations.count; o++) {
        struct address_operation *one = &reader->all.operations.at[o];
        if (one->depth == depth && one->type == type && strcmp(one->name, name) == 0)
            operation = one;
    }
    if (!address_whole(reader, value, place, 0, ADDRESS_OPERATIONS, &times))
        return;
    if ((json_int_t)(operation ? operation->times : 0) < times)
        FAIL(reader, "ADR013", place,
             "the chain has %lld of them, and \"operations\" state %u: it goes through some of "
             "these",
             (long long)times, operation ? operation->times : 0);
    else if (operation)
        operation->chained = (uint32_t)times;
}

typedef void read_one(struct reader *reader, const char *name, enum fw_type type, json_t *value,
                      const struct place *place, uint32_t depth);

/* {TYPE: {OPERATION: TIMES}} */
static void read_by_type(struct reader *reader, json_t *object, const struct place *place,
                         uint32_t depth, read_one *read)
{
    const char *type_name, *name;
    json_t *of_type, *value;
    if (!json_is_object(object)) {
        FAIL(reader, "ADR002", place, "operations stand by type: {\"f64\": {\"add\": 3}}");
        return;
    }
    json_object_foreach(object, type_name, of_type)
    {
        struct place here = address_member(place, type_name);
        enum fw_type type = fw_type_find(type_name, (unsigned)strlen(type_name));
        if (!json_is_object(of_type) || type == FW_TYPE_NONE || fw_type_class(type) == 'p') {
            FAIL(reader, "ADR002", &here, "operations stand by type: {\"f64\": {\"add\": 3}}");
            continue;
        }
        json_object_foreach(of_type, name, value)
        {
            struct place at = address_member(&here, name);
            read(reader, name, type, value, &at, depth);
        }
    }
}

void address_work(struct reader *reader, json_t *object, const struct place *place, uint32_t depth)
{
    struct address_work *work = &reader->all.work[depth];
    json_t *operations = json_object_get(object, "operations");
    json_t *chain = json_object_get(object, "chain");
    json_t *instructions = json_object_get(object, "instructions");
    struct place here = address_member(place, "operations");
    json_int_t times = 0;
    if (operations)
        read_by_type(reader, operations, &here, depth, read_operation);
    here = address_member(place, "chain");
    if (chain)
        read_by_type(reader, chain, &here, depth, read_chained);
    here = address_member(place, "instructions");
    if (instructions && address_whole(reader, instructions, &here, 0, ADDRESS_OPERATIONS, &times))
        work->instructions = (uint32_t)times;
    work->has_instructions = instructions != NULL;
    work->has_chain = chain != NULL;
    work->span = address_span(reader->source, &here);
}
