/* Assembling: what ptxas says of kernels' resources, when there is a ptxas.
 *
 * Takes PTX and a compute capability; gives registers, spills and shared memory of each entry, as
 * the vendor's assembler allocates them.  The child is confined as compilers are (compile.h), and
 * its answer is cached by content: the PTX, the architecture, the ptxas.  What it says is believed
 * only as far as it can be true.  Without ptxas, registers are estimated from liveness. */
#ifndef FW_ASSEMBLE_H
#define FW_ASSEMBLE_H

#include "arena.h"
#include "diagnostic.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_assembled {
    const char *entry;  /* the kernel's name in PTX */
    uint32_t registers; /* 1 to 255 */
    uint32_t stack_bytes;
    uint32_t spill_store_bytes;
    uint32_t spill_load_bytes;
    uint32_t shared_bytes; /* static, a block */
    uint32_t barriers;
    bool wgmma_serialized; /* each product is waited for before the next: registers do not suffice,
                              or what defines its accumulators stands between */
};

struct fw_assembly {
    FW_VECTOR(struct fw_assembled) kernels;
    const char *version; /* "ptxas 13.0.88"; "ptxas" when it does not say */
    bool cached;
    bool known; /* false: ptxas did not answer */
};

struct fw_assemble_options {
    unsigned target;   /* compute capability: 90 */
    bool specific;     /* sm_90a: what is specific to the architecture is used */
    const char *cache; /* folder; NULL: none */
    unsigned seconds;  /* 0: 60 */
};

/* Runs ptxas on `length` bytes of PTX.  FW_ERROR_MACHINE (CMP020): there is no ptxas; (CMP024): it
 * could not be run; FW_ERROR_INPUT (CMP021): it refused the PTX, with its first message; (CMP022):
 * it took too long; (CMP023): it said nothing of any kernel, or what cannot be; FW_ERROR_MEMORY:
 * the arena. */
enum fw_status fw_assemble(struct fw_assembly *assembly, struct fw_arena *arena, const char *ptx,
                           size_t length, const struct fw_assemble_options *options,
                           const struct fw_sink *sink);

/* The resources of an entry; NULL when ptxas named none. */
const struct fw_assembled *fw_assembly_find(const struct fw_assembly *assembly, const char *entry);

#endif
