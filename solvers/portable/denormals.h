/* SPDX-License-Identifier: MIT
 *
 * Floats below 1e-38, which take a processor a hundred cycles each: 0 between the two calls, in the
 * calling thread. Also doubles below 1e-308.
 */
#pragma once

#ifdef __SSE2__
#include <xmmintrin.h>
static inline unsigned kb_flush_denormals(void)
{
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    return before;
}
static inline void kb_restore_denormals(unsigned before) { _mm_setcsr(before); }
#else
static inline unsigned kb_flush_denormals(void) { return 0; }
static inline void kb_restore_denormals(unsigned before) { (void)before; }
#endif
