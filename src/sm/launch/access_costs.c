/* What each access takes of a multiprocessor: wavefronts, its shares of L2, of the slices that
 * execute atomic operations and of device memory, how often it goes so far, and the latencies
 * there.  Volumes are src/memory's and service times src/memory/service's: what the accesses take
 * adds up to them. */
#include "access_costs_internal.h"

#include "dram_service.h"
#include "l2_service.h"
#include "launch_service.h"
#include "local_memory.h"
#include "nested.h"
#include "unit_service.h"
#include "warp.h"

#include <math.h>

/* Of a bulk copy from shared memory: cycles until it begins to read, and bytes a cycle.  Source:
 * bulk_store in data/h200/asynchronous/costs.jsonl. */
static const double READ_LATENCY = 33, READ_RATE = 32;

/* Cycles of the busiest multiprocessor's share of the device for so many seconds of the whole: each
 * gets as much of it as it has of the work. */
static double share_of_seconds(const struct fw_trace_work *work, double seconds)
{
    double mean = work->grid / work->busy;
    return seconds * work->clock * work->busy * (mean / work->own);
}

/* The same for so many bytes at a rate of the whole device, in bytes a second. */
static double share_cycles(const struct fw_trace_work *work, double bytes, double rate)
{
    return rate > 0 ? share_of_seconds(work, bytes / rate) : 0;
}

/* How many times as much `a` is as `b`; 1 where one of them is nothing. */
static double times(double a, double b)
{
    return a > 0 && b > 0 ? a / b : 1;
}

static bool is_atomic(const struct fw_access *access)
{
    return access->direction == FW_ATOMIC || access->direction == FW_REDUCTION;
}

static struct one_request request_of(const struct costing *c, uint32_t index, bool *skipped)
{
    const struct fw_trace_question *question = c->work->question;
    const struct fw_access *access = &question->kernel->accesses[index];
    struct fw_sampled_warps sampled = {0};
    fw_sample_warps(&sampled, &c->sampling, access,
                    access->space == FW_SPACE_CONST
                        ? 0
                        : fw_access_shift(question->kernel, access, question->alignments));
    *skipped = sampled.skipped;
    struct one_request one = {.known = sampled.known && sampled.warps > 0};
    if (!one.known) { /* each lane its own sector */
        one.sectors = one.lines = one.partial = FW_WARP_THREADS;
        one.wavefronts = FW_WARP_THREADS / 2.0;
        one.passes = 1;
        one.atomic_passes = access->combined ? 1 : FW_WARP_THREADS;
        return one;
    }
    one.sectors = sampled.sectors / sampled.warps;
    one.lines = sampled.lines / sampled.warps;
    one.partial = sampled.partial_sectors / sampled.warps;
    one.wavefronts = fmax(1, sampled.wavefronts / sampled.warps);
    one.passes = fmax(1, sampled.passes / sampled.warps);
    one.atomic_passes = access->combined ? 1 : fmax(1, sampled.atomic_passes / sampled.warps);
    return one;
}

/* Of a bulk copy, which one thread orders: whole lines, in one turn of the load-store unit. */
static struct one_request bulk_request(const struct costing *c, const struct fw_access *access)
{
    struct one_request one = {.known = true, .wavefronts = 1, .passes = 1, .atomic_passes = 1};
    double bytes = access->bytes;
    if (access->bytes == 0) /* an expression, or what an mbarrier expects */
        fw_bound_access_bytes(c->work->question->bound, access, &bytes);
    one.sectors = fmax(1, bytes / c->sector);
    one.lines = fmax(1, bytes / c->work->volumes.caches.line);
    return one;
}

/* Whether the machine issues a request for an instruction: an assembler may have merged it into
 * that of a neighbour. */
