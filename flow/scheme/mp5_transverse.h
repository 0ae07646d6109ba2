/* SPDX-License-Identifier: MIT
 *
 * MP5 with the correction of transverse.h.
 */
#pragma once

#include "flow/scheme/mp5.h"

#define KB_TRANSVERSE 1

kb_fn lane mp5_transverse(lane a, lane b, lane c, lane d, lane e) { return mp5(a, b, c, d, e); }
