/* SPDX-License-Identifier: MIT */
#define KB_PROBLEM "tests/order/problem_smooth.h"
#define METHOD rkf45
#include "solvers/methods/rkf45.h"
#define ORDER 4
#define FEWEST 16
#define POWER 0.8
#define LIMIT 1
#include "tests/order/order_explicit.h"
