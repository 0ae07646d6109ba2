/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/problem_smooth.h"
#define METHOD rkf45
#include "solvers/rkf45.h"
#define ORDER 4
#define FEWEST 16
#define POWER 0.8
#define LIMIT 1
#include "order_explicit.h"
