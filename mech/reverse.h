/* SPDX-License-Identifier: MIT
 *
 * Reverse reactions as reactions of their own. The results borrow the lists of r: they are not to
 * be freed.
 */
#pragma once

#include "mech/mech.h"

/* r as a one-way reaction, as it stands or, with exchange, its sides and orders exchanged */
kb_reaction kb_one_way(const kb_reaction *r, bool exchange);

/* The reverse half of a reaction with an explicit reverse rate: kr stands for the high limit
 * (activated: the low one). The pressure factor stays that of the forward reaction, so the other
 * limit is scaled to the same Pr; PLOG and Chebyshev become elementary. */
kb_reaction kb_reverse_half(const kb_reaction *r);
