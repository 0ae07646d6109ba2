/* SPDX-License-Identifier: MIT
 *
 * Mechanisms that are alike: with the same species and reactions in the same order, and the same
 * tables to nine digits, in whatever order a reaction names its species and colliders. Files of one
 * mechanism by different programs are, though their hashes differ.
 */
#pragma once

#include "mech/mech.h"

/* "NSP NREACTIONS HASH", equal for mechanisms that are alike; "" for one beyond the limits of the
 * tables. Caller frees. */
char *kb_mech_likeness(const kb_mech *m);
