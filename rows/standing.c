/* SPDX-License-Identifier: MIT */
#include "rows/standing.h"

#include <math.h>
#include <stdlib.h>

kb_standing kb_standing_of(const kb_csv *t, const kb_sample_index *ix, const kb_identity *id,
                           const kb_contest *c, double error)
{
    kb_standing s = {*c, error, -1, -1, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    s.row = kb_fastest(t, c, error, NULL);
    kb_contest place = s.row < 0 ? *c : kb_contest_of(t, s.row);
    s.cvode = kb_fastest_cvode(t, &place, error);
    if (s.row < 0)
        return s;
    double us = 1e6 / atof(c->n);
    s.us = us * kb_csv_value(t, s.row, "time_s");
    s.lo = us * kb_csv_value(t, s.row, "time_lo_s");
    s.hi = us * kb_csv_value(t, s.row, "time_hi_s");
    if (s.cvode < 0)
        return s;
    s.cvode_us = us * kb_csv_value(t, s.cvode, "time_s");
    s.ratio = s.cvode_us / s.us;
    if (s.cvode != s.row) /* itself: 1, whatever the noise */
        kb_samples_ratio(ix, id, t, s.cvode, s.row, &s.ratio_lo, &s.ratio_hi);
    return s;
}
