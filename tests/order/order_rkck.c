/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rkck
#include "solvers/methods/rkck.h"
#define ORDER 5
#define FEWEST 8
#define POWER 1
#define LIMIT 3
#include "tests/order/order_explicit.h"
