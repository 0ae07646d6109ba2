/* SPDX-License-Identifier: MIT
 *
 * Lists of solvers (solvers/load.c): which files are mechanisms, what is found by name and engine,
 * lists that have more; names of how an ODE ended.
 */
#include "tests/test.h"
#include "solvers/solver.h"

TEST(files_of_mechanisms)
{
    static const char *const files[] = {"a.yaml", "a.yml", "a.inp", "a.dat", "a.txt", "a.mech"};
    for (int i = 0; i < 6; i++)
        assert_true(kb_is_mechanism_file(files[i]));
    assert_false(kb_is_mechanism_file("h2") || kb_is_mechanism_file("a.yaml.so"));
}

static const kb_solver one = {.info = {.name = "one", .engine = "cpu-scalar"}},
                       any = {.info = {.name = "one", .engine = "cpu-scalar-any"}},
                       wide = {.info = {.name = "one", .engine = "cpu-scalar-wide"}},
                       other = {.info = {.name = "other", .engine = "cpu-simd"}};

/* an engine by its whole name, and of tables that are read by the name without -any, too */
TEST(solvers_by_name)
{
    static const kb_solver *const list[] = {&any, &wide, &one, &other};
    kb_solvers s = {.nsolvers = 4, .solvers = (const kb_solver **)list};
    for (int read = 0; read < 2; read++) {
        assert_ptr_equal(kb_solver_find(&s, "one", "cpu-scalar"), &one);
        assert_ptr_equal(kb_solver_find(&s, "one", "cpu-scalar-any"), &any);
        assert_ptr_equal(kb_solver_find(&s, "one", "cpu-scalar-wide"), &wide);
        assert_ptr_equal(kb_solver_find(&s, "other", "cpu-simd"), &other);
        assert_null(kb_solver_find(&s, "other", "cpu-scalar"));
        assert_null(kb_solver_find(&s, "one", "cpu-scal"));
        s.nsolvers = 2;
        assert_ptr_equal(kb_solver_find(&s, "one", "cpu-scalar"), read ? &any : NULL);
        s.nsolvers = 4;
        s.tables = (const void *)list;
    }
}

TEST(more_solvers)
{
    static const kb_solver *const list[] = {&one, &any}, *const more[] = {&other, &wide};
    kb_solvers s = {.nsolvers = 2, .solvers = (const kb_solver **)list, .nsp = 9};
    kb_owned const kb_solvers *all = kb_solvers_with(&s, more, 2);
    assert_true(all->nsolvers == 4 && all->nsp == 9);
    assert_true(all->solvers[1] == &any && all->solvers[2] == &other && all->solvers[3] == &wide);
    free((void *)all->solvers);
}

/* the ends of the data belong to it */
TEST(states_beyond_the_data)
{
    static const double states[] = {300, 1, 1, 299, 1, 1, 3000, 1, 1, 3001, 1, 1, 1000, 1, 1};
    const kb_solvers s = {.nsp = 1, .data_from = 300, .data_to = 3000};
    static const long beyond[] = {0, 0, 1, 1, 2, 2};
    for (long n = 0; n <= 5; n++)
        assert_int_equal(kb_states_beyond(&s, states, n), beyond[n]);
}

TEST(memory_of_zeros)
{
    const kb_solvers s = {.memory_new = malloc};
    for (size_t n = 1; n < 2000; n *= 3) {
        unsigned char *dirty = malloc(n * 8), *p;
        memset(dirty, 255, n * 8);
        free(dirty);
        p = kb_solvers_alloc(&s, n, 8);
        for (size_t i = 0; i < n * 8; i++)
            assert_int_equal(p[i], 0);
        free(p);
    }
}

/* if KB_ANY is empty or not set, the build's engines of any mechanism are taken */
TEST(engines_of_any_mechanism)
{
    kb_error unset = {0}, empty = {0}, none = {0};
    unsetenv("KB_ANY");
    assert_null(kb_solvers_open("none.yaml", &unset));
    setenv("KB_ANY", "", 1);
    assert_null(kb_solvers_open("none.yaml", &empty));
    assert_string_equal(unset.text, empty.text);
    setenv("KB_ANY", "/none/solvers.so", 1);
    assert_null(kb_solvers_open("none.yaml", &none));
    assert_non_null(strstr(none.text, "to read none.yaml with: /none/solvers.so is not there"));
}

TEST(names_of_ends)
{
    static const char *const names[] = {"ok", "too many substeps", "step too small",
                                        "Newton failure", "not finite", "out of bounds"};
    for (int i = 0; i < KB_ODE_NSTATUS; i++)
        assert_string_equal(kb_ode_status_name(i), names[i]);
    assert_string_equal(kb_ode_status_name(-1), "unknown status");
    assert_string_equal(kb_ode_status_name(KB_ODE_NSTATUS), "unknown status");
}

TESTS(NULL, NULL)