static bool is_requested(const struct fw_trace_work *work, uint32_t instruction)
{
    const struct fw_sm_costs *costs = &work->costs;
    bool requested = false;
    for (uint32_t o = costs->first[instruction]; o < costs->first[instruction + 1]; o++)
        requested |= costs->operations[o].memory;
    return requested && work->question->kernel->schedule[instruction].access != FW_NONE;
}

static void find_requests(struct costing *c)
{
    const struct fw_trace_question *question = c->work->question;
    const struct fw_kernel *kernel = question->kernel;
    c->requests = FW_ARRAY(c->work->arena, struct one_request, kernel->access_count + 1);
    c->warps = FW_ARRAY(c->work->arena, double, kernel->access_count + 1);
    bool *skipped = FW_ARRAY(c->work->arena, bool, kernel->access_count + 1);
    const bool many = kernel->access_count > FW_MOST_SAMPLED;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        if (!is_requested(c->work, i))
            continue;
        uint32_t a = kernel->schedule[i].access;
        const struct fw_access *access = &kernel->accesses[a];
        c->warps[a] = fw_bound_count_warps(question->bound, access->domain)->estimate;
        if (c->warps[a] > 0 && access->bulk)
            c->requests[a] = bulk_request(c, access);
        else if (c->warps[a] > 0 && access->space != FW_SPACE_PARAM &&
                 !(many && costing_find_like(c, a, true)))
            c->requests[a] = request_of(c, a, &skipped[a]);
    }
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (skipped[a])
            costing_find_like(c, a, false);
}

/* ---- costs of one access ---- */

/* Of a request to shared memory that may be another block's: its sectors, one after the other. */
static double cluster_cycles(struct fw_trace_work *work, const struct fw_access *access,
                             const struct one_request *one)
{
    const double rate = fw_trace_figure(work, is_atomic(access) ? FW_FIGURE_CLUSTER_REDUCTIONS
                                                                : FW_FIGURE_CLUSTER_SECTORS);
    return rate > 0 ? fmax(1, one->sectors) / rate : 0;
}

static void cost_shared(struct costing *c, struct fw_sm_access *to, const struct fw_access *access,
                        const struct one_request *one)
{
    struct fw_trace_work *work = c->work;
    double passes = one->passes;
    to->wait = FW_SM_WAIT_SHORT;
    to->latency[0] = work->latency_shared;
    if (access->cluster && !access->asynchronous)
        to->latency[0] = fmax(to->latency[0], fw_trace_figure(work, FW_FIGURE_LATENCY_CLUSTER));
    if (is_atomic(access)) {
        passes = one->known ? fmax(passes, one->atomic_passes) : passes;
        to->latency[0] = fw_trace_figure(work, FW_FIGURE_LATENCY_ATOMIC_SHARED);
    }
    if (access->cluster && !access->asynchronous)
        passes = fmax(passes, cluster_cycles(work, access, one));
    to->cycles[FW_SM_SERVER_LSU] = passes;
    if (access->cluster && !access->asynchronous)
        return;
    if (passes > 1)
        to->latency[0] += (passes - 1) * fw_trace_figure(work, FW_FIGURE_LATENCY_SHARED_CONFLICT);
}

/* Bytes that fetches of device memory bring for a request at a place of chance: a fetch for one
 * sector, and one for all those beside each other in a line that it has. */
static double fetched_bytes(const struct costing *c, const struct one_request *one)
{
    const struct fw_caches *caches = &c->work->volumes.caches;
    const double lines = fmax(1, one->lines), each = one->sectors * c->sector / lines;
    if (!(caches->fetch > c->sector))
        return one->sectors * c->sector;
    return lines * fmin(each + caches->fetch - c->sector, fmax(caches->line, caches->fetch));
}

