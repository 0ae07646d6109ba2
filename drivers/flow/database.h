/* SPDX-License-Identifier: MIT
 *
 * The generator flow: states that the chemistry of a detonation starts from, step after step.
 */
#pragma once

/* the program flow when it is given --recipe; returns the exit code */
int kb_flow_database(int argc, char **argv);
