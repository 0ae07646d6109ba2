/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/problem_smooth.h"
#define METHOD rkck
#include "solvers/rkck.h"
#define ORDER 5
#define FEWEST 8
#define POWER 1
#define LIMIT 3
#include "order_explicit.h"