static void cost_load(struct costing *c, struct fw_sm_access *to, uint32_t index,
                      const struct one_request *one)
{
    struct fw_trace_work *work = c->work;
    const struct fw_random_hits *hits =
        work->volumes.random.hits ? &work->volumes.random.hits[index] : NULL;
    double part = c->l1[index].part, bytes = part * one->sectors * c->sector, least = 0;
    double lines = fmax(fmin(1, one->lines), part * one->lines);
    least = fw_trace_figure(work, FW_FIGURE_L2_LOAD_LEAST);
    bool drawn = hits && hits->drawn;
    /* What has no affine form is counted as coming from L2 (launch_volumes.h). */
    bool affine = work->volumes.accesses.by_access[index].count > 0;
    to->miss_l1 = drawn ? 1 - hits->l1 : c->l1[index].share;
    double missed = affine ? c->l2_miss * costing_miss_weight(c, index) : 0;
    to->miss_l2 = drawn ? 1 - hits->l2 : fmin(1, missed);
    if (!drawn && c->l1[index].leader && c->l1[index].comes > 0) {
        to->leader = c->l1[index].leader;
        to->comes = c->l1[index].comes;
        to->fetches = fmin(1, to->miss_l1 * c->l1[index].sharers / to->comes);
    }
    to->joined = !drawn && affine && c->first[index] && !to->leader
                     ? fmin(1, to->miss_l1 * work->traces.warps)
                     : 0;
    /* Lanes whose places data decide lie on so many lines that hits save nothing. */
    to->cycles[FW_SM_SERVER_LSU] =
        one->wavefronts *
        (work->question->kernel->accesses[index].data_dependent ? 1 : c->load_wavefronts);
    double asked = affine && !drawn ? c->asked : 1;
    to->cycles[FW_SM_SERVER_L2] = share_cycles(work, asked * fmax(bytes, least * lines),
                                               fw_trace_figure(work, FW_FIGURE_L2_BANDWIDTH));
    if (drawn)
        bytes = fetched_bytes(c, one);
    else /* fetches bring more than what is asked for */
        bytes *= asked * fmax(1, missed);
    to->fill = share_cycles(work, bytes, fw_trace_figure(work, FW_FIGURE_L2_STORE_BANDWIDTH));
    to->cycles[FW_SM_SERVER_DRAM] =
        c->read_time *
        share_cycles(work, bytes, fw_trace_figure(work, FW_FIGURE_DRAM_COPY_BANDWIDTH));
    to->wait = FW_SM_WAIT_LONG;
    to->latency[0] = work->latency_l1;
    to->latency[1] = work->latency_l2;
    to->latency[2] = work->latency_dram;
    to->lines = lines;
    to->slow = work->slow;
    to->far = work->far;
    to->far_share[0] = work->far_share;
    to->far_share[1] = COSTING_FAR_SHARE;
    to->late = work->latency_dram * work->spread;
}

/* Requests of a load that L2 may have or not, for how far warps differ. */
static void count_chances(struct costing *c, const struct fw_sm_access *load, uint32_t index)
{
    struct fw_trace_work *work = c->work;
    if (!(load->miss_l2 > 0) || load->miss_l2 >= 1)
        return;
    const double requests = c->warps[index] * load->miss_l1 / (work->grid * work->traces.warps);
    work->chances += requests;
    work->chance_misses += requests * load->miss_l2;
}

/* Bytes that a store counts as where L2 takes stores: by its requests and by its sectors
 * (l2_service.h). */
static double taken_bytes(const struct costing *c, const struct one_request *one)
{
    double line = c->work->volumes.caches.line, bytes = one->sectors * c->sector;
    double request = fw_trace_figure(c->work, FW_FIGURE_L2_STORE_REQUEST);
    return request * one->lines + (line - request) / line * bytes;
}

/* The same where it passes as loads do. */
static double passed_bytes(const struct costing *c, const struct one_request *one)
{
    const struct fw_l2_stores stores = {one->sectors, one->lines, one->partial};
    double line = c->work->volumes.caches.line;
    return one->sectors > 0 ? fw_l2_store_bytes(&stores, c->sector, line, c->work->question->device)
                            : 0;
}

