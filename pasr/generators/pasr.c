/* SPDX-License-Identifier: MIT */
#include "pasr/generators/pasr.h"

#include <string.h>

#include "pasr/generators/pasr_inside.h"

static void keep(void *work, long k)
{
    kb_pasr_work *w = work;
    size_t one = (size_t)w->n * (size_t)w->columns;
    const double *kinds[] = {w->mixed, w->r->states == KB_ROWS_BEFORE ? NULL : w->rows};
    double *to = w->kept_rows + (size_t)(k * w->rows_of_time) * (size_t)w->columns;
    size_t condition = (size_t)(w->plan.kept * w->rows_of_time) * (size_t)w->columns;
    for (int i = 0; i < 2; i++) {
        for (size_t c = 0; c < (size_t)w->conditions && kinds[i]; c++)
            memcpy(to + c * condition, kinds[i] + c * one, one * sizeof *to);
        to += kinds[i] ? one : 0;
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
