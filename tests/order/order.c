/* SPDX-License-Identifier: MIT
 *
 * What a method promises of its order, its error estimate and its step control (solvers/promise.h).
 * Compiled for each method of methods.def, on the smooth problem and on Kaps' stiff one.
 */
#include KB_METHOD_HEADER
#define METHOD KB_METHOD
#define OPTIONS KB_METHOD_OPTIONS
#include <stdbool.h>
#include "tests/order/order.h"
#include "tests/order/estimate.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const kb_solver_info info = {.name = TEXT(KB_METHOD), KB_METHOD_INFO};
static const char *with; /* the options of the promise at hand */

/* options of the form name=value:name=value; accepts every step, with a tolerance that leaves
 * iterations to those options */
static void set_options(drive *d, double h)
{
    (void)h;
    if (!with)
        return;
    d->run.rtol = d->run.atol = 1;
    for (const char *p = with; *p; p += strcspn(p, ":"), p += *p == ':') {
        int k = 0, length = (int)strcspn(p, "=");
        while (options[k].name && (strncmp(options[k].name, p, length) || options[k].name[length]))
            k++;
        if (!options[k].name)
            fail_msg("%s has no option '%.*s'", info.name, length, p);
        d->run.opt[k] = strtod(p + length + 1, NULL);
    }
}

static bool concerns(const kb_order *p) { return (p->eps > 0) == STIFF; }

static void order(void **state)
{
    (void)state;
    for (const kb_order *p = info.promise.orders; p->order > 0; p++) {
        char what[80];
        if (!concerns(p))
            continue;
        snprintf(what, sizeof what, "%s, eps %g, %s", info.name, p->eps, p->with ? p->with : "");
        with = p->with;
        check_order(what, p->order, p->steps, p->eps, set_options);
    }
}

static bool has_matrix(kb_kind k)
{
    return k == KB_ROSENBROCK || k == KB_NEWTON || k == KB_EXTRAPOLATION || k == KB_KRYLOV;
}

/* A wrong matrix goes unseen where it only lowers the order. So a method promises what is left with
 * it; one that promises nothing falls to order 1. */
static void inexact_matrix(void **state)
{
    (void)state;
    const kb_order *p = &info.promise.inexact;
    assert_true(p->eps == 0);
    int n = p->order > 0 ? p->steps : 256;
    with = p->order > 0 ? p->with : info.promise.orders[0].with;
    matrix_error = 0.01;
    double coarse = fixed_steps(n, 0, set_options), fine = fixed_steps(2 * n, 0, set_options);
    matrix_error = 0;
    double observed = log2(coarse / fine);
    print_message("%s, %d lanes, matrix wrong by 1 %%: errors %.2e, %.2e: order %.2f\n", info.name,
                  KB_LANES, coarse, fine, observed);
    at_least(info.name, "the order with a wrong matrix", observed, fmax(p->order, 1) - 0.2);
    if (!(p->order > 0))
        at_most(info.name, "the order with a wrong matrix", observed, 1.2);
}

static void error_estimate(void **state)
{
    (void)state;
    with = info.promise.orders[0].with;
    check_estimate(info.name, info.promise.estimate, info.promise.estimate_h, method_estimate,
                   set_options);
}

static void step_control(void **state)
{
    (void)state;
    kb_control c = STIFF ? info.promise.stiff : info.promise.control;
    if (STIFF)
        for (double eps = 1e-2; eps > 1e-7; eps /= 1000)
            check_control(TEXT(KB_METHOD) ", Kaps", c, eps);
    else
        check_control(info.name, c, 0);
}

/* of the tests those for which the method promises something */
int main(void)
{
    struct CMUnitTest tests[4];
    size_t n = 0;
    const kb_promise *p = &info.promise;
    int orders = 0;
    for (const kb_order *q = p->orders; q->order > 0; q++)
        orders += concerns(q);
    if (orders)
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(order);
    if (!STIFF && has_matrix(p->kind))
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(inexact_matrix);
    if (!STIFF && p->estimate_h > 0)
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(error_estimate);
    if ((STIFF ? p->stiff : p->control).limit > 0)
        tests[n++] = (struct CMUnitTest)cmocka_unit_test(step_control);
    return _cmocka_run_group_tests(TEXT(KB_METHOD), tests, n, NULL, NULL);
}