static void cost_store(struct costing *c, struct fw_sm_access *to, const struct one_request *one)
{
    struct fw_trace_work *work = c->work;
    double bytes = one->sectors * c->sector;
    to->miss_l1 = 1;
    to->miss_l2 = c->written;
    to->cycles[FW_SM_SERVER_LSU] = one->wavefronts * c->store_wavefronts;
    to->cycles[FW_SM_SERVER_L2] = share_cycles(work, c->store_bytes * passed_bytes(c, one),
                                               fw_trace_figure(work, FW_FIGURE_L2_BANDWIDTH));
    to->cycles[FW_SM_SERVER_STORES] =
        share_cycles(work, c->store_taken * taken_bytes(c, one),
                     fw_trace_figure(work, FW_FIGURE_L2_STORE_BANDWIDTH));
    to->cycles[FW_SM_SERVER_LINES] =
        share_cycles(work, c->sent * bytes, fw_trace_figure(work, FW_FIGURE_L2_STORE_BANDWIDTH));
    to->cycles[FW_SM_SERVER_DRAM] =
        (c->write_time + c->filled * c->read_time) *
        share_cycles(work, c->sent * bytes, fw_trace_figure(work, FW_FIGURE_DRAM_COPY_BANDWIDTH));
    for (int level = 1; level < 3; level++) /* until it is acknowledged */
        to->latency[level] = work->latency_l2 + work->far / 2;
}

/* Stores leave one multiprocessor at a rate of its own, however few others store. */
static void hold_to_own_rate(struct fw_trace_work *work, struct fw_sm_access *to, double bytes)
{
    double rate = fw_trace_figure(work, FW_FIGURE_L1_STORE_BANDWIDTH);
    if (rate > 0)
        to->cycles[FW_SM_SERVER_L2] = fmax(to->cycles[FW_SM_SERVER_L2], bytes / rate);
}

/* Atomic operations that change a part of each of their sectors send L2 words, not sectors: it
 * takes as many of these as random sectors have been seen to come to (`lanes` in data/h200/slices).
 */
static void send_words(struct fw_trace_work *work, struct fw_sm_access *to,
                       const struct one_request *one)
{
    const double rate = fw_trace_figure(work, FW_FIGURE_ATOMIC_RANDOM_SLICES) *
                        fw_trace_figure(work, FW_FIGURE_ATOMIC_PASSES);
    if (!(rate > 0) || one->partial < one->sectors)
        return;
    const double most = share_of_seconds(work, one->sectors / rate);
    to->cycles[FW_SM_SERVER_L2] = fmin(to->cycles[FW_SM_SERVER_L2], most);
    to->cycles[FW_SM_SERVER_STORES] = fmin(to->cycles[FW_SM_SERVER_STORES], most);
}

static void cost_atomic(struct costing *c, struct fw_sm_access *to, const struct fw_access *access,
                        const struct one_request *one)
{
    cost_store(c, to, one);
    if (fw_atomic_is_drawn(c->work->question->kernel, access))
        send_words(c->work, to, one);
    to->cycles[FW_SM_SERVER_ATOMICS] =
        share_of_seconds(c->work, one->atomic_passes * c->atomic_pass);
    to->waits = access->returns;
    to->wait = FW_SM_WAIT_LONG;
    for (int level = 0; level < 3; level++)
        to->latency[level] = fw_trace_figure(c->work, FW_FIGURE_LATENCY_ATOMIC_GLOBAL);
}

/* Stack arrays: a load hits L1 where the arrays of the resident threads fit. */
static void cost_local(struct costing *c, struct fw_sm_access *to, uint32_t index)
{
    const struct fw_kernel *kernel = c->work->question->kernel;
    const struct fw_access *access = &kernel->accesses[index];
    if (!fw_local_is_modelled(kernel, access))
        return;
    if (access->direction != FW_LOAD) {
        cost_store(c, to, &c->requests[index]);
        to->miss_l2 = costing_ratio(c->local.dram_write, c->local.l1_to_l2);
        return;
    }
    cost_load(c, to, index, &c->requests[index]);
    to->miss_l1 = c->local_miss;
    to->miss_l2 = costing_ratio(c->local.dram_read, c->local.l2_to_l1);
}

