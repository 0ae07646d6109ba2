/* SPDX-License-Identifier: MIT
 *
 * What flow's ranks say to each other (flow/run/halo.h), by MPI.
 */
#pragma once

#include "flow/run/halo.h"

void ranks_world(kb_flow_world *w);
