#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t fw_kernel_parameter(const struct fw_kernel *kernel, const char *name)
{
    char *end;
    unsigned long position = strtoul(name, &end, 10);
    bool is_number = *name >= '0' && *name <= '9' && *end == '\0';
    for (uint32_t p = 0; p < kernel->parameter_count; p++)
        if (is_number
                ? kernel->parameters[p].position == position && !kernel->parameters[p].is_member
                : strcmp(kernel->parameters[p].name, name) == 0)
            return p;
    return FW_NONE;
}

static void name_atom(void *user, struct fw_buffer *out, const struct fw_atom_node *node)
{
    static const char *const launch[] = {
        "blockIdx.x",  "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
        "threadIdx.z", "gridDim.x",  "gridDim.y",  "gridDim.z",   "blockDim.x",
        "blockDim.y",  "blockDim.z", "laneId",     "warpId",      "dynamicSharedBytes"};
    const struct fw_kernel *kernel = user;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        fw_buffer_printf(out, "%s", kernel->parameters[node->a].name);
        return;
    case FW_ATOM_LAUNCH:
        fw_buffer_printf(out, "%s", launch[node->a]);
        return;
    case FW_ATOM_ITERATION:
        fw_buffer_printf(out, "i%u", node->a);
        return;
    case FW_ATOM_TRIPS:
        fw_buffer_printf(out, "trips%u", node->a);
        return;
    case FW_ATOM_CARRIED:
        fw_buffer_printf(out, node->a ? "step%u" : "c%u", node->c);
        return;
    case FW_ATOM_ARRAY:
        fw_buffer_printf(out, "&%s", kernel->arrays[node->a].name);
        return;
    default:
        fw_buffer_printf(out, node->a < kernel->opaque_count ? "loaded@%u" : "complex",
                         node->a < kernel->opaque_count ? kernel->opaques[node->a].line : 0);
        return;
    }
}

uint32_t fw_access_machine_bytes(const struct fw_kernel *kernel, const struct fw_access *access)
{
    const struct fw_scheduled *at = &kernel->schedule[access->instruction];
    uint32_t bytes = access->bytes;
    if (!kernel->capability || access->asynchronous || access->lanes || access->tile)
        return bytes;
    for (uint32_t m = 0; m < at->machine_count; m++) {
        uint32_t wide = strstr(at->machine[m].name, ".128")  ? 16
                        : strstr(at->machine[m].name, ".64") ? 8
                                                             : 0;
        bytes = wide > bytes ? wide : bytes;
    }
    return at->machine_count ? bytes : 0;
}

uint32_t fw_access_issued_every(const struct fw_kernel *kernel, const struct fw_access *access)
{
    const struct fw_scheduled *at = &kernel->schedule[access->instruction];
    uint32_t every = 1;
    for (uint32_t m = 0; m < at->machine_count; m++)
        every = at->machine[m].every > every ? at->machine[m].every : every;
    return every;
}

/* Names of atoms as people know them: arguments by name, blockIdx.x, i@line for iterations. */
static struct fw_namer namer_of(const struct fw_kernel *kernel)
{
    union { /* the namer only reads */
        const struct fw_kernel *from;
        void *to;
    } cast = {kernel};
    return (struct fw_namer){name_atom, cast.to};
}

static void dump_domain(const struct fw_kernel *kernel, uint32_t index, struct fw_buffer *out)
{
    const struct fw_domain *domain = &kernel->domains[index];
    struct fw_namer namer = namer_of(kernel);
    fw_buffer_printf(out, "  domain %u: ", index);
    switch (domain->kind) {
    case FW_DOMAIN_EMPTY:
        fw_buffer_printf(out, "empty\n");
        return;
    case FW_DOMAIN_ALL:
        fw_buffer_printf(out, "all threads\n");
        return;
    case FW_DOMAIN_LOOP:
        fw_buffer_printf(out, "%u and iteration i%u: i%u = 0 or ", domain->parent, domain->loop,
                         domain->loop);
        fw_condition_print(&kernel->pool, kernel->loops[domain->loop].stays, &namer, out);
        break;
    case FW_DOMAIN_RESTRICT: {
        fw_condition condition = kernel->branches[domain->branch].condition;
        const struct fw_condition_node *node = &kernel->pool.conditions.at[condition];
        bool negated = node->kind == FW_CONDITION_NOT;
        fw_buffer_printf(out, "%u where %s", domain->parent,
                         domain->truth != negated ? "" : "not ");
        fw_condition_print(&kernel->pool, negated ? node->a : condition, &namer, out);
        break;
    }
    case FW_DOMAIN_UNION:
        for (uint32_t m = 0; m < domain->member_count; m++)
            fw_buffer_printf(out, m ? " or %u" : "%u", domain->members[m]);
        break;
    case FW_DOMAIN_LEAVE:
        fw_buffer_printf(out, "%u, left", domain->parent);
        break;
    }
    fw_buffer_printf(out, "\n");
}

