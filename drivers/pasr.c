/* SPDX-License-Identifier: MIT
 *
 * pasr: writes a database of the particles of partially stirred reactors, and its recipe beside it.
 */
#include "drivers/generate/generate.h"
#include "pasr/generators/pasr.h"

static int run(const void *recipe, const kb_generation *g, const kb_march_how *how, kb_output *o,
               kb_error *err)
{
    return kb_pasr_run(recipe, g->m, g->s, how, o, err);
}

static const kb_generator generator = {
    .program = "pasr", .form = &kb_pasr_form, .march = run,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of the particles of partially "
               "stirred reactors, one reactor for each T0 and p, and the recipe that makes it "
               "again (.json).\vTime, condition, particle, mixture fraction and progress of each "
               "row are in the .aux.npy file.",
    .example = "build/pasr --mech h2 --fuel H2:1 --particles 50 --out h2.npy"};

int main(int argc, char **argv)
{
    kb_pasr recipe;
    kb_pasr_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
