/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "pasr/generators/flamelet.h"

#define AT(member) offsetof(kb_flamelet, member)
static const kb_field fields[] = {
    {"mech", "mech", "mechanism: a name in datasets/mechanisms or a file", KB_FIELD_TEXT, AT(mech),
     0, 0, NULL, 0},
    {"thermo", "thermo", "separate thermo file of a CHEMKIN mechanism", KB_FIELD_TEXT, AT(thermo),
     0, 0, NULL, 1},
    {"fuel", "fuel", "species and moles at z = 1", KB_FIELD_TEXT, AT(fuel), 0, 0, NULL, 0},
    {"oxidizer", "oxidizer", "species and moles at z = 0", KB_FIELD_TEXT, AT(oxidizer), 0, 0, NULL,
     0},
    {"T_fuel_K", "T-fuel", "temperature of the fuel in K", KB_FIELD_NUMBER, AT(T_fuel), 200, 3000,
     NULL, 0},
    {"T_oxidizer_K", "T-oxidizer", "temperature of the oxidiser in K", KB_FIELD_NUMBER,
     AT(T_oxidizer), 200, 3000, NULL, 0},
    {"p_atm", "p", "pressure in atm", KB_FIELD_NUMBER, AT(p), 1e-3, 1e3, NULL, 0},
    {"strain_1_s", "strain", "strain rate in 1/s", KB_FIELD_NUMBER, AT(strain), 0, 1e7, NULL, 0},
    {"points", "points", "grid points inside z = 0 ... 1: ODEs of a global step", KB_FIELD_WHOLE,
     AT(points), 2, 1e7, NULL, 0},
    {"dt_s", "dt", "global step in s", KB_FIELD_NUMBER, AT(dt), 1e-15, 1, NULL, 0},
    {"steps", "steps", "global steps", KB_FIELD_WHOLE, AT(steps), 1, 1e7, NULL, 0},
    {"every", "every", "steps from one that is kept to the next", KB_FIELD_WHOLE, AT(every), 1, 1e7,
     NULL, 0},
    {"rtol", "rtol", "relative tolerance of the reaction step", KB_FIELD_NUMBER, AT(rtol), 1e-12,
     0.1, NULL, 0},
    {"atol", "atol", "absolute tolerance of the reaction step", KB_FIELD_NUMBER, AT(atol), 1e-300,
     0.1, NULL, 0},
    {0}};
const kb_recipe_form kb_flamelet_form = {"flamelet", KB_FLAMELET_VERSION, fields};

void kb_flamelet_defaults(kb_flamelet *r)
{
    *r = (kb_flamelet){.mech = kb_strdup("gri30"), .fuel = kb_strdup("CH4:1"),
                       .oxidizer = kb_strdup("O2:1,N2:3.76"), .T_fuel = 300, .T_oxidizer = 300,
                       .p = 1, .strain = 400, .points = 1024, .dt = 1e-6, .steps = 10, .every = 1,
                       .rtol = 1e-6, .atol = 1e-12};
}
