/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/march.h"

#include <stdio.h>
#include <string.h>

char *kb_march_state(kb_march *m, size_t more)
{
    m->size = sizeof *m->clock + more;
    m->state = kb_alloc(m->size, 1);
    m->before = kb_alloc(m->size, 1);
    m->clock = (kb_march_clock *)m->state;
    return m->state + sizeof *m->clock;
}

void kb_march_free(kb_march *m)
{
    free(m->state);
    free(m->before);
}

long kb_march_kept(const kb_march *m)
{
    long step = (long)m->clock->step;
    return step < m->first ? 0 : (step - m->first) / m->every + 1;
}

static void keep(kb_march *m)
{
    long step = (long)m->clock->step;
    if (step >= m->first && (step - m->first) % m->every == 0)
        m->keep(m->work, kb_march_kept(m) - 1);
}

/* An interrupted step is taken back, so that what follows later is the same. */
static int advance(kb_march *m, kb_error *err)
{
    memcpy(m->before, m->state, m->size);
    m->clock->step++;
    int code = m->how->stop && *m->how->stop ? kb_fail(err, KB_INTERRUPTED, "interrupted")
                                             : m->step(m->work, err);
    if (code)
        memcpy(m->state, m->before, m->size);
    else
        keep(m);
    return code;
}

int kb_march_resume(kb_march *m, const kb_recipe_form *form, const void *recipe,
                    const kb_solvers *s, kb_error *err)
{
    char *build = kb_format("%s %s %s", s->sha256, s->compiler, s->flags);
    kb_recipe_hash(form, recipe, build, m->hash);
    free(build);
    return m->how->path ? kb_checkpoint_read(m, err) : KB_OK;
}

/* after a step that ended with code */
static int save(kb_march *m, int code, kb_error *err)
{
    const kb_march_how *how = m->how;
    int time = how->checkpoint > 0 && m->clock->step % how->checkpoint == 0;
    if (!how->path || !(code == KB_INTERRUPTED || (!code && time)))
        return code;
    kb_error why = {0};
    int saved = kb_checkpoint_write(m, &why);
    if (!saved)
        return code;
    if (code) { /* interrupted, and what was done is lost */
        *err = why;
        return saved;
    }
    fprintf(stderr, "warning: %s; the run goes on, and an earlier checkpoint stays\n", why.text);
    return KB_OK;
}

int kb_march_run(kb_march *m, kb_error *err)
{
    int code = KB_OK;
    if (m->clock->step == 0)
        keep(m);
    while (m->clock->step < m->steps && !code) {
        code = advance(m, err);
        if (!code && m->how->progress)
            m->how->progress(m->how->data, (long)m->clock->step, m->steps);
        code = save(m, code, err);
    }
    if (code == KB_INTERRUPTED)
        kb_fail(err, code, "interrupted after step %ld of %ld%s", (long)m->clock->step, m->steps,
                m->how->path ? "; the same command continues from there" : "");
    return code;
}
