/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/fields.h"
#include "pasr/generators/flamelet.h"

#define KB_RECIPE_TYPE kb_flamelet
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROW_TEXT("fuel", "fuel", fuel, 0, "species and moles at z = 1"),
    KB_ROW_TEXT("oxidizer", "oxidizer", oxidizer, 0, "species and moles at z = 0"),
    KB_ROW_NUMBER("T_fuel_K", "T-fuel", T_fuel, 200, 3000, 0, "temperature of the fuel in K"),
    KB_ROW_NUMBER("T_oxidizer_K", "T-oxidizer", T_oxidizer, 200, 3000, 0,
                  "temperature of the oxidiser in K"),
    KB_ROW_NUMBER("p_atm", "p", p, 1e-3, 1e3, 0, "pressure in atm"),
    KB_ROW_NUMBER("strain_1_s", "strain", strain, 0, 1e7, 0, "strain rate in 1/s"),
    KB_ROW_WHOLE("points", "points", points, 2, 1e7, 0,
                 "grid points inside z = 0 ... 1: ODEs of a global step"),
    KB_ROWS_MARCH,
    KB_ROWS_TOLERANCES(1e-12, "the reaction step"),
    {0}};
const kb_recipe_form kb_flamelet_form = {"flamelet", KB_FLAMELET_VERSION, fields};

void kb_flamelet_defaults(kb_flamelet *r)
{
    *r = (kb_flamelet){.mech = kb_strdup("gri30"), .fuel = kb_strdup("CH4:1"),
                       .oxidizer = kb_strdup("O2:1,N2:3.76"), .T_fuel = 300, .T_oxidizer = 300,
                       .p = 1, .strain = 400, .points = 1024, .dt = 1e-6, .steps = 10, .every = 1,
                       .rtol = 1e-6, .atol = 1e-12};
}
