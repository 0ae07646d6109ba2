/* SPDX-License-Identifier: MIT */
#include "drivers/generate/march.h"

#include <stdio.h>

#include "base/interrupt.h"
#include "base/progress.h"

#define CHECKPOINT 25 /* steps */

typedef struct {
    kb_progress line;
    double start;
    long first, steps; /* first: done before this run; -1: not known yet */
} view;

static void show(void *data, long step, long steps)
{
    view *v = data;
    if (v->first < 0)
        v->first = step - 1;
    v->steps = steps;
    double each = (kb_clock() - v->start) / (double)(step - v->first);
    kb_progress_show(&v->line, step, steps, each * (double)(steps - step), "steps");
}

int kb_march_shown(const kb_generator *gen, const void *recipe, const kb_generation *g,
                   kb_output *o, kb_error *err)
{
    view v = {.start = kb_clock(), .first = -1};
    kb_march_how how = {.threads = g->threads, .stop = g->stop, .path = g->out,
                        .checkpoint = CHECKPOINT, .progress = show, .data = &v};
    kb_progress_start(&v.line, g->quiet);
    int code = gen->march(recipe, g, &how, o, err);
    kb_progress_end(&v.line);
    char text[32];
    if (!code && !g->quiet && v.first >= 0)
        printf("%ld steps%s: %s\n", v.steps - v.first, v.first ? ", the rest of them" : "",
               kb_duration(kb_clock() - v.start, text));
    return code;
}