/* Constants at addresses that are not fixed: the nearest cache serves one address of a warp after
 * the other; of arrays that exceed it, it misses some. */
static void cost_constant(struct costing *c, struct fw_sm_access *to, uint32_t index)
{
    struct fw_trace_work *work = c->work;
    const struct fw_device *device = work->question->device;
    const struct fw_access *access = &work->question->kernel->accesses[index];
    const struct fw_constant_misses *misses = &work->units.constant;
    double rate, requests = c->requests[index].known ? c->requests[index].sectors : 1;
    to->wait = FW_SM_WAIT_SHORT;
    to->cycles[FW_SM_SERVER_LSU] = 0;
    to->latency[0] = fw_trace_figure(work, FW_FIGURE_LATENCY_CONSTANT);
    if (!fw_local_is_modelled(work->question->kernel, access))
        return;
    if (fw_device_figure(device, FW_FIGURE_CONSTANT_REQUESTS, &rate))
        to->cycles[FW_SM_SERVER_CONSTANT] = requests / rate;
    if (fw_constant_is_scalar(work->question->kernel, access))
        to->cycles[FW_SM_SERVER_CONSTANT] += fw_units_scalar_constant_cycles(&work->units, device);
    if (!fw_constant_is_apart(work->question->kernel, access) || !(misses->miss_share > 0))
        return;
    if (fw_device_figure(device, FW_FIGURE_CONSTANT_MISSES, &rate))
        to->cycles[FW_SM_SERVER_CONSTANT] += misses->miss_share * requests / rate;
    to->latency[0] =
        fmax(to->latency[0],
             fw_units_constant_wait(&work->units, work->question->kernel, device, access));
}

/* The load-store unit takes one wavefront a cycle, but requests of one at a lower rate. */
static void hold_to_requests(struct fw_trace_work *work, struct fw_sm_access *to)
{
    double least = fw_trace_figure(work, FW_FIGURE_LSU_REQUEST);
    if (to->cycles[FW_SM_SERVER_LSU] > 0)
        to->cycles[FW_SM_SERVER_LSU] = fmax(to->cycles[FW_SM_SERVER_LSU], least);
}

/* Of a block. */
static double shared_bytes(const struct fw_trace_work *work)
{
    return (double)work->question->launch->shared +
           (double)work->question->kernel->resources.static_shared;
}

