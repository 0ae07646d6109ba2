/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/fields.h"
#include "pasr/generators/lem.h"

#define KB_RECIPE_TYPE kb_lem
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROWS_STREAMS,
    KB_ROW_TEXT("diluent", "diluent", diluent, 0, "species and moles"),
    KB_ROW_AXIS("T_fuel_K", "T-fuel", T_fuel, 200, 3000, "temperatures of the fuel stream in K"),
    KB_ROW_AXIS("T_oxidizer_K", "T-oxidizer", T_oxidizer, 200, 3000,
                "temperatures of the oxidiser stream in K"),
    KB_ROW_AXIS("p_atm", "p", p, 1e-3, 1e3, "pressures in atm"),
    KB_ROW_AXIS("dilution", "dilution", dilution, 0, 0.999,
                "mole fractions of diluent in the fuel stream"),
    KB_ROW_AXIS("strain_1_s", "strain", strain, 1, 1e6, "strain rates in 1/s"),
    KB_ROW_AXIS("u_rms_m_s", "u-rms", u, 0, 1e3, "velocity fluctuations in m/s; 0: laminar"),
    KB_ROW_AXIS("integral_scale_mm", "integral-scale", length, 1e-6, 1e4, "largest eddies in mm"),
    KB_ROW_WHOLE("simulations", "simulations", simulations, 1, 1e6, 0,
                 "how many; each draws one value of every list"),
    KB_ROW_WHOLE("cells", "cells", cells, 10, 1e6, 0, "cells of a simulation"),
    KB_ROW_NUMBER("domain_widths", "domain", domain, 4, 1e4, 0,
                  "length of the line in laminar widths sqrt(2 D/strain)"),
    KB_ROWS_MARCH,
    KB_ROW_WHOLE("seed", "seed", seed, 0, 9e15, 0, "seed of the random numbers"),
    KB_ROWS_TOLERANCES(1e-12, "the reaction step"),
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
