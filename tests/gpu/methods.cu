/* SPDX-License-Identifier: MIT
 *
 * The steps of methods on a thread of a GPU: make test compiles them in one file where no card runs
 * them, with the methods that share their step with no other as METHODS (tests/tests.mk) and their
 * headers included before this.
 */
#define STEP(METHOD)                                                                               \
    __global__ void step_of_##METHOD(kb_run run, kb_ode o, METHOD##_work *w)                       \
    {                                                                                              \
        METHOD##_persistent persistent;                                                            \
        METHOD##_init(&run, &o, &persistent, w, true);                                             \
        METHOD##_step(&run, &o, &persistent, w);                                                   \
        w->y[0] = o.h;                                                                             \
    }
METHODS(STEP)
