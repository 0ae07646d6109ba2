/* SPDX-License-Identifier: MIT
 *
 * The share of active states, by a made-up solver whose attempts are the temperatures.
 */
#include "tests/test.h"
#include "pasr/database/active.h"

static int run(const kb_solver *self, const kb_job *job, kb_result *r, kb_error *err)
{
    (void)self, (void)err;
    assert_true(job->rtol == KB_ACTIVE_RTOL && job->atol == KB_ACTIVE_ATOL && job->threads == 3);
    for (long i = 0; i < job->n; i++)
        r->count[i] = (kb_count){.attempted = (int32_t)job->states[3 * i]};
    return KB_OK;
}

static const kb_solver rodas4 = {.info = {.name = "rodas4", .engine = "cpu-simd"}, .run = run};
static const kb_solver *const list[] = {&rodas4};
static const kb_solvers solvers = {.nsp = 1, .nsolvers = 1, .solvers = list};

static double real(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* those that need more than the least: 3 of 8 need 2, the least; the mean is 28/8 */
TEST(more_than_the_least)
{
    static const double states[] = {2, 1, 1, 5, 1, 1, 2, 1, 1, 3, 1, 1,
                                    4, 1, 1, 2, 1, 1, 7, 1, 1, 3, 1, 1};
    static const double dt[] = {1e-6, 1e-4};
    json_t *o = kb_active(&solvers, 8, states, 3, NULL, NULL);
    assert_non_null(o);
    assert_true(real(o, "sample") == 8);
    for (size_t k = 0; k < 2; k++) {
        const json_t *of = json_array_get(json_object_get(o, "steps"), k);
        assert_true(real(of, "dt_s") == dt[k] && real(of, "share") == 5.0 / 8);
        assert_true(real(of, "least_substeps") == 2 && real(of, "most_substeps") == 7);
        assert_true(fabs(real(of, "mean_substeps") - 3.5) < 1e-14);
    }
    json_decref(o);
}

TEST(without_the_solver)
{
    static const double states[] = {2, 1, 1};
    kb_error err;
    assert_null(kb_active(&(kb_solvers){.nsp = 1}, 1, states, 1, NULL, &err));
    assert_string_equal(err.text, "the share of active states needs rodas4 on cpu-simd");
}

TESTS(NULL, NULL)
