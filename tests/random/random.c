/* SPDX-License-Identifier: MIT
 *
 * A made-up mechanism (mechanism.c): the rates and Jacobians of both CPU engines against mech/'s
 * own, and the same from other units. RANDOM_YAML, RANDOM_SI: its files in cm, mol, cal and in m,
 * kmol, J; compiled for its tables.
 */
#include "tests/unit/evaluation.h"

#include "solvers/portable/lane.h"
#include "constants.h"

int kb_evaluate_scalar(const kb_evaluation *e), kb_evaluate_simd(const kb_evaluation *e);

static int evaluate_one(const char *engine, const kb_evaluation *e, kb_error *err)
{
    (void)err;
    return strcmp(engine, engines[0]) == 0 ? kb_evaluate_scalar(e) : kb_evaluate_simd(e);
}

static void engines_agree_with_mech(void **state)
{
    const kb_solvers s = {.evaluate = evaluate_one};
    (void)state;
    /* without the LU: it has no pivoting, and no mechanism of nature is as stiff as these */
    check_solvers(RANDOM_YAML, &s, RANDOM_YAML, NULL, 61, 25, 1, 0);
}

/* kf, kr of both files, which differ by the rounding of their numbers */
static void units_scale(void **state)
{
    kb_mech m = read_mech(RANDOM_YAML), si = read_mech(RANDOM_SI);
    uint64_t random = 2;
    size_t nrx = (size_t)m.nreactions;
    double *C = kb_alloc((size_t)m.nspecies, sizeof *C), *k = kb_alloc(4 * nrx, sizeof *k), T, p;
    double worst = 0;
    (void)state;
    assert_int_equal(m.nreactions, si.nreactions);
    for (int i = 0; i < 40; i++) {
        draw_C(&random, m.nspecies, &T, &p, C);
        kb_rates(&m, T, p, C, k, k + nrx, NULL, NULL);
        kb_rates(&si, T, p, C, k + 2 * nrx, k + 3 * nrx, NULL, NULL);
        for (size_t r = 0; r < 2 * nrx; r++)
            worst = larger(worst, fabs(k[r] - k[2 * nrx + r]) / (fabs(k[r]) + 1e-290));
    }
    print_message("%s, in other units: %.1e\n", RANDOM_YAML, worst);
    assert_true(worst <= 1e-12);
    free(C);
    free(k);
    kb_mech_free(&m);
    kb_mech_free(&si);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree_with_mech),
                                       cmocka_unit_test(units_scale)};
    return cmocka_run_group_tests_name(RANDOM_YAML, tests, NULL, NULL);
}