static void print_part(struct fw_buffer *out, const struct fw_kernel *kernel,
                       const struct fw_data_part *part, const struct fw_namer *namer)
{
    fw_buffer_printf(out, "      data times ");
    fw_expression_print(&kernel->pool, part->coefficient, namer, out);
    if (part->low != FW_NO_EXPRESSION && part->high != FW_NO_EXPRESSION) {
        fw_buffer_printf(out, ", from ");
        fw_expression_print(&kernel->pool, part->low, namer, out);
        fw_buffer_printf(out, " to ");
        fw_expression_print(&kernel->pool, part->high, namer, out);
        fw_buffer_printf(out, "%s", part->usual_range ? " as usual" : "");
    }
    fw_buffer_printf(out, "%s%s", part->loaded == FW_NONE ? "" : ", as loaded",
                     part->is_row_end ? ", the end of a row" : "");
    if (part->steps != FW_NO_EXPRESSION) {
        fw_buffer_printf(out, ", one of two to the power ");
        fw_expression_print(&kernel->pool, part->steps, namer, out);
    }
    for (uint32_t i = 0; i < part->input_count; i++) {
        fw_buffer_printf(out, i ? "; " : ", by ");
        fw_expression_print(&kernel->pool, part->inputs[i], namer, out);
    }
    fw_buffer_printf(out, "\n");
}

static void print_access(struct fw_buffer *out, const struct fw_kernel *kernel,
                         const struct fw_access *access, const struct fw_namer *namer)
{
    static const char *const directions[] = {"load", "store", "atomic", "reduction"};
    fw_buffer_printf(out, "    %s %s %s", directions[access->direction],
                     fw_space_text(access->space), access->asynchronous ? "asynchronous " : "");
    if (access->size != FW_NO_EXPRESSION)
        fw_expression_print(&kernel->pool, access->size, namer, out);
    else if (access->bulk && access->bytes == 0)
        fw_buffer_printf(out, "?");
    else
        fw_buffer_printf(out, "%u", access->bytes);
    fw_buffer_printf(out, " bytes, %s[",
                     access->array == FW_NONE ? "?" : kernel->arrays[access->array].name);
    fw_expression_print(&kernel->pool, access->data ? access->data->rest : access->offset, namer,
                        out);
    fw_buffer_printf(out, "]%s\n", access->data ? " and" : "");
    for (uint32_t p = 0; access->data && p < access->data->part_count; p++)
        print_part(out, kernel, &access->data->parts[p], namer);
}

char *fw_kernel_dump(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    struct fw_buffer out = fw_buffer_new(arena);
    struct fw_namer namer = namer_of(kernel);
    fw_buffer_printf(&out, "kernel %s\n", kernel->name);
    for (uint32_t d = 0; d < kernel->domain_count; d++)
        dump_domain(kernel, d, &out);
    for (uint32_t l = 0; l < kernel->loop_count; l++) {
        fw_buffer_printf(&out, "  loop i%u %s: trips ", l, kernel->loops[l].name);
        if (kernel->loops[l].trips == FW_NO_EXPRESSION)
            fw_buffer_printf(&out, "not known");
        else
            fw_expression_print(&kernel->pool, kernel->loops[l].trips, &namer, &out);
        fw_buffer_printf(&out, "\n");
    }
    for (uint32_t s = 0; s < kernel->statement_count; s++) {
        const struct fw_statement *statement = &kernel->statements[s];
        fw_buffer_printf(&out, "  statement %u, line %u, domain %u:", s, statement->line,
                         statement->domain);
        for (uint32_t i = 0; i < statement->instruction_count; i++) {
            const struct fw_scheduled *row = &kernel->schedule[statement->instructions[i]];
            fw_buffer_printf(&out, " %s%s%s", row->operation, row->type ? "." : "",
                             fw_type_text(row->type));
        }
        fw_buffer_printf(&out, "\n");
        for (uint32_t i = 0; i < statement->instruction_count; i++) {
            const struct fw_scheduled *row = &kernel->schedule[statement->instructions[i]];
            for (uint32_t a = 0; a < row->access_count; a++)
                print_access(&out, kernel, &kernel->accesses[row->access + a], &namer);
        }
    }
    return out.text;
}
