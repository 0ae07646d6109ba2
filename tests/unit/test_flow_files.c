/* SPDX-License-Identifier: MIT
 *
 * What is read of the case files in tests/data/case-texts, each after a line of dashes: the
 * message if it is refused, else all numbers of the case, its solid cells, its state at points at
 * the start and later. And what the command lines of tests/data/flow-lists mean. Held against
 * case-texts.kept and flow-lists.kept beside them; KEEP=1 writes these anew. And the profile of a
 * zone that is made up.
 */
#include <unistd.h>

#include "base/file.h"
#include "drivers/flow/accuracy.h"
#include "drivers/flow/case_file.h"
#include "drivers/flow/settings.h"
#include "tests/test.h"
#include "tests/unit/kept.h"

enum { ALONG = 8, ROWS = 4 }; /* points, at numbers without rounding: they meet borders */

static void write_case(FILE *to, const kb_flow_case_file *f)
{
    const kb_flow_case *c = &f->problem;
    fprintf(to, "  %.5s %s: x %g %g y %g %g n %d %d end %g cfl %g noise %g g %g %g\n", c->name,
            c->summary, c->x0, c->x1, c->y0, c->y1, c->nx, c->ny, c->end, c->cfl, c->noise,
            c->gravity[0], c->gravity[1]);
    fprintf(to, "  edges %d%d%d%d variables %d riemann %s exact %d smooth %d foil %d nsp %d R %g %g"
            " cv %g %g fields",
            c->edge[0], c->edge[1], c->edge[2], c->edge[3], c->variables,
            kb_flow_riemann_names[c->riemann], c->exact, c->smooth, c->foil, c->nsp, c->gas.R[0],
            c->gas.R[1], c->gas.cv[0], c->gas.cv[1]);
    for (int k = 0; k < f->fields.count; k++)
        fprintf(to, " %s", f->fields.word[k]);
    for (int k = 0; k < f->probes; k++)
        fprintf(to, " (%g %g)", f->probe[k][0], f->probe[k][1]);
    if (f->detonation)
        fprintf(to, " %s T %g p %g length %g height %g", f->X, f->T, f->p, f->length, f->height);
    fputs("\n", to);
}

static void write_point(FILE *to, const kb_flow_case *c, double x, double y, double t)
{
    kb_flow_point p = {0};
    if (c->solid && c->solid(c, x, y)) {
        fputs(" solid", to);
        return;
    }
    c->state(c, x, y, t, &p);
    for (int s = 0; s < c->nsp; s++)
        if (p.rho[s] != 0)
            fprintf(to, " %d:%.5g", s, p.rho[s]);
    fprintf(to, " %.5g %.5g %.6g;", p.u, p.v, p.p);
}

static void write_states(FILE *to, const kb_flow_case *c)
{
    int rows = c->y1 > c->y0 ? ROWS : 1;
    for (int late = 0; late <= c->exact; late++)
        for (int j = 0; j < rows; j++) {
            double t = late * 0.3 * c->end, y = c->y0 + (j + 0.5) / rows * (c->y1 - c->y0);
            fprintf(to, "  t %g, y %g:", t, y);
            for (int i = 0; i < ALONG; i++)
                write_point(to, c, c->x0 + (i + 0.5) / ALONG * (c->x1 - c->x0), y, t);
            fputs("\n", to);
        }
}

static void read_one(FILE *to, const kb_mech *m, const char *text)
{
    const char *folder = getenv("TMPDIR");
    kb_owned char *own = kb_format("%s/case-%d.json", folder ? folder : "/tmp", (int)getpid());
    kb_error err = {0};
    kb_flow_case_file f;
    assert_works(kb_file_write_text(own, text, &err));
    int code = kb_flow_case_file_read(&f, own, &err);
    if (!code && !f.ideal)
        code = kb_flow_case_file_fill(&f, m, &err);
    const char *said = strncmp(err.text, own, strlen(own)) ? err.text : err.text + strlen(own);
    if (code)
        fprintf(to, "  %d %s\n", code, said);
    else
        write_case(to, &f);
    if (!code && !f.detonation)
        write_states(to, &f.problem);
    kb_flow_case_file_free(&f);
    unlink(own);
}

