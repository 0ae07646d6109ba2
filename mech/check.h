/* SPDX-License-Identifier: MIT */
#pragma once

#include "mech/mech.h"

/* Errors (one message: file, line, word, hint): element balance of each reaction, duplicate
 * reactions not marked, a DUPLICATE without its partner, rates not finite in 300-3500 K, PLOG rates
 * whose sum at one pressure is not above zero, thermo missing or with a gap. Warnings (into
 * m->warnings): jumps of cp, h or s at Tmid with their size, negative A without DUPLICATE, species
 * in no reaction give none. */
int kb_mech_check(kb_mech *m, kb_error *err);

/* KB_INVALID at the first thing that mech/ evaluates and the integrators' tables cannot hold yet:
 * more than two ranges of NASA-9 below 6000 K. */
int kb_check_tables(const kb_mech *m, kb_error *err);
