/* SPDX-License-Identifier: MIT
 *
 * flamelet: writes a database of states of a transient flamelet, and its recipe beside it.
 */
#include "drivers/generate/generate.h"
#include "pasr/generators/flamelet.h"

static int run(const void *recipe, const kb_generation *g, const kb_march_how *how, kb_output *o,
               kb_error *err)
{
    return kb_flamelet_run(recipe, g->m, g->s, how, o, err);
}

static const kb_generator generator = {
    .program = "flamelet", .form = &kb_flamelet_form, .march = run,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of a transient flamelet, and "
               "the recipe that makes it again (.json).\v"
               "The states of each global step, in the order of their mixture fraction, are taken "
               "between its diffusion and its reaction. Step, time and mixture fraction are in the "
               ".aux.npy file.",
    .example = "build/flamelet --mech h2 --fuel H2:1 --steps 5 --out h2.npy"};

int main(int argc, char **argv)
{
    kb_flamelet recipe;
    kb_flamelet_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
