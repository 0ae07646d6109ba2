/* SPDX-License-Identifier: MIT
 *
 * pasr: writes a database of the particles of partially stirred reactors, and its recipe beside it.
 */
#include "../pasr/pasr.h"

#include <stdio.h>

#include "generate.h"
#include "interrupt.h"
#include "progress.h"

#define CHECKPOINT 25 /* steps */

typedef struct {
    kb_progress line;
    double start;
    long first; /* step at which this run began; -1: not yet */
} view;

static void show(void *data, long step, long steps)
{
    view *v = data;
    if (v->first < 0)
        v->first = step - 1;
    double each = (kb_clock() - v->start) / (double)(step - v->first);
    kb_progress_show(&v->line, step, steps, each * (double)(steps - step), "time steps");
}

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    const kb_pasr *r = recipe;
    view v = {.start = kb_clock(), .first = -1};
    kb_pasr_how how = {.threads = g->threads, .stop = g->stop, .path = g->out,
                       .checkpoint = CHECKPOINT, .progress = show, .data = &v};
    kb_progress_start(&v.line, g->quiet);
    int code = kb_pasr_run(r, g->m, g->s, &how, o, err);
    kb_progress_end(&v.line);
    char text[32];
    if (!code && !g->quiet)
        printf("%d conditions, %ld steps of %g s%s: %s\n", kb_pasr_conditions(r), kb_pasr_steps(r),
               kb_pasr_dt(r), v.first > 0 ? " (some of them earlier)" : "",
               kb_duration(kb_clock() - v.start, text));
    return code;
}

static const kb_generator generator = {
    .program = "pasr", .form = &kb_pasr_form, .make = make, .saved = kb_pasr_drop_checkpoint,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of the particles of partially "
               "stirred reactors, one reactor for each T0 and p, and the recipe that makes it again "
               "(.json); time, condition, particle, mixture fraction and progress of each row go to "
               ".aux.npy.\v"
               "An interrupted run goes on where it stopped when the same command is given again."};

int main(int argc, char **argv)
{
    kb_pasr recipe;
    kb_pasr_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