TEST(what_is_read)
{
    kb_error err = {0};
    kb_mech m;
    int n = 0;
    size_t length;
    kb_owned char *now = NULL, *all = kb_file_read("tests/data/case-texts", &length, &err);
    assert_works(!all || kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    FILE *to = open_memstream(&now, &length);
    assert_non_null(to);
    for (char *text = strstr(all, "---\n"), *end; text; text = end) {
        text += 4;
        end = strstr(text, "---\n");
        if (end)
            *end = 0;
        fprintf(to, "case %d\n", ++n);
        read_one(to, &m, text);
    }
    fclose(to);
    check_kept("tests/data/case-texts.kept", now);
    kb_mech_free(&m);
}

static void write_words(FILE *to, const char *what, const kb_words *w)
{
    fprintf(to, " %s", what);
    for (int i = 0; i < w->count; i++)
        fprintf(to, " %s", w->word[i]);
}

static void write_settings(FILE *to, const kb_flow_settings *s)
{
    const kb_flow_options *o = &s->options;
    fprintf(to, "  n %d %d end %g cfl %g noise %g seed %llu turn %d nets %d %s %s blended %d time "
            "%d\n ", o->nx, o->ny, o->end, o->cfl, o->noise, o->seed, o->turn, o->nets,
            kb_flow_variables_names[o->variables], kb_flow_riemann_names[o->riemann], o->blended,
            o->time);
    for (int i = 0; i < s->grids; i++)
        fprintf(to, " %g", s->nx[i]);
    fprintf(to, " ratio %g threads %d repeats %d begin %g dt %g out %s quiet %d bench %d frames %d"
            " checkpoint %g\n ", s->ratio, s->threads, s->repeats, s->begin, s->dt,
            s->out ? s->out : "-", s->quiet, s->bench, s->frames, s->checkpoint);
    write_words(to, "schemes", &s->schemes);
    write_words(to, "engines", &s->engines);
    write_words(to, "chemistry", &s->chemistry);
    write_words(to, "fields", &s->fields);
    fprintf(to, " %s %s T_react %g %s %s", s->mech, s->thermo ? s->thermo : "-", s->T_react,
            kb_flow_splitting_names[s->splitting], s->reference ? s->reference : "-");
    fprintf(to, " '%s' %g %g %g %g\n", s->mixture, s->p, s->T, s->length, s->height);
}

TEST(what_is_asked)
{
    kb_error err = {0};
    size_t length;
    char *now = NULL, *all = kb_file_read("tests/data/flow-lists", &length, &err), *rest = all;
    FILE *to = open_memstream(&now, &length);
    if (!all || !to)
        fail_msg("%s", err.text);
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        char *argv[64] = {"flow"}, *words = line;
        int argc = 1;
        kb_flow_settings s;
        fprintf(to, "%s\n", line);
        for (char *word; (word = strtok_r(words, " ", &words));)
            argv[argc++] = word;
        int code = kb_flow_settings_read(&s, argc, argv, &err);
        if (code)
            fprintf(to, "  %d %s\n", code, err.text);
        else
            write_settings(to, &s);
        kb_flow_settings_free(&s);
    }
    fclose(to);
    check_kept("tests/data/flow-lists.kept", now);
    free(now);
    free(all);
}

/* of H2, 10 m from its shock on: density x, of the first species a share of x/20 */
static void made_up_zone(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)y, (void)t;
    *p = (kb_flow_point){.p = 1e5, .rho = {x * x / 20, [3] = x - x * x / 20}};
}

/* Points of a cell's size behind the shock, up to ten induction lengths or four fifths of the way.
 * OH counts, which may be the first species; without it the first that is shown, or none. */
TEST(profile_of_a_zone)
{
    enum { H2, OH = 3 };
    static const struct {
        const char *first, *fourth;
        int nshown, shown, found;
    } of[] = {{"H2", "OH", 1, H2, OH}, {"OH", "H2", 1, OH, H2},   {"H2", "X", 1, H2, H2},
              {"H2", "X", 1, OH, OH},  {"H2", "X", 0, H2, -1}};
    kb_mech m;
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    char *const names[2] = {m.species[H2].name, m.species[OH].name};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int near = 0; near < 2; near++) {
            int shown = of[i].shown;
            kb_flow_gas_run g = {.m = m, .species = &shown,
                                 .start = {.zone = {.induction = near ? 0.3 : 3}, .shock = 10}};
            g.problem = (kb_flow_case){.x1 = 20, .nshown = of[i].nshown, .state = made_up_zone};
            m.species[H2].name = (char *)of[i].first;
            m.species[OH].name = (char *)of[i].fourth;
            kb_flow_profile p = kb_flow_profile_of_zone(&g, 80);
            assert_int_equal(p.n, near ? 12 : 32); /* 3 m, 8 m by cells of 0.25 m */
            for (long k = 0; k < p.n; k++) {
                double x = 10 - 0.25 * ((double)k + 0.5), Y = x / 20;
                double moles = x * (Y / m.species[H2].weight + (1 - Y) / m.species[OH].weight);
                double expected = of[i].found < 0 ? 0 : of[i].found == H2 ? Y : 1 - Y;
                assert_true(fabs(p.value[k][KB_FLOW_T] * KB_R * moles / 1e5 - 1) < 1e-14);
                assert_true(fabs(p.value[k][KB_FLOW_OH] - expected) < 1e-14);
            }
            free(p.value);
        }
    m.species[H2].name = names[0];
    m.species[OH].name = names[1];
    kb_mech_free(&m);
}

TESTS(NULL, NULL)
