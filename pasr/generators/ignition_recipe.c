/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>

#include "pasr/generators/ignition.h"

static const char *const reactors[] = {"constant pressure", "constant volume", NULL};

#define AT(member) offsetof(kb_ignition, member)
static const kb_field fields[] = {
    {"mech", "mech", "mechanism: a name in datasets/mechanisms or a file", KB_FIELD_TEXT, AT(mech),
     0, 0, NULL, 0},
    {"thermo", "thermo", "separate thermo file of a CHEMKIN mechanism", KB_FIELD_TEXT, AT(thermo),
     0, 0, NULL, 1},
    {"fuel", "fuel", "species and moles", KB_FIELD_TEXT, AT(fuel), 0, 0, NULL, 0},
    {"oxidizer", "oxidizer", "species and moles", KB_FIELD_TEXT, AT(oxidizer), 0, 0, NULL, 0},
    {"T0_K", "T0", "initial temperatures in K", KB_FIELD_AXIS, AT(T0), 200, 5000, NULL, 0},
    {"p_atm", "p", "pressures in atm", KB_FIELD_AXIS, AT(p), 1e-6, 1e4, NULL, 0},
    {"phi", "phi", "equivalence ratios", KB_FIELD_AXIS, AT(phi), 0, 1e6, NULL, 0},
    {"reactor", "reactor", "what is held", KB_FIELD_CHOICE, AT(reactor), 0, 0, reactors, 0},
    {"n", "n", "states in all, evenly spaced in time from t = 0, shared by the reactors; more states "
     "lie closer together", KB_FIELD_WHOLE, AT(n), 1, 1e9, NULL, 0},
    {"tile", "tile", "make so many states and repeat them up to n, as the papers do; without it no "
     "state comes twice", KB_FIELD_WHOLE, AT(tile), 1, 1e9, NULL, 1},
    {"span", "span", "end of sampling, in ignition delays", KB_FIELD_NUMBER, AT(span), 1e-9, 1e9,
     NULL, 0},
    {"t_end_s", "t-end", "end of sampling in s, instead of span", KB_FIELD_NUMBER, AT(t_end), 1e-15,
     1e9, NULL, 1},
    {"spacing_s", "spacing", "time between states in s, instead of end / states", KB_FIELD_NUMBER,
     AT(spacing), 1e-18, 1e9, NULL, 1},
    {"rtol", "rtol", "relative tolerance of CVODE", KB_FIELD_NUMBER, AT(rtol), 1e-15, 0.1, NULL, 0},
    {"atol", "atol", "absolute tolerance of CVODE", KB_FIELD_NUMBER, AT(atol), 1e-300, 0.1, NULL, 0},
    {0}};
const kb_recipe_form kb_ignition_form = {"ignition", KB_IGNITION_VERSION, fields};

static json_t *path_object(const kb_ignition_path *p)
{
    return json_pack("{s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:I, s:I}", "T0_K", p->T0, "p_atm", p->p,
                     "phi", p->phi, "ignition_delay_s",
                     isnan(p->delay) ? json_null() : json_real(p->delay), "t_end_s", p->t_end,
                     "spacing_s", p->spacing, "T_max_K", p->T_max, "first_row",
                     (json_int_t)p->first, "rows", (json_int_t)p->n);
}

json_t *kb_ignition_results(const kb_ignition *r, const kb_ignition_path *paths)
{
    json_t *list = json_array();
    for (int k = 0; k < kb_ignition_reactors(r); k++)
        json_array_append_new(list, path_object(&paths[k]));
    return json_pack("{s:o}", "reactors", list);
}
