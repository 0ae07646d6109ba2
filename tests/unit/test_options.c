/* SPDX-License-Identifier: MIT
 *
 * The text of a solver with its options (solvers/options.c): values, the text that names it in the
 * results, and each message.
 */
#include "tests/test.h"
#include "solvers/options.h"

static const kb_option table[] = {{"h0", "", 0.5, 0, 4, KB_REAL}, {"most", "", 2, 1, 9, KB_WHOLE},
                                  {0}};
static const kb_option shared[] = {{"slice", "", 0, 0, 1e15, KB_WHOLE},
                                   {"cycles", "", 0, 0, 1, KB_WHOLE},
                                   {"host", "", 0, 0, 1e6, KB_WHOLE}, {0}};
static const kb_solver_info made_up = {.name = "made", .engine = "cpu-scalar", .options = table},
                            on_gpu = {.name = "made", .engine = "gpu-block", .options = shared},
                            on_cpu = {.name = "made", .engine = "cpu-simd", .options = shared},
                            bare = {.name = "bare", .engine = "cpu-simd"},
                            exact = {.name = "exact", .engine = "cpu-simd", .promise = {.jac = 1}},
                            inexact = {.name = "inexact", .engine = "cpu-simd",
                                       .promise = {.jac = 1, .inexact = {.order = 2}}};

/* "TEXT: rtol atol, options", or the message */
static const char *read(const kb_solver_info *info, const char *text)
{
    static char said[2000];
    kb_choice c = {.rtol = 1e-3, .atol = 1e-9};
    kb_error err = {0};
    if (kb_solver_options(info, text, &c, &err)) {
        snprintf(said, sizeof said, "%s", err.text);
    } else {
        snprintf(said, sizeof said, "%s: %g %g,", c.text, c.rtol, c.atol);
        for (int i = 0; info->options && i < 2; i++)
            snprintf(said + strlen(said), sizeof said - strlen(said), " %g", c.options[i]);
    }
    free(c.text);
    free(c.options);
    return said;
}

TEST(values)
{
    static const char *const as[][2] = {
        {"made", "made: 0.001 1e-09, 0.5 2"},
        {"made:h0=4", "made:h0=4: 0.001 1e-09, 4 2"},
        {"made:most=9:h0=0", "made:most=9:h0=0: 0.001 1e-09, 0 9"},
        {"made:rtol=1:most=1:atol=1e-300", "made:most=1: 1 1e-300, 0.5 1"},
    };
    for (int i = 0; i < 4; i++)
        assert_string_equal(read(&made_up, as[i][0]), as[i][1]);
    assert_string_equal(read(&bare, "bare:rtol=0.5:atol=0.25"), "bare: 0.5 0.25,");
}

#define NAMES " (name=number; made on cpu-scalar has rtol, atol, h0, most)"

TEST(messages)
{
    static const char *const as[][2] = {
        {"made:h1=3", "wrong option at 'h1=3' in 'made:h1=3'" NAMES},
        {"made:h=3", "wrong option at 'h=3' in 'made:h=3'" NAMES},
        {"made:h00=3", "wrong option at 'h00=3' in 'made:h00=3'" NAMES},
        {"made:rto=3", "wrong option at 'rto=3' in 'made:rto=3'" NAMES},
        {"made:rtol2=3", "wrong option at 'rtol2=3' in 'made:rtol2=3'" NAMES},
        {"made:xtol=3", "wrong option at 'xtol=3' in 'made:xtol=3'" NAMES},
        {"made:h0", "wrong option at 'h0' in 'made:h0'" NAMES},
        {"made:h0=", "wrong option at 'h0=' in 'made:h0='" NAMES},
        {"made:h0=3x", "wrong option at 'h0=3x' in 'made:h0=3x'" NAMES},
        {"made:h0:most=3", "wrong option at 'h0:most=3' in 'made:h0:most=3'" NAMES},
        {"made:h0=inf", "wrong option at 'h0=inf' in 'made:h0=inf'" NAMES},
        {"made:h0=nan", "wrong option at 'h0=nan' in 'made:h0=nan'" NAMES},
        {"made:", "wrong option at '' in 'made:'" NAMES},
        {"made:h0=1:most=3:h0=2", "'made:h0=1:most=3:h0=2': h0 stands twice"},
        {"made:h0=1:h0=1", "'made:h0=1:h0=1': h0 stands twice"},
        {"made:rtol=0.5:rtol=1", "'made:rtol=0.5:rtol=1': rtol stands twice"},
        {"made:h0=-1", "'made:h0=-1': h0 = -1, expected a number from 0 to 4"},
        {"made:h0=4.1", "'made:h0=4.1': h0 = 4.1, expected a number from 0 to 4"},
        {"made:most=2.5", "'made:most=2.5': most = 2.5, expected a whole number from 1 to 9"},
        {"made:most=10", "'made:most=10': most = 10, expected a whole number from 1 to 9"},
        {"made:rtol=0", "'made:rtol=0': rtol = 0, expected more than 0 and 1 at most"},
        {"made:atol=1.01", "'made:atol=1.01': atol = 1.01, expected more than 0 and 1 at most"},
        {"made:atol=0:rtol=2:h0=9",
         "'made:atol=0:rtol=2:h0=9': rtol = 2, expected more than 0 and 1 at most"},
        {"made:atol=0:h0=9", "'made:atol=0:h0=9': atol = 0, expected more than 0 and 1 at most"},
    };
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        assert_string_equal(read(&made_up, as[i][0]), as[i][1]);
}

