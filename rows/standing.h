/* SPDX-License-Identifier: MIT
 *
 * The fastest of a contest at an error, and how it stands to CVODE.
 */
#pragma once

#include "rows/identity.h"
#include "rows/ranking.h"

typedef struct {
    kb_contest contest;
    double error;
    long row, cvode;                  /* of cells.csv; -1: none is as accurate */
    double us, lo, hi, cvode_us;      /* [us] for an ODE, the first with its interval */
    double ratio, ratio_lo, ratio_hi; /* of CVODE's time to it, with its interval; NAN: unknown */
} kb_standing;

/* ix: the samples of cells by id, which may have no rows. A contest of any place is held against
 * the CVODE of the place of its fastest. */
kb_standing kb_standing_of(const kb_csv *cells, const kb_sample_index *ix, const kb_identity *id,
                           const kb_contest *contest, double error);
