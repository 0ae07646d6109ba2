/* SPDX-License-Identifier: MIT
 *
 * A run on disk, so that it continues to the same bits after an interruption or a power cut.
 */
#pragma once

#include "flow/run/flow.h"

/* The whole state under a temporary name, then renamed. what: the words of the run, which reading
 * compares; more [size]: what the caller keeps beside it (seconds spent, samples of a front). */
int kb_flow_checkpoint_write(const kb_flow *f, const char *path, const char *what, const void *more,
                             size_t size, kb_error *err);
/* Into a run that kb_flow_open has just made the same way (chemistry set). found: whether there
 * was a file. Errors: it belongs to another run, or is damaged. */
int kb_flow_checkpoint_read(kb_flow *f, const char *path, const char *what, void *more, size_t size,
                            bool *found, kb_error *err);
