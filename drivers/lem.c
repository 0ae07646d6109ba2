/* SPDX-License-Identifier: MIT
 *
 * lem: writes a database of states of linear-eddy counter-flows, and its recipe beside it.
 */
#include "drivers/generate/generate.h"
#include "pasr/generators/lem.h"

static int run(const void *recipe, const kb_generation *g, const kb_march_how *how, kb_output *o,
               kb_error *err)
{
    return kb_lem_run(recipe, g->m, g->s, how, o, err);
}

static const kb_generator generator = {
    .program = "lem", .form = &kb_lem_form, .march = run,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of turbulent counter-flow "
               "flames in the linear-eddy model, and the recipe that makes it again (.json).\v"
               "Each simulation draws one value from every list of conditions. The states are "
               "taken between transport and reaction, in the order simulation, time, cell, so that "
               "neighbours in the file are neighbours in the flow. Simulation, time, cell and "
               "mixture fraction are in the .aux.npy file.",
    .example = "build/lem --mech h2 --fuel H2:1 --simulations 4 --out h2.npy"};

int main(int argc, char **argv)
{
    kb_lem recipe;
    kb_lem_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
