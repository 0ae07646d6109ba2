/* SPDX-License-Identifier: MIT */
#include "pasr.h"

#include <string.h>

#include "pasr_parts.h"

long kb_pasr_kept_now(const kb_pasr_work *w)
{
    long step = (long)w->clock->step;
    return step < w->first ? 0 : (step - w->first) / w->r->every + 1;
}

static void keep(kb_pasr_work *w)
{
    long step = (long)w->clock->step, k = kb_pasr_kept_now(w) - 1;
    size_t one = (size_t)w->n * (size_t)w->columns;
    if (step < w->first || (step - w->first) % w->r->every)
        return;
    for (long c = 0; c < w->conditions; c++)
        memcpy(w->kept_rows + (size_t)(c * w->kept + k) * one, w->rows + (size_t)c * one,
               one * sizeof *w->rows);
}

/* An interrupted step is taken back, so that what goes on later is the same. */
static int advance(kb_pasr_work *w, kb_error *err)
{
    memcpy(w->before, w->state, w->size);
    int code = w->how->stop && *w->how->stop ? kb_fail(err, KB_INTERRUPTED, "interrupted")
                                             : kb_pasr_step(w, err);
    if (code)
        memcpy(w->state, w->before, w->size);
    else
        keep(w);
    return code;
}

static int run_steps(kb_pasr_work *w, kb_error *err)
{
    const kb_pasr_how *how = w->how;
    int code = KB_OK;
    while (w->clock->step < w->steps && !code) {
        code = advance(w, err);
        if (!code && how->progress)
            how->progress(how->data, (long)w->clock->step, w->steps);
        int time = how->checkpoint > 0 && w->clock->step % how->checkpoint == 0;
        if (how->path && (code == KB_INTERRUPTED || (!code && time))) {
            kb_error why = {0};
            int saved = kb_pasr_checkpoint(w, &why);
            if (saved)
                return kb_fail(err, saved, "%s", why.text);
        }
    }
    if (code == KB_INTERRUPTED)
        kb_fail(err, code, "interrupted after step %ld of %ld%s", (long)w->clock->step, w->steps,
                how->path ? "; the same command goes on from there" : "");
    return code;
}

int kb_pasr_run(const kb_pasr *r, const kb_mech *m, const kb_solvers *s, const kb_pasr_how *how,
                kb_output *o, kb_error *err)
{
    kb_pasr_work w = {.r = r, .m = m, .s = s, .how = how};
    int code = kb_pasr_begin(&w, err);
    if (!code && how->path)
        code = kb_pasr_resume(&w, err);
    if (!code && w.clock->step == 0)
        keep(&w);
    if (!code)
        code = run_steps(&w, err);
    if (!code)
        code = kb_pasr_results(&w, o, err);
    kb_pasr_end(&w);
    return code;
}
