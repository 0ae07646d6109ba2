/* SPDX-License-Identifier: MIT
 *
 * What a call of libkinbench returned, and what it says of it; after cmocka.h and kinbench.h.
 */
#pragma once

#include <string.h>

static void good(int code)
{
    if (code)
        fail_msg("code %d: %s", code, kb_last_error());
}

static void bad(int code, int expected, const char *says)
{
    if (code != expected || !strstr(kb_last_error(), says))
        fail_msg("code %d, expected %d; '%s' does not say '%s'", code, expected, kb_last_error(),
                 says);
}
