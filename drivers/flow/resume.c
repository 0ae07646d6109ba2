/* SPDX-License-Identifier: MIT */
#include "drivers/flow/resume.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"

/* everything that decides the bits of a run; what may be long stands last */
static char *words_of(const kb_flow_settings *set, const kb_flow *f, const char *gas,
                      const char *text)
{
    const kb_flow_options *o = &f->options;
    return kb_format("%s %s %s %dx%d %d %d %d %d %.17g %.17g %.17g %llu %.17g %.17g %.17g %.17g "
                     "%.17g %d %d %s|%s|%s", f->problem.name, f->engine->scheme, f->engine->engine,
                     o->nx, o->ny, o->variables, o->riemann, o->nets, o->turn, o->end, o->cfl,
                     o->noise, o->seed, set->p, set->T, f->problem.x1, f->problem.y1, set->T_react,
                     set->splitting, set->frames, gas, text, set->mixture);
}

int kb_flow_resume_open(kb_flow_resume *r, const kb_flow_settings *set, const char *folder,
                        kb_flow *f, const char *gas, const char *text, void *more, size_t size,
                        kb_error *err)
{
    bool found;
    char *plain = kb_strdup(text);
    for (char *c = plain; *c; c++)
        if (*c == '/')
            *c = '-';
    *r = (kb_flow_resume){.folder = folder, .interval = 60 * set->checkpoint, .more = more,
                          .size = size, .begin = kb_clock(), .last = kb_clock()};
    r->path = kb_format("%s/%s-%s-%d%s%s.checkpoint", folder, f->engine->scheme, f->engine->engine,
                        f->options.nx, *plain ? "-" : "", plain);
    r->what = words_of(set, f, gas, text);
    free(plain);
    kb_owned char *with = kb_alloc(size + sizeof r->spent, 1);
    if (size)
        memcpy(with, more, size);
    int code = kb_flow_checkpoint_read(f, r->path, r->what, with, size + sizeof r->spent, &found,
                                       err);
    if (!code && found) {
        if (size)
            memcpy(more, with, size);
        memcpy(&r->spent, with + size, sizeof r->spent);
        if (!set->quiet && kb_flow_writes(f->options.world))
            fprintf(stderr, "goes on from step %ld (%s)\n", f->step, r->path);
    }
    return code;
}

double kb_flow_resume_seconds(const kb_flow_resume *r) { return r->spent + kb_clock() - r->begin; }

static int write_run(kb_flow_resume *r, const kb_flow *f, kb_error *err)
{
    double spent = kb_flow_resume_seconds(r);
    kb_owned char *with = kb_alloc(r->size + sizeof spent, 1);
    if (r->size)
        memcpy(with, r->more, r->size);
    memcpy(with + r->size, &spent, sizeof spent);
    int code = kb_flow_checkpoint_write(f, r->path, r->what, with, r->size + sizeof spent, err);
    r->last = kb_clock();
    return code;
}

int kb_flow_resume_step(kb_flow_resume *r, const kb_flow *f, int code, kb_error *err)
{
    const kb_flow_world *world = f->options.world;
    code = kb_flow_agree(world, code, err);
    if (code || r->interval <= 0 || !kb_flow_told(world, kb_clock() - r->last >= r->interval))
        return code;
    kb_error why = {0};
    if (write_run(r, f, &why) && kb_flow_writes(world))
        fprintf(stderr, "warning: %s; the run goes on, and an earlier checkpoint stays\n",
                why.text);
    return KB_OK;
}

int kb_flow_resume_close(kb_flow_resume *r, const kb_flow *f, int code, kb_error *err)
{
    kb_error why = {0};
    if (r->path && r->interval > 0 && code == KB_INTERRUPTED) {
        int written = write_run(r, f, &why);
        if (written) {
            *err = why;
            code = written;
        } else {
            kb_fail(err, code, "interrupted after step %ld (t = %g); the same command goes on from "
                    "there", f->step, f->t);
        }
    }
    free(r->path);
    free(r->what);
    return code;
}

void kb_flow_resume_drop(const char *folder)
{
    glob_t found;
    kb_owned char *pattern = kb_format("%s/*.checkpoint", folder);
    if (!glob(pattern, 0, NULL, &found))
        for (size_t k = 0; k < found.gl_pathc; k++)
            remove(found.gl_pathv[k]);
    globfree(&found);
}
