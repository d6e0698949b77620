/* The emulator: runs the PTX of one launch on this CPU, and counts what really executed.
 *
 * It takes a kernel (struct fw_function after inlining, with the passes cfg and dominators done),
 * a launch and what the arguments hold; it gives the memory that the kernel left and, per
 * instruction and basic block, how often it ran.  A warp of 32 lanes runs in lock step and
 * reconverges at immediate post-dominators; paths that wait (barriers, .sync operations, spin
 * locks) let the warp's other paths run, so that threads make progress independently.  Blocks run
 * one after another, in the order of their linear index.
 *
 * It is never silently wrong: an instruction that it cannot run (tensor cores, textures, ...), an
 * address outside of every array, a misaligned access, a deadlock or an endless loop stops the run
 * with a diagnostic EMUnnn that names the instruction, the block and the thread.  It never prints,
 * and never touches memory other than its own.
 *
 * What PTX leaves open is decided so: uninitialised registers and memory are zero, a division by
 * zero gives all ones, lanes store in ascending order, approximate functions are libm's. *
 * Diagnostics: EMU001 an argument's text, EMU002 an argument that fits no parameter, EMU003 a
 * parameter without a value, EMU004 a launch that cannot be, EMU005 memory, EMU006 a file, EMU007 a
 * variable of the module, EMU008 a file that is no array, EMU010 an instruction that is not
 * emulated, EMU011 outside of an array, EMU012 misaligned, EMU013 the limit, EMU014 deadlock,
 * EMU015 trap or assertion, EMU016 too many ways, EMU017 a store to constant memory, EMU018 a call
 * that cannot be followed, EMU019 a barrier's use, EMU020 brx.idx. */
#ifndef FW_EMULATE_H
#define FW_EMULATE_H

#include "ir.h"

/* What a buffer holds at first. */
enum fw_fill {
    FW_FILL_ZERO,
    FW_FILL_ONES,        /* the number 1 in every element */
    FW_FILL_INDEX,       /* element i holds i */
    FW_FILL_RANDOM,      /* floats uniform in [0,1), integers of all bits; or in the stated range */
    FW_FILL_PERMUTATION, /* a random order of 0 .. count-1 */
    FW_FILL_VALUE,       /* one stated number in every element */
    FW_FILL_RAMP,        /* low + i * step + (i * 7919) mod jitter: starts of rows */
    FW_FILL_FILE         /* the bytes of a file */
};

/* What one kernel parameter, or a part of one, holds: a value or a pointer to a buffer. */
struct fw_emulate_argument {
    const char *name;  /* the parameter's name; NULL: by position */
    uint32_t position; /* from 0; used when name is NULL */
    uint32_t offset;   /* bytes into the parameter: members of a structure */
    bool is_buffer;    /* else a value */
    uint8_t value[16]; /* of a value: its bytes, little endian */
    uint32_t value_bytes;
    bool is_number; /* `number` and `real` are given instead of `value`: the parameter's type
                       decides which of them */
    int64_t number;
    double real;
    enum fw_type type; /* of a buffer's elements */
    uint64_t count;    /* elements; 0 with FILE: as many as the file holds */
    enum fw_fill fill;
    bool has_range;     /* RANDOM: low <= x < high for floats, low <= x <= high for integers */
    double low, high;   /* VALUE: low */
    double step;        /* RAMP */
    uint64_t jitter;    /* RAMP; 0: none */
    uint64_t seed;      /* 0: the launch's */
    bool has_stream;    /* RANDOM: the numbers that forewarp-measure gives ... */
    uint64_t stream;    /* ... the argument at this position (kernels/README.md) */
    uint64_t alignment; /* of the buffer's address in bytes; 0: 256 */
    const char *path;   /* FILE */
    uint64_t skip;      /* FILE: bytes before the first element */
    bool is_npy;        /* FILE: of NumPy's format, which told type, count and skip */
};

/* Reads one argument's text, NAME=CONTENT, where CONTENT is one of
 * - NUMBER: a value: 12, 0x10, 4K, 1.5, -3; the parameter's type decides its form
 * - TYPE:NUMBER: a value of that type
 * - hex:BYTES: bytes as they lie in memory, two hexadecimal digits each
 * - TYPE[COUNT]: a pointer to a buffer of zeros; COUNT takes K, M, G
 * - TYPE[COUNT]:FILL, then ,seed=NUMBER ,align=BYTES: what it holds: zero, ones, index (or iota),
 *   random, random(LOW,HIGH), ramp(LOW,STEP,JITTER), permutation, value(NUMBER), file:PATH;
 *   ,position=N of random: the numbers that forewarp-measure gives the argument at that position
 * - @FILE.npy: a pointer to an array of NumPy's format (emulate_npy.h), whose header is read here
 * - file:PATH: a pointer to a buffer with a file's bytes
 *
 * NAME is the parameter's name, or #POSITION from 0; NAME+BYTES (as in params+8) is a member of a
 * structure passed by value.  For a pointer to shared memory (OpenCL's local arguments) TYPE[COUNT]
 * states how much of it there is; one such pointer may go without and gets the dynamic shared
 * memory.  `out` receives the argument, its texts belong to `arena`.  FW_ERROR_USAGE with EMU001
 * when the text is none of these; fw_npy_read_file's errors. */
enum fw_status fw_emulate_argument_parse(struct fw_emulate_argument *out, struct fw_arena *arena,
                                         const char *text, const struct fw_sink *sink);

