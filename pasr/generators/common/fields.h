/* SPDX-License-Identifier: MIT
 *
 * Rows of a generator's table of fields (kb_field in pasr/database/recipe.h), and the rows that
 * generators share. KB_RECIPE_TYPE is the struct of the recipe, to be defined before the table.
 */
#pragma once

#include <stddef.h>

#include "pasr/database/recipe.h"

/* key in the recipe, option of the command line, member of the struct, inclusive bounds, whether it
 * may be missing, help with its unit */
#define KB_ROW(key, option, kind, member, low, high, choices, optional, help) \
    {key, option, help, kind, offsetof(KB_RECIPE_TYPE, member), low, high, choices, optional}
#define KB_ROW_TEXT(key, option, member, optional, help) \
    KB_ROW(key, option, KB_FIELD_TEXT, member, 0, 0, NULL, optional, help)
#define KB_ROW_NUMBER(key, option, member, low, high, optional, help) \
    KB_ROW(key, option, KB_FIELD_NUMBER, member, low, high, NULL, optional, help)
#define KB_ROW_WHOLE(key, option, member, low, high, optional, help) \
    KB_ROW(key, option, KB_FIELD_WHOLE, member, low, high, NULL, optional, help)
#define KB_ROW_AXIS(key, option, member, low, high, help) \
    KB_ROW(key, option, KB_FIELD_AXIS, member, low, high, NULL, 0, help)
#define KB_ROW_CHOICE(key, option, member, choices, help) \
    KB_ROW(key, option, KB_FIELD_CHOICE, member, 0, 0, choices, 0, help)

#define KB_ROWS_MECHANISM \
    KB_ROW_TEXT("mech", "mech", mech, 0, "mechanism: a name in datasets/mechanisms or a file"), \
    KB_ROW_TEXT("thermo", "thermo", thermo, 1, "separate thermo file of a CHEMKIN mechanism")

#define KB_ROWS_STREAMS \
    KB_ROW_TEXT("fuel", "fuel", fuel, 0, "species and moles"), \
    KB_ROW_TEXT("oxidizer", "oxidizer", oxidizer, 0, "species and moles")

/* of generators that go from step to step */
#define KB_ROWS_MARCH \
    KB_ROW_NUMBER("dt_s", "dt", dt, 1e-15, 1, 0, "global step in s"), \
    KB_ROW_WHOLE("steps", "steps", steps, 1, 1e7, 0, "global steps"), \
    KB_ROW_WHOLE("every", "every", every, 1, 1e7, 0, "steps from one that is kept to the next")

/* of: whose tolerances they are */
#define KB_ROWS_TOLERANCES(low, of) \
    KB_ROW_NUMBER("rtol", "rtol", rtol, low, 0.1, 0, "relative tolerance of " of), \
    KB_ROW_NUMBER("atol", "atol", atol, 1e-300, 0.1, 0, "absolute tolerance of " of)
