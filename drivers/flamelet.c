/* SPDX-License-Identifier: MIT
 *
 * flamelet: writes a database of states of a transient flamelet, and its recipe beside it.
 */
#include "../pasr/flamelet.h"
#include "generate.h"
#include "interrupt.h"
#include "progress.h"

static kb_progress line;
static double began;

static void show(long done, long total)
{
    double left = (kb_clock() - began) / (double)done * (double)(total - done);
    kb_progress_show(&line, done, total, left, "global steps");
}

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    kb_progress_start(&line, g->quiet);
    began = kb_clock();
    int code = kb_flamelet_run(recipe, g->m, g->s, g->threads, g->stop, show, o, err);
    kb_progress_end(&line);
    return code;
}

static const kb_generator generator = {
    .program = "flamelet", .form = &kb_flamelet_form, .make = make,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of a transient flamelet, and "
               "the recipe that makes it again (.json).\v"
               "The states of each global step, in the order of their mixture fraction, are those "
               "between its diffusion and its reaction. Step, time and mixture fraction are in the "
               ".aux.npy file."};

int main(int argc, char **argv)
{
    kb_flamelet recipe;
    kb_flamelet_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
