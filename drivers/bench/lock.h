/* SPDX-License-Identifier: MIT
 *
 * One bench or kernels measures at a time on a machine.
 */
#pragma once

#include "base/error.h"
#include "base/progress.h"

/* Waits, and says so (also with --quiet), while another bench measures; the lock goes with the
 * process. It is the file KB_LOCK (default /tmp/kinbench.lock; empty: no lock). If a file cannot be
 * locked, a note says so. Returns KB_OK, or KB_INTERRUPTED. */
int kb_machine_lock(kb_progress *progress, kb_error *err);
