/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "pasr/generators/lem.h"

#define AT(member) offsetof(kb_lem, member)
static const kb_field fields[] = {
    {"mech", "mech", "mechanism: a name in datasets/mechanisms or a file", KB_FIELD_TEXT, AT(mech),
     0, 0, NULL, 0},
    {"thermo", "thermo", "separate thermo file of a CHEMKIN mechanism", KB_FIELD_TEXT, AT(thermo),
     0, 0, NULL, 1},
    {"fuel", "fuel", "species and moles", KB_FIELD_TEXT, AT(fuel), 0, 0, NULL, 0},
    {"oxidizer", "oxidizer", "species and moles", KB_FIELD_TEXT, AT(oxidizer), 0, 0, NULL, 0},
    {"diluent", "diluent", "species and moles", KB_FIELD_TEXT, AT(diluent), 0, 0, NULL, 0},
    {"T_fuel_K", "T-fuel", "temperatures of the fuel stream in K", KB_FIELD_AXIS, AT(T_fuel), 200,
     3000, NULL, 0},
    {"T_oxidizer_K", "T-oxidizer", "temperatures of the oxidiser stream in K", KB_FIELD_AXIS,
     AT(T_oxidizer), 200, 3000, NULL, 0},
    {"p_atm", "p", "pressures in atm", KB_FIELD_AXIS, AT(p), 1e-3, 1e3, NULL, 0},
    {"dilution", "dilution", "mole fractions of diluent in the fuel stream", KB_FIELD_AXIS,
     AT(dilution), 0, 0.999, NULL, 0},
    {"strain_1_s", "strain", "strain rates in 1/s", KB_FIELD_AXIS, AT(strain), 1, 1e6, NULL, 0},
    {"u_rms_m_s", "u-rms", "velocity fluctuations in m/s; 0: laminar", KB_FIELD_AXIS, AT(u), 0, 1e3,
     NULL, 0},
    {"integral_scale_mm", "integral-scale", "largest eddies in mm", KB_FIELD_AXIS, AT(length), 1e-6,
     1e4, NULL, 0},
    {"simulations", "simulations", "how many; each draws one value of every list", KB_FIELD_WHOLE,
     AT(simulations), 1, 1e6, NULL, 0},
    {"cells", "cells", "cells of a simulation", KB_FIELD_WHOLE, AT(cells), 10, 1e6, NULL, 0},
    {"domain_widths", "domain", "length of the line in laminar widths sqrt(2 D/strain)",
     KB_FIELD_NUMBER, AT(domain), 4, 1e4, NULL, 0},
    {"dt_s", "dt", "global step in s", KB_FIELD_NUMBER, AT(dt), 1e-15, 1, NULL, 0},
    {"steps", "steps", "global steps", KB_FIELD_WHOLE, AT(steps), 1, 1e7, NULL, 0},
    {"every", "every", "steps from one that is kept to the next", KB_FIELD_WHOLE, AT(every), 1, 1e7,
     NULL, 0},
    {"seed", "seed", "of the random numbers", KB_FIELD_WHOLE, AT(seed), 0, 9e15, NULL, 0},
    {"rtol", "rtol", "relative tolerance of the reaction step", KB_FIELD_NUMBER, AT(rtol), 1e-12,
     0.1, NULL, 0},
    {"atol", "atol", "absolute tolerance of the reaction step", KB_FIELD_NUMBER, AT(atol), 1e-300,
     0.1, NULL, 0},
    {0}};
const kb_recipe_form kb_lem_form = {"lem", KB_LEM_VERSION, fields};

void kb_lem_defaults(kb_lem *r)
{
    *r = (kb_lem){.mech = kb_strdup("gri30"), .fuel = kb_strdup("CH4:1"),
                  .oxidizer = kb_strdup("O2:1,N2:3.76"), .diluent = kb_strdup("N2:1"),
                  .T_fuel = {2, {300, 500}}, .T_oxidizer = {3, {300, 600, 900}}, .p = {1, {1}},
                  .dilution = {3, {0, 0.25, 0.5}}, .strain = {3, {50, 100, 200}},
                  .u = {4, {0.5, 1, 2, 4}}, .length = {3, {1, 2, 4}}, .simulations = 16,
                  .cells = 300, .domain = 20, .dt = 1e-5, .steps = 1001, .every = 50, .seed = 1,
                  .rtol = 1e-5, .atol = 1e-11};
}
