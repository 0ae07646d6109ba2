/* SPDX-License-Identifier: MIT
 *
 * Numbers as fields of a table (base/table.h).
 */
#pragma once

#include <math.h>
#include <stdio.h>

#include "base/error.h"

/* as a format of printf writes it, "-" for NAN; the caller frees */
static inline char *kb_shown(const char *format, double x)
{
    char text[64];
    snprintf(text, sizeof text, format, x);
    return kb_strdup(isnan(x) ? "-" : text);
}
