/* SPDX-License-Identifier: MIT
 *
 * A run of the flow solver from start to end, for tests.
 */
#pragma once

#include <omp.h>
#include <pthread.h>

#include "drivers/flow/case_file.h"
#include "flow/run/flow.h"
#include "tests/test.h"

/* setup of a group: threads that wait for each other by spinning are slow on a busy machine */
static inline int flow_one_thread(void **state)
{
    (void)state;
    omp_set_num_threads(1);
    return 0;
}

/* a case of datasets/cases, as long as the program runs; ranks that are threads take turns */
static inline const kb_flow_case *flow_case(const char *name, kb_flow_options *o)
{
    static kb_flow_case_file file[40];
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    int k = 0;
    pthread_mutex_lock(&turn);
    while (file[k].root && strcmp(file[k].problem.name, name))
        k++;
    assert_true(k + 1 < (int)(sizeof file / sizeof *file));
    assert_works(!file[k].root && kb_flow_case_file_read(&file[k], name, &err));
    pthread_mutex_unlock(&turn);
    kb_flow_defaults(&file[k].problem, o);
    return &file[k].problem;
}

static inline void flow_open(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                      const char *scheme, const char *engine)
{
    kb_error err = {0};
    const kb_flow_engine *e = kb_flow_find_engine(scheme, engine, c->nsp, &err);
    assert_non_null(e);
    assert_works(kb_flow_open(f, c, o, e, &err));
}

/* e: NULL with err where there is no such engine. Skips the test then, and without a device. */
static inline void flow_open_or_skip(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                                     const kb_flow_engine *e, kb_error *err)
{
    int code = e ? kb_flow_open(f, c, o, e, err) : KB_NOTHING;
    if (code == KB_NOTHING) {
        print_message("skip - %s\n", err->text);
        skip();
    }
    if (code)
        fail_msg("%s", err->text);
}

static inline void flow_run(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                     const char *scheme, const char *engine)
{
    kb_error err = {0};
    flow_open(f, c, o, scheme, engine);
    if (kb_flow_run(f, o->end, NULL, NULL, &err))
        fail_msg("%s, %s: %s", c->name, scheme, err.text);
}

static inline void flow_steps(kb_flow *f, int n)
{
    for (int k = 0; k < n; k++)
        assert_works(kb_flow_step(f, 1e30, &err));
}

/* value within a share of expected */
static inline void assert_near(const char *what, double value, double expected, double share)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s: %.5e, expected %.5e within %g", what, value, expected, share);
}

static inline void assert_below(const char *what, double value, double bound)
{
    if (!(value <= bound))
        fail_msg("%s: %.3e, at most %.3e", what, value, bound);
}
