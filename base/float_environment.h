/* SPDX-License-Identifier: MIT
 *
 * The floating-point environment of a thread that belongs to somebody else. Between the two calls
 * nothing traps, and arithmetic rounds to nearest and keeps denormals, whatever the owner has set;
 * afterwards flags, traps and rounding are the owner's again.
 */
#pragma once

#include <fenv.h>

static inline void kb_environment_hold(fenv_t *owners)
{
    fegetenv(owners);
    fesetenv(FE_DFL_ENV);
}

static inline void kb_environment_restore(const fenv_t *owners) { fesetenv(owners); }

/* as a declaration: from here to the end of the block, however it is left */
#define KB_HOLD_ENVIRONMENT()                                                                      \
    fenv_t owners_environment_ __attribute__((cleanup(kb_environment_restore)));                   \
    kb_environment_hold(&owners_environment_)
