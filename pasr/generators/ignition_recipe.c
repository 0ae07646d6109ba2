/* SPDX-License-Identifier: MIT */

#include "base/json.h"
#include "pasr/generators/common/fields.h"
#include "pasr/generators/ignition.h"

static const char *const reactors[] = {"constant pressure", "constant volume", NULL};

#define KB_RECIPE_TYPE kb_ignition
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROWS_STREAMS,
    KB_ROW_AXIS("T0_K", "T0", T0, 200, 5000, "initial temperatures in K"),
    KB_ROW_AXIS("p_atm", "p", p, 1e-5, 9869, "pressures in atm"),
    KB_ROW_AXIS("phi", "phi", phi, 0, 1e6, "equivalence ratios"),
    KB_ROW_CHOICE("reactor", "reactor", reactor, reactors,
                  "constant pressure or constant volume"),
    KB_ROW_WHOLE("n", "n", n, 1, 1e9, 0, "states in all, evenly spaced in time from t = 0, shared "
                 "by the reactors; more states lie closer together"),
    KB_ROW_WHOLE("tile", "tile", tile, 1, 1e9, 1, "make this number of states and repeat them up "
                 "to n, as the papers do; without it no state comes twice"),
    KB_ROW_NUMBER("span", "span", span, 1e-9, 1e9, 0, "end of sampling, in ignition delays"),
    KB_ROW_NUMBER("t_end_s", "t-end", t_end, 1e-15, 1e9, 1,
                  "end of sampling in s, instead of span"),
    KB_ROW_NUMBER("spacing_s", "spacing", spacing, 1e-18, 1e9, 1,
                  "time between states in s, instead of end / states"),
    KB_ROWS_TOLERANCES(1e-15, "CVODE"),
    {0}};
const kb_recipe_form kb_ignition_form = {"ignition", KB_IGNITION_VERSION, fields};

static json_t *path_object(const kb_ignition_path *p)
{
    return json_pack("{s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:I, s:I}", "T0_K", p->T0, "p_atm", p->p,
                     "phi", p->phi, "ignition_delay_s",
                     kb_json_number(p->delay), "t_end_s", p->t_end,
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
