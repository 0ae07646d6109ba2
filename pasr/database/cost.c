/* SPDX-License-Identifier: MIT */
#include "pasr/database/cost.h"

#include <string.h>

#include "base/owned.h"

#define WHAT "cost"

static const kb_solver *find(const kb_cost_run *run, kb_error *err)
{
    const kb_solver *s = kb_solver_find(run->solvers, run->solver, run->engine);
    if (!s)
        kb_fail(err, KB_INVALID, "mechanism %s has no solver '%s' on engine '%s' (bench --list "
                "shows them)", run->solvers->mech, run->solver, run->engine);
    return s;
}

int kb_cost_count(const kb_cost_run *run, const kb_database *db, const long *rows, long n,
                  kb_count *count, kb_error *err)
{
    const kb_solver *s = find(run, err);
    if (!s)
        return KB_INVALID;
    size_t width = (size_t)db->columns;
    kb_owned double *own = rows ? kb_alloc((size_t)n * width, sizeof *own) : NULL;
    for (long i = 0; own && i < n; i++)
        memcpy(own + (size_t)i * width, db->states + (size_t)rows[i] * width, width * sizeof *own);
    kb_job job = {.n = n, .states = own ? own : db->states, .dt = run->dt,
                  .rtol = run->rtol > 0 ? run->rtol : s->info.rtol,
                  .atol = run->atol > 0 ? run->atol : s->info.atol,
                  .schedule = KB_REFILL, .threads = run->threads, .stop = run->stop};
    kb_result result = {.y = kb_alloc((size_t)n * (width - 1), sizeof *result.y), .count = count};
    int code = s->run(s, &job, &result, err);
    free(result.y);
    return code;
}

char *kb_cost_text(const kb_cost_run *run)
{
    const kb_solver *s = kb_solver_find(run->solvers, run->solver, run->engine);
    return kb_format("%s %s, dt %g s, rtol %g, atol %g", run->solver, run->engine, run->dt,
                     run->rtol > 0 || !s ? run->rtol : s->info.rtol,
                     run->atol > 0 || !s ? run->atol : s->info.atol);
}

int kb_cost_write(const kb_database *db, const kb_count *count, const char *about, kb_error *err)
{
    kb_owned int64_t *cost = kb_alloc((size_t)db->n, sizeof *cost);
    for (long i = 0; i < db->n; i++)
        cost[i] = count[i].attempted;
    return kb_column_write(db, WHAT, cost, about, err);
}

int kb_cost_read(const kb_database *db, int64_t *cost, char **about, kb_error *err)
{
    return kb_column_read(db, WHAT, cost, about, err);
}
