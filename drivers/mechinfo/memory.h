/* SPDX-License-Identifier: MIT
 *
 * mechinfo's tables of memory: what an ODE needs by method and engine, how many fit a card, and the
 * largest mechanisms by the storage that papers count.
 */
#pragma once

#include "mech/mech.h"

/* mech: as given by the user; its build is looked up under build/mech. card: memory of a device in
 * bytes, 0: that of the first GPU here, or 141e9. */
void kb_memory_print(const kb_mech *m, const char *mech, double card);
