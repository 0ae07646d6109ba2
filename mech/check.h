/* SPDX-License-Identifier: MIT */
#ifndef KB_CHECK_H
#define KB_CHECK_H

#include "mech/mech.h"

/* Errors (one message: file, line, word, hint): element balance of each reaction, duplicate
 * reactions not marked, a DUPLICATE without its twin, rates not finite in 300-3500 K, thermo
 * missing or with a gap. Warnings (into m->warnings): jumps of cp, h or s at Tmid with their size,
 * negative A without DUPLICATE, species in no reaction are not worth a warning. */
int kb_mech_check(kb_mech *m, kb_error *err);

#endif
