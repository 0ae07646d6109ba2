/* SPDX-License-Identifier: MIT
 *
 * Which rank gets which ODEs of a batch.
 */
#pragma once

#include <stdint.h>

#include "base/error.h"

typedef enum {
    KB_DEAL_STATIC,  /* n / ranks one after another */
    KB_DEAL_CYCLIC,  /* ODE i goes to rank i modulo ranks */
    KB_DEAL_COST,    /* sorted by a predicted cost, dealt out to and fro */
    KB_DEAL_DYNAMIC, /* chunks from a queue, whoever is free takes the next */
    KB_DEALS
} kb_deal;

extern const char *const kb_deal_names[KB_DEALS + 1]; /* the last is NULL */

/* order [n]: the ODEs of rank r are order[first[r]] .. order[first[r + 1] - 1]; first [ranks + 1].
 * cost [n]: for KB_DEAL_COST. order may be NULL for KB_DEAL_STATIC. Not for KB_DEAL_DYNAMIC. */
void kb_deal_out(kb_deal deal, long n, int ranks, const double *cost, long *order, long *first);

/* ODEs of a chunk of the queue: parts of the batch for each rank, a multiple of `unit`, but no more
 * than the ODEs over the ranks */
long kb_deal_chunk(long n, int ranks, int parts, long unit);

/* tells states [n numbers] and dt [s] from others: the same bits, wherever they lie, have the same
 * mark */
uint64_t kb_deal_mark(const double *states, long n, double dt);