static void cost_access(struct costing *c, uint32_t instruction)
{
    struct fw_trace_work *work = c->work;
    const struct fw_kernel *kernel = work->question->kernel;
    const uint32_t index = kernel->schedule[instruction].access;
    const struct fw_access *access = &kernel->accesses[index];
    const struct one_request *one = &c->requests[index];
    struct fw_sm_access *to = &work->accesses[instruction];
    to->waits = access->direction == FW_LOAD || access->returns;
    to->cycles[FW_SM_SERVER_LSU] = 1;
    to->latency[0] = work->latency_l1;
    to->wait = FW_SM_WAIT_LONG;
    work->left_out |= access->bulk && access->direction == FW_LOAD &&
                      access->space != FW_SPACE_SHARED && !kernel->schedule[instruction].mbarrier;
    to->copies = access->asynchronous && access->direction == FW_LOAD;
    to->of_block = access->bulk;
    if (access->asynchronous)
        to->waits = false;
    if (access->bulk && access->direction == FW_LOAD && access->space != FW_SPACE_SHARED)
        to->in_flight = fmax(1, shared_bytes(work) / (one->sectors * c->sector));
    if (access->bulk && access->direction != FW_LOAD && access->space == FW_SPACE_GLOBAL)
        to->reads = READ_LATENCY + one->sectors * c->sector / READ_RATE;
    double bulk = access->bulk ? fmax(0, fw_trace_figure(work, FW_FIGURE_LATENCY_BULK) -
                                             fw_trace_figure(work, FW_FIGURE_LATENCY_L2))
                               : 0;
    if ((access->bulk && access->space == FW_SPACE_SHARED) || access->space == FW_SPACE_PARAM)
        return;
    if (access->space == FW_SPACE_LOCAL)
        cost_local(c, to, index);
    else if (access->space == FW_SPACE_CONST)
        cost_constant(c, to, index);
    else if (access->space == FW_SPACE_SHARED)
        cost_shared(c, to, access, one);
    else if (access->direction == FW_LOAD) {
        cost_load(c, to, index, one);
        count_chances(c, to, index);
    } else if (access->direction == FW_STORE) {
        cost_store(c, to, one);
        hold_to_own_rate(work, to, one->sectors * c->sector);
    } else
        cost_atomic(c, to, access, one);
    if (access->asked > access->bytes && access->direction == FW_LOAD) /* whole granules */
        to->cycles[FW_SM_SERVER_L2] *= (double)access->asked / access->bytes;
    for (int level = 1; level < 3; level++) /* what the copy engine takes longer than a load */
        to->latency[level] += bulk;
}

/* ---- what all accesses add up to ---- */

/* Wavefronts: hits in L1 save some, stores are retried (requests.h); and a load takes no less than
 * its tags' lookups (l1_tags.h). */
static void find_wavefronts(struct costing *c)
{
    const struct fw_kernel *kernel = c->work->question->kernel;
    const struct fw_requests *requests = &c->work->volumes.requests;
    double loads = 0, stores = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (!costing_is_global(access) && access->space != FW_SPACE_LOCAL)
            continue;
        double all = c->warps[a] * c->requests[a].wavefronts;
        loads += access->direction == FW_LOAD ? all : 0;
        stores += access->direction == FW_LOAD ? 0 : all;
    }
    const double passes = requests->global_wavefronts - requests->store_wavefronts;
    c->load_wavefronts = times(fmax(passes, requests->load_lookups), loads);
    c->store_wavefronts = times(requests->store_wavefronts, stores);
}

/* Lines that launches before have stored are written as this one needs their places: with all that
 * it moves. */
static void add_carried(struct costing *c, const struct fw_dram_service *dram)
{
    const struct fw_volumes *volumes = &c->work->volumes.volumes;
    const double carried =
        costing_ratio(volumes->carried_write, volumes->dram_write.bytes) * dram->writes;
    const double own = dram->reads + dram->writes - carried;
    if (!(carried > 0) || !(own > 0))
        return;
    c->read_time *= 1 + carried / own;
    c->write_time *= 1 + carried / own;
}

