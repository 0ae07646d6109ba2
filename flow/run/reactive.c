/* SPDX-License-Identifier: MIT */
#include "flow/run/reactive.h"

#include <math.h>
#include <string.h>

/* between the points k and k + 1 of the zone: a share of the way */
static long find_point(const kb_znd *z, double x, double *share)
{
    long low = 0, high = z->n - 1;
    while (high - low > 1) {
        long mid = (low + high) / 2;
        if (z->at[mid].x <= x)
            low = mid;
        else
            high = mid;
    }
    *share = fmin(1, (x - z->at[low].x) / (z->at[high].x - z->at[low].x));
    return low;
}

static double between(double a, double b, double share) { return a + share * (b - a); }

#define WAVE 0.05 /* of the front at the start, in heights */

/* two waves over the height, so that no half repeats the other */
static double wave(double height, double y)
{
    double phase = height > 0 ? 2 * M_PI * y / height : 0;
    return WAVE * height * (cos(phase) + 0.5 * sin(2 * phase));
}

static void detonation_state(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    const kb_flow_znd_start *s = c->data;
    double shock = s->shock + wave(s->height, y);
    (void)t;
    if (x > shock) {
        for (int k = 0; k < s->nsp; k++)
            p->rho[k] = s->d.fresh.rho * s->Y[k];
        p->u = p->v = 0;
        p->p = s->d.fresh.p;
        return;
    }
    double share;
    long k = find_point(&s->zone, shock - x, &share);
    const kb_znd_point *a = &s->zone.at[k], *b = a + 1;
    const double *Ya = s->zone.Y + k * s->nsp, *Yb = Ya + s->nsp;
    double rho = between(a->rho, b->rho, share);
    for (int i = 0; i < s->nsp; i++)
        p->rho[i] = rho * between(Ya[i], Yb[i], share);
    p->u = s->D - between(a->w, b->w, share);
    p->v = 0;
    p->p = between(a->p, b->p, share);
}

void kb_flow_detonation_case(kb_flow_case *c, const kb_flow_znd_start *start, double length,
                             double end)
{
    c->x1 = length;
    c->y1 = start->height;
    c->nsp = start->nsp;
    c->end = end;
    c->foil = start->height > 0;
    c->data = start;
    c->state = detonation_state;
}

enum { LENGTHS = 130, BEHIND = 40 }; /* domain, and shock at the start, in induction lengths */

int kb_flow_detonation_open(kb_flow_case *c, kb_flow_znd_start *z, const kb_mech *m,
                            const kb_solvers *s, const double *Y, double T, double p, double length,
                            double height, double end, kb_error *err)
{
    double *burnt = kb_alloc((size_t)m->nspecies, sizeof *burnt);
    *z = (kb_flow_znd_start){.Y = Y, .nsp = m->nspecies, .height = height};
    int code = kb_cj(m, T, p, Y, &z->d, burnt, err);
    free(burnt);
    z->D = 1.0005 * z->d.D;
    code = code ? code : kb_znd_zone(m, s, &z->d.fresh, Y, z->D, 3, &z->zone, err);
    if (code)
        return code;
    double induction = z->zone.induction, delay = z->zone.delay, sigma = z->zone.sigma;
    length = length > 0 ? length : LENGTHS * induction;
    z->shock = fmin(0.3 * length, BEHIND * induction);
    kb_znd_free(&z->zone);
    code = kb_znd_run(m, s, &z->d.fresh, Y, z->D, 1.1 * z->shock + 2 * WAVE * height, &z->zone,
                      err);
    z->zone.induction = induction; /* the zone of a short domain may end before its peak */
    z->zone.delay = delay;
    z->zone.sigma = sigma;
    kb_flow_detonation_case(c, z, length, end > 0 ? end : 0.93 * (length - z->shock) / z->d.D);
    return code;
}

static double front_of_row(const kb_flow *f, const double *p, double level, double *peak)
{
    const kb_flow_grid *g = &f->stage.grid;
    double place = NAN;
    for (int i = g->nx - 1; i >= 0; i--) {
        if (isnan(place) && i < g->nx - 1 && p[i] > level && p[i + 1] <= level)
            place = kb_flow_x(f, i) + g->dx * (p[i] - level) / (p[i] - p[i + 1]);
        *peak = fmax(*peak, p[i]);
    }
    return place;
}

double kb_flow_front(const kb_flow *f, double level, double *peak)
{
    const kb_flow_grid *g = &f->stage.grid;
    double sum = 0, *place = kb_alloc((size_t)g->ny, sizeof *place);
    *peak = 0;
    for (int j = f->rows[0]; j < f->rows[1]; j++)
        place[j] = front_of_row(f, f->w + (g->nsp + 2) * g->plane + kb_flow_at(g, 0, j), level,
                                peak);
    kb_flow_sum(f->options.world, place, g->ny); /* 0 from the ranks that have not the row */
    kb_flow_most(f->options.world, peak, 1);
    for (int j = 0; j < g->ny; j++)
        sum += place[j];
    free(place);
    return sum / g->ny;
}

void kb_flow_track_add(kb_flow_track *r, double t, double x, double peak)
{
    r->low = r->n ? fmin(r->low, peak) : peak;
    r->high = fmax(r->high, peak);
    r->n++;
    r->t += t;
    r->x += x;
    r->tt += t * t;
    r->tx += t * x;
    r->peak += peak;
}

double kb_flow_track_speed(const kb_flow_track *r)
{
    double n = (double)r->n;
    return (n * r->tx - r->t * r->x) / (n * r->tt - r->t * r->t);
}
