/* SPDX-License-Identifier: MIT
 *
 * The flow on a GPU: the same as on the host to 1e-11 after 10 steps, conservative, and the same to
 * the bit from a checkpoint.
 */
#include <unistd.h>

#include "tests/test.h"
#include "flow/run/checkpoint.h"
#include "tests/unit/flow_run.h"

static const char *const schemes[] = {"mp5", "mp5_paper", "weno5", "weno5_js", "muscl",
                                      "ader_weno", "mp5_transverse", NULL};

/* skips where there is no engine or no device */
static void open_gpu(kb_flow *f, const kb_flow_case *c, const kb_flow_options *o,
                     const char *scheme)
{
    kb_error err = {0};
    flow_open_or_skip(f, c, o, kb_flow_find_engine(scheme, "gpu", c->nsp, &err), &err);
}

TEST(equals_the_host)
{
    static const char *const problems[] = {"sod", "blast", "vortex", "step", "diffraction-5",
                                           "rayleigh-taylor", NULL};
    for (int p = 0; problems[p]; p++)
        for (int k = 0; schemes[k]; k++)
            for (int variables = 0; variables < 2; variables++) {
                kb_flow f, g;
                kb_flow_options o;
                const kb_flow_case *c = flow_case(problems[p], &o);
                kb_error err = {0};
                if (c->solid && !strcmp(schemes[k], "mp5_transverse"))
                    continue;
                /* the first one must be there, the others where they were built */
                if (k > 0 && !kb_flow_find_engine(schemes[k], "gpu", 1, &err))
                    continue;
                o.nx = o.ny > 1 ? 43 : 301;
                o.ny = o.ny > 1 ? 37 : 1;
                o.variables = (kb_flow_variables)variables;
                open_gpu(&g, c, &o, schemes[k]);
                flow_open(&f, c, &o, schemes[k], "cpu-scalar");
                flow_steps(&f, 10);
                flow_steps(&g, 10);
                double most = 0;
                for (int j = 0; j < o.ny; j++)
                    for (int i = 0; i < o.nx; i++) {
                        double rho = kb_flow_density(&f, i, j);
                        if (!kb_flow_is_solid(&f, i, j))
                            most = larger(most, fabs(kb_flow_density(&g, i, j) - rho) / rho);
                    }
                assert_below(problems[p], most, 1e-11);
                assert_true(fabs(f.t - g.t) <= 1e-11 * f.t);
                assert_true(labs(f.nets.scaled - g.nets.scaled) <= 2);
                assert_true(labs(f.nets.blended - g.nets.blended) <= 2);
                kb_flow_close(&f);
                kb_flow_close(&g);
            }
}

/* the foil of both after ten steps, and where faces were blended */
TEST(equal_foils)
{
    static const char *const list[] = {"mp5", "ader_weno"};
    for (int k = 0; k < 4; k++) {
        kb_flow f, g;
        kb_flow_options o;
        kb_flow_case c = *flow_case(k / 2 ? "vortex" : "step", &o);
        double most = 0;
        long blended = 0;
        c.foil = o.blended = true;
        o.nx = 45;
        o.ny = 15;
        open_gpu(&g, &c, &o, list[k % 2]);
        flow_open(&f, &c, &o, list[k % 2], "cpu-scalar");
        flow_steps(&f, 10);
        flow_steps(&g, 10);
        for (int j = 0; j < o.ny; j++)
            for (int i = 0; i < o.nx; i++)
                if (!kb_flow_is_solid(&f, i, j)) {
                    long at = kb_flow_at(&f.stage.grid, i, j);
                    most = larger(most, fabs(kb_flow_foil(&g, i, j) / kb_flow_foil(&f, i, j) - 1));
                    blended += g.blended[at] > 0;
                    assert_true(f.blended[at] == g.blended[at]);
                }
        assert_below("foil", most, 1e-11);
        assert_true(k > 0 || blended > 0); /* at the step, by mp5 */
        kb_flow_close(&f);
        kb_flow_close(&g);
    }
}

TEST(conserves)
{
    double before[4], after[4];
    kb_flow f;
    kb_flow_options o;
    const kb_flow_case *c = flow_case("vortex", &o);
    open_gpu(&f, c, &o, "mp5");
    kb_flow_totals(&f, before);
    flow_steps(&f, 100);
    kb_flow_totals(&f, after);
    for (int i = 0; i < 4; i++)
        assert_near("total", after[i], before[i], 1e-13);
    kb_flow_close(&f);
}

/* W is in one of two fields by turns: after an odd and an even number of stages; with a foil */
TEST(goes_on_from_a_checkpoint)
{
    kb_flow_options o;
    kb_flow_case with_foil = *flow_case("vortex", &o), *c = &with_foil;
    c->foil = true;
    o.nx = o.ny = 24;
    for (int steps = 3; steps < 5; steps++) {
        char path[] = "/tmp/kb_flow_gpu_XXXXXX";
        bool found = false;
        int more = steps, back = 0;
        kb_flow f, g;
        open_gpu(&f, c, &o, "mp5");
        open_gpu(&g, c, &o, "mp5");
        flow_steps(&f, steps);
        assert_true(close(mkstemp(path)) == 0);
        assert_works(kb_flow_checkpoint_write(&f, path, "test", &more, sizeof more, &err));
        assert_works(kb_flow_checkpoint_read(&g, path, "test", &back, sizeof back, &found, &err));
        assert_true(found && back == more);
        flow_steps(&f, 2);
        flow_steps(&g, 2);
        for (int j = 0; j < o.ny; j++)
            for (int i = 0; i < o.nx; i++)
                assert_true(kb_flow_density(&f, i, j) == kb_flow_density(&g, i, j) &&
                            kb_flow_foil(&f, i, j) == kb_flow_foil(&g, i, j));
        kb_flow_close(&f);
        kb_flow_close(&g);
        remove(path);
    }
}

TESTS(flow_one_thread, NULL)