/* Device memory's service time beyond its bytes, and that of atomic operations. */
static void find_services(struct costing *c)
{
    struct fw_trace_work *work = c->work;
    const struct fw_trace_question *question = work->question;
    const struct fw_kernel *kernel = question->kernel;
    const struct fw_launch_volumes *found = &work->volumes;
    const struct fw_affine_accesses *accesses = &found->accesses.affine;
    struct fw_dram_service dram;
    double rate = 0, misses, passes = 0, taken = 0, passed = 0, stored = 0;
    fw_dram_service(&dram, accesses, c->order, &found->caches, &found->volumes, &found->random,
                    found->l1_to_l2, question->device);
    if (fw_device_figure(question->device, FW_FIGURE_TLB_MISSES, &misses))
        dram.reads = fmax(dram.reads, fw_tlb_misses(accesses, &found->volumes, &found->random,
                                                    &found->caches, question->device) /
                                          misses);
    fw_device_figure(question->device, FW_FIGURE_DRAM_COPY_BANDWIDTH, &rate);
    c->read_time = times(dram.reads * rate, found->volumes.dram_read.bytes);
    c->write_time = times(dram.writes * rate, found->volumes.dram_write.bytes);
    add_carried(c, &dram);
    fw_units_find(&work->units, work->arena, kernel, question->bound, question->launch,
                  question->device, &found->caches, &found->accesses, &found->requests,
                  question->alignments);
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (is_atomic(&kernel->accesses[a]) && costing_is_global(&kernel->accesses[a]))
            passes += c->warps[a] * c->requests[a].atomic_passes;
    const struct fw_l2_work asked = {.requests = &found->requests,
                                     .accesses = accesses,
                                     .order = c->order,
                                     .caches = &found->caches,
                                     .l2_to_l1 = found->l2_to_l1,
                                     .l1_to_l2 = found->l1_to_l2,
                                     .written = c->written};
    struct fw_l2_service l2;
    fw_l2_service_find(&l2, &asked, question->device);
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        if (kernel->accesses[a].direction == FW_LOAD ||
            !(costing_is_global(&kernel->accesses[a]) ||
              kernel->accesses[a].space == FW_SPACE_LOCAL))
            continue;
        stored += c->warps[a] * c->requests[a].sectors * c->sector;
        taken += c->warps[a] * taken_bytes(c, &c->requests[a]);
        passed += c->warps[a] * passed_bytes(c, &c->requests[a]);
    }
    c->sent = times(found->l1_to_l2, stored);
    c->store_taken = times(l2.taken, taken);
    c->store_bytes = times(l2.stores, passed);
    c->atomic_pass = passes > 0 ? work->units.atomic_service.seconds / passes : 0;
}

/* What was sampled for the volumes, where it was by the same sizes; else NULL. */
static struct fw_sample_memo *samples_before(const struct costing *c)
{
    const struct fw_sampling *own = &c->sampling;
    const struct fw_request_sizes sizes = {own->sector, own->line, own->banks, own->width,
                                           own->warp};
    return fw_requests_samples(&c->work->volumes.requests, &sizes);
}

void fw_trace_find_accesses(struct fw_trace_work *work)
{
    const struct fw_trace_question *question = work->question;
    const struct fw_kernel *kernel = question->kernel;
    struct costing c = {.work = work,
                        .sampling = {.kernel = kernel,
                                     .bound = question->bound,
                                     .launch = question->launch,
                                     .sector = work->volumes.caches.sector,
                                     .line = work->volumes.caches.line,
                                     .warp = FW_WARP_THREADS,
                                     .data = work->volumes.accesses.data,
                                     .nested = fw_find_nested(work->arena, kernel)},
                        .sector = work->volumes.caches.sector};
    c.sampling.banks = (uint32_t)fw_trace_figure(work, FW_FIGURE_SHARED_BANKS);
    c.sampling.width = (uint32_t)fw_trace_figure(work, FW_FIGURE_SHARED_BANK_BYTES);
    c.sampling.memo = fw_sample_memo_new(work->arena, samples_before(&c));
    c.order =
        fw_load_order_find(work->arena, kernel, question->bound, question->launch,
                           &work->volumes.accesses.affine, work->volumes.caches.barrier_in_loop);
    c.first = fw_trace_first_loads(work->arena, kernel);
    find_requests(&c);
    costing_find_misses(&c);
    find_wavefronts(&c);
    find_services(&c);
    costing_find_far_share(work);
    work->accesses = FW_ARRAY(work->arena, struct fw_sm_access, kernel->schedule_count + 1);
    double *rounds = FW_ARRAY(work->arena, double, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (is_requested(work, i) && c.warps[kernel->schedule[i].access] > 0) {
            cost_access(&c, i);
            if (costing_is_tried(&c, i)) {
                rounds[i] = costing_tries(&c, &work->accesses[i], i);
                work->costs.rounds = rounds;
            }
            hold_to_requests(work, &work->accesses[i]);
        }
}
