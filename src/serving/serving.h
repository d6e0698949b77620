/* Services: launches answered one after the other, a line of JSON each, for schedulers.
 *
 * Takes request lines (docs/serving.md): which kernel of which file, its launch, a device; gives
 * reply lines: seconds, watts, limiter, or what is wrong.  Keeps programs that were read, kernels
 * that are bound, devices, and answers, all of them in bounded number, so that a launch of a known
 * kernel costs its prediction and one that was asked before costs its reading.  A line that is at
 * fault fails alone.  Lines may come from anybody: their length, depth and values are bounded.
 * One thread uses a service at a time.  Never reads or writes a stream. */
#ifndef FW_SERVING_H
#define FW_SERVING_H

#include "session.h"

struct fw_service;

/* Settings are complete, of this header's size. */
enum fw_status fw_service_make(struct fw_service **service, const struct fw_context *context,
                               const struct fw_service_settings *settings);
void fw_service_drop(struct fw_service *service);

/* The reply lives until the next call; `number` is the line's, for the reply.  FW_ERROR_MEMORY
 * alone fails: a reply cannot be made. */
enum fw_status fw_service_reply(const char **reply, struct fw_service *service, uint64_t number,
                                const char *line, size_t length);
const char *fw_service_sum(struct fw_service *service);

#endif
