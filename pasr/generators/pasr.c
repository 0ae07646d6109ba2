/* SPDX-License-Identifier: MIT */
#include "pasr/generators/pasr.h"

#include <string.h>

#include "pasr/generators/pasr_inside.h"

/* rows of the particles of condition c, and their pairs, whose first one is row `first` */
static void keep_rows(kb_pasr_work *w, long c, long first, const double *rows)
{
    size_t one = (size_t)w->n * (size_t)w->columns;
    const int64_t *place = w->place + c * w->n;
    memcpy(w->kept_rows + first * w->columns, rows + (size_t)c * one, one * sizeof *rows);
    for (long j = 0; j < w->n; j++)
        w->kept_pairs[first + place[j]] = (double)(first + place[j ^ 1]);
}

static void keep(void *work, long k)
{
    kb_pasr_work *w = work;
    const double *kinds[] = {w->mixed, w->r->states == KB_ROWS_BEFORE ? NULL : w->rows};
    for (long c = 0; c < w->conditions; c++) {
        long first = (c * w->plan.kept + k) * w->rows_of_time;
        for (int i = 0; i < 2; i++)
            if (kinds[i]) {
                keep_rows(w, c, first, kinds[i]);
                first += w->n;
            }
    }
}

int kb_pasr_run(const kb_pasr *r, const kb_mech *m, const kb_solvers *s, const kb_march_how *how,
                kb_output *o, kb_error *err)
{
    kb_pasr_work w = {.r = r, .m = m, .s = s, .how = how};
    int code = kb_pasr_begin(&w, err);
    w.march.work = &w;
    w.march.step = kb_pasr_step;
    w.march.keep = keep;
    if (!code)
        code = kb_march_resume(&w.march, &kb_pasr_form, r, s, err);
    if (!code)
        code = kb_march_run(&w.march, err);
    if (!code) {
        code = kb_pasr_results(&w, o, err);
        if (code == KB_INTERRUPTED && how->path) /* what the steps gave is not lost */
            kb_checkpoint_write(&w.march, NULL);
    }
    kb_pasr_end(&w);
    return code;
}