/* of a method without options, and of one that might drop entries of its matrix */
TEST(no_options)
{
#define DROP(name)                                                                                 \
    "wrong option at 'drop=1' in '" name ":drop=1' (name=number; " name " on cpu-simd has rtol, "  \
    "atol)"
    assert_string_equal(read(&bare, "bare:drop=1"), DROP("bare"));
    assert_string_equal(read(&inexact, "inexact:drop=1"), DROP("inexact"));
    assert_string_equal(read(&exact, "exact:drop=1"),
                        "'exact:drop=1': exact falls to order 1 with an inexact matrix and has no "
                        "drop; on a CPU rodas4p2, rodas5p and cvode have it");
    assert_string_equal(read(&exact, "exact:dro=1"),
                        "wrong option at 'dro=1' in 'exact:dro=1' (name=number; exact on cpu-simd "
                        "has rtol, atol)");
}

#define ALONE ": host is for a batch in one slice, which the engine chooses itself"

/* on a GPU `host` is not there together with slices that the user chooses */
TEST(host_alone)
{
    static const char *const as[][2] = {
        {"made:slice=9:cycles=1", "made:slice=9:cycles=1: 0.001 1e-09, 9 1"},
        {"made:host=64", "made:host=64: 0.001 1e-09, 0 0"},
        {"made:host=64:slice=0:cycles=0", "made:host=64:slice=0:cycles=0: 0.001 1e-09, 0 0"},
        {"made:host=0:slice=9:cycles=1", "made:host=0:slice=9:cycles=1: 0.001 1e-09, 9 1"},
        {"made:host=64:slice=9", "'made:host=64:slice=9': host = 64 and slice = 9" ALONE},
        {"made:cycles=1:host=1", "'made:cycles=1:host=1': host = 1 and cycles = 1" ALONE},
    };
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        assert_string_equal(read(&on_gpu, as[i][0]), as[i][1]);
    const kb_solver_info hostless = {.name = "made", .engine = "gpu-many-float",
                                     .options = (kb_option[]){shared[0], shared[1], {0}}};
    assert_string_equal(read(&hostless, "made:slice=9"), "made:slice=9: 0.001 1e-09, 9 0");
    assert_string_equal(read(&on_cpu, "made:host=64:slice=9"),
                        "made:host=64:slice=9: 0.001 1e-09, 9 0");
}

/* names and numbers, whatever their range */
TEST(known)
{
    static const struct {
        const char *text;
        bool known;
    } as[] = {{"made", true}, {"made:h0=9:rtol=-1", true}, {"made:h1=1", false},
              {"made:h0=x", false}, {"made:h0=1:h0=1", false}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++)
        assert_int_equal(kb_options_known(&made_up, as[i].text), as[i].known);
    assert_true(kb_options_known(&bare, "bare:atol=1"));
    assert_false(kb_options_known(&bare, "bare:h0=1"));
}

TEST(ranges)
{
    static const struct {
        double value;
        int real, whole;
    } as[] = {{0, 1, 0}, {1, 1, 1}, {1.5, 1, 0}, {4, 1, 1}, {4.5, 0, 0}, {9, 0, 1}, {10, 0, 0},
              {-1, 0, 0}};
    for (size_t i = 0; i < sizeof as / sizeof *as; i++) {
        assert_int_equal(kb_option_allows(&table[0], as[i].value), as[i].real);
        assert_int_equal(kb_option_allows(&table[1], as[i].value), as[i].whole);
    }
}

TESTS(NULL, NULL)