struct fw_emulate_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t dynamic_shared; /* bytes */
    const struct fw_emulate_argument *arguments;
    size_t argument_count;
};

/* One execution of a memory instruction by a warp. */
struct fw_emulate_access {
    uint32_t instruction;      /* its index in the function */
    uint32_t block;            /* linear index of the block */
    uint32_t warp;             /* in the block */
    enum fw_space space;       /* as resolved; GENERIC when lanes of one access went to several */
    uint32_t bytes;            /* per lane */
    uint32_t mask;             /* lanes that took part */
    const uint64_t *addresses; /* 32: in the space; only those of `mask` mean something */
};

/* How often an instruction ran.  A thread that is at the instruction is active; it executes when
 * its guard holds too (or there is none). */
struct fw_emulate_count {
    uint64_t threads;   /* executions by threads whose guard held */
    uint64_t warps;     /* issues with at least one such thread */
    uint64_t issued;    /* issues with any active thread */
    uint64_t active;    /* sum of active threads over the issues */
    uint64_t divergent; /* branches: issues whose threads went different ways */
};

/* Taken and not: of a guarded branch, `threads` of its count were taken, active - threads not. */

struct fw_emulate_options {
    uint64_t limit;         /* warp instructions in all; 0: 2e10 */
    uint64_t seed;          /* of random fills without one of their own; 0: 1 */
    uint64_t default_bytes; /* of the buffer of a pointer that nothing is said about; 0: 64 GiB */
    uint64_t memory_limit;  /* bytes of all stated buffers together; 0: 16 GiB, 1 TiB of those that
                               are made on demand */
    uint64_t every;         /* run every k-th block only; 0 and 1: all */
    const uint64_t *blocks; /* or: run these blocks only, by linear index */
    size_t block_count;
    uint64_t enough;  /* of `blocks`: warp instructions after which no further one is begun, but for
                         the first three; 0: all run */
    const bool *ends; /* by basic block: threads that come to it end there; NULL: none does */
    bool written_only; /* a load of shared memory that no thread of the block has written before is
                          a fault (EMU021) */
    bool on_demand;    /* elements of buffers are made when the kernel first comes near them: the
                          buffers' memory holds nothing else.  Not for permutations */
    const char *machine; /* the handlers' instruction set: "portable", "avx2", "avx512"; NULL: the
                            best that this machine has.  Results are the same. */
    /* Called for each memory access when not NULL. */
    void (*access)(void *user, const struct fw_emulate_access *access);
    /* Called after each block with the block's own counts, per instruction, when not NULL. */
    void (*block_done)(void *user, const uint32_t block[3], const struct fw_emulate_count *counts);
    void *user;
};

/* A buffer of a launch. */
struct fw_emulate_buffer {
    const char *name;   /* of the parameter or the module's variable */
    uint32_t parameter; /* index, or FW_NO_INDEX */
    enum fw_type type;  /* as stated, else NONE */
    uint64_t address;   /* in the emulated space */
    uint64_t bytes;
    void *memory; /* `bytes` of this process: may be read after the run, written before */
    bool read_only;
    bool assumed; /* nothing was said about it: the large zero buffer, see below */
};

struct fw_emulate_result {
    const struct fw_emulate_count *instructions; /* function->instruction_count */
    const struct fw_emulate_count *blocks;       /* block_count basic blocks: threads == active */
    uint32_t block_count;                        /* equals function->block_count */
    uint64_t grid_blocks;                        /* blocks of the launch, and of them ... */
    uint64_t blocks_run;                         /* ... those that ran: the fraction sampled */
    uint64_t thread_instructions;                /* sum over instructions */
    uint64_t warp_instructions;                  /* issued, guard-false ones too */
    bool assumed_memory; /* a pointer got the default buffer: loaded values were zeros */
};

struct fw_emulation;

/* Prepares a launch: decodes the kernel, lays out and fills its memory.
 *
 * A pointer parameter (.ptr, or an address by its use) that no argument names gets a zero buffer of
 * `default_bytes` that the machine maps lazily: counting works without knowing sizes, but what the
 * kernel reads there is zero, so that branches on loaded data go the way of zeros; the result says
 * so. Any other parameter without an argument is an error. `function` and its module must outlive
 * the emulation; `options` may be NULL. Errors: FW_ERROR_USAGE (arguments, launch),
 * FW_ERROR_MACHINE (a file, no memory map), FW_ERROR_MEMORY. */
enum fw_status fw_emulation_new(FW_GIVE struct fw_emulation **out,
                                const struct fw_function *function,
                                const struct fw_emulate_launch *launch,
                                const struct fw_emulate_options *options,
                                const struct fw_sink *sink);

/* Runs it.  `result`'s arrays live as long as the emulation; counts of several runs add up.
 * FW_ERROR_INPUT: the kernel did something wrong or unsupported (a diagnostic says what and where;
 * the counts so far are given); FW_ERROR_BUDGET: the limit was reached (likewise). */
enum fw_status fw_emulation_run(struct fw_emulate_result *result, struct fw_emulation *emulation);

/* The launch's buffers, pointer arguments first; `*count` of them. */
const struct fw_emulate_buffer *fw_emulation_buffers(const struct fw_emulation *emulation,
                                                     size_t *count);

/* Frees the emulation and its memory.  NULL is allowed. */
void fw_emulation_free(FW_TAKE struct fw_emulation *emulation);

#endif
