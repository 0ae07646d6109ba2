/* SPDX-License-Identifier: MIT
 *
 * The part of GCC's immintrin.h that lanes of AVX-512 use. Reading all of it takes 0.15 s, as long
 * as what else a test's file takes, and make test compiles some 230 files that include it. Other
 * compilers refuse this one, and then read their own (TEST_HEADERS in the Makefile).
 */
#pragma once

#define _IMMINTRIN_H_INCLUDED
#include <smmintrin.h>

#include <avxintrin.h>

#include <avx2intrin.h>

#include <avx512fintrin.h>

#include <avx512dqintrin.h>
