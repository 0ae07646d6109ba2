/* SPDX-License-Identifier: MIT
 *
 * Queries over made-up rows: every form of the language, every guard, every verdict.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"
#include "drivers/claims/judge.h"

static char folder[] = "/tmp/kb_test_claims_XXXXXX";
static kb_results results;

static FILE *start(const char *run, const char *table, const char *header)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, run);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s.csv", folder, run, table);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", header);
    return f;
}

/* of 4 cores; no other word of its name is a number of cores */
#define MACHINE "box-86-0c-9cx-4c"
static const char header[] =
    "run,machine,git,db_sha256,order,n,dt_s,solver,engine,schedule,threads,rtol,time_s,time_lo_s,"
    "time_hi_s,kernel_s,copy_in_s,copy_out_s,err_p95,rhs_mean,D_rhs,failed,status,why";

/* A row: time with an interval of 1 % each way; half of it in the kernel */
static void row(FILE *f, const char *git, const char *database, int n, const char *solver,
                const char *engine, int threads, double time, double err, double rhs, int failed,
                const char *status)
{
    fprintf(f, "r," MACHINE "-gpu,%s,%s,generated,%d,1e-06,%s,%s,static,%d,1e-06,%g,%g,%g,%g,%g,"
            "%g,%g,"
            "%g,0.5,%d,%s,%s\n", git, database, n, solver, engine, threads, time, 0.99 * time,
            1.01 * time, 0.5 * time, 0.1 * time, 0.2 * time, err, rhs, failed, status,
            strcmp(status, "ok") ? "beyond the budget" : "");
}

/* slow takes 1 us an ODE on one thread; quick on a GPU 64 us, and 0.1 us an ODE from n = 640 */
static void write_good(void)
{
    FILE *f = start("good", "cells", header);
    for (int n = 16; n <= 4096; n *= 4) {
        row(f, "abc", "db1", n, "slow", "cpu-scalar", 1, 1e-6 * n, 1e-6, 10, 0, "ok");
        row(f, "abc", "db1", n, "slow", "cpu-scalar", 4, 0.25e-6 * n, 1e-6, 10, 0, "ok");
        double time = fmax(64e-6, 1e-7 * n);
        row(f, "abc", "db1", n, "quick", "gpu-thread", 64, time, 5e-6, 10, 0, "ok");
        row(f, "abc", "db1", n, "rough", "gpu-thread", 64, 1e-6, 1e-2, 10, 0, "ok");
        row(f, "abc", "db1", n, "mixed", "gpu-thread", 64, 1e-6 * n, 1e-6, 10 + n / 512, 0, "ok");
    }
    row(f, "abc", "db1", 64, "broken", "cpu-scalar", 1, 1, 1e-6, 10, 2, "ok");
    row(f, "abc", "db1", 64, "cvode-lapack", "cpu-scalar", 1, 128e-6, 1e-6, 10, 0, "ok");
    row(f, "abc", "db1", 256, "cvode-dense", "cpu-scalar", 1, 256e-6, 1e-6, 10, 0, "ok");
    row(f, "abc", "db1", 64, "late", "cpu-scalar", 1, 1, 1e-6, 10, 0, "skipped");
    row(f, "abc", "db1", 64, "twice", "cpu-scalar", 1, 1, 1e-6, 10, 0, "ok");
    row(f, "abc", "db1", 64, "twice", "cpu-scalar", 4, 1, 1e-6, 10, 0, "ok");
    fclose(f);
    f = start("good", "kernels", "mech,kernel,engine,m,dgesv_difference,status");
    fprintf(f, "h2,dgesv,cpu-scalar,10,1e-06,ok\n");
    fclose(f);
    f = start("good", "divergence", "order,n,solver,engine,measure,histogram,lo,hi,count");
    fprintf(f, "generated,64,quick,gpu-thread,rhs,warp,0.25,0.5,1\n"
               "generated,64,quick,gpu-thread,rhs,warp,0.5,0.75,6\n"
               "generated,64,quick,gpu-thread,rhs,warp,0.75,1,3\n");
    fclose(f);
}

/* Solver m, and m:1 to m:10, each with another value in one column */
static const struct { const char *column, *value, *says; } guarded[] = {
    {"machine", "den-8c", "is of another machine"},
    {"dirty", "1", "is of sources that no commit has"},
    {"mech_sha256", "0badf00d", "is of another mechanism"},
    {"steps", "4", "rows of two numbers of global steps: 1"},
    {"chain", "device", "rows of two chains of steps: host"},
    {"sample", "first", "rows of two samples: even"},
    {"rtol", "1e-3", "rows of two rtol of one solver: 1e-6"},
    {"atol", "1e-3", "rows of two atol of one solver: 1e-9"},
    {"err_p95", "10", "guarded:11 has err_p95 = 10: no solution"},
    {"db_sha256", "db2", "rows of two databases"},
};
enum { GUARDED = sizeof guarded / sizeof *guarded };

static void write_guarded(void)
{
    static const char *const base[][2] = {
        {"machine", MACHINE}, {"git", "abc"}, {"dirty", "0"}, {"mech", "h2"},
        {"mech_sha256", "feed"}, {"db_sha256", "db1"}, {"n", "64"}, {"steps", "1"},
        {"chain", "host"}, {"sample", "even"}, {"rtol", "1e-6"}, {"atol", "1e-9"},
        {"err_p95", "1e-6"}, {"status", "ok"}};
    FILE *f = start("guarded", "cells", "machine,git,dirty,mech,mech_sha256,db_sha256,n,steps,"
                    "chain,sample,rtol,atol,err_p95,status,solver,time_s");
    for (int i = -1; i < GUARDED; i++) {
        for (size_t k = 0; k < sizeof base / sizeof *base; k++) {
            bool other = i >= 0 && !strcmp(base[k][0], guarded[i].column);
            fprintf(f, "%s,", other ? guarded[i].value : base[k][1]);
        }
        fprintf(f, i < 0 ? "m,1\n" : "m:%d,1\n", i + 1);
    }
    static const char row[] = MACHINE ",abc,0,h2,feed,db1,%d,1,host,even,1e-6,1e-9,1e-6,%s,%s,%s\n";
    static const char *const last[][3] = {
        {"skipped", "skips", ""}, {"interrupted", "stops", ""}, {"ok", "void", "nan"}};
    for (int i = 0; i < 3; i++) {
        fprintf(f, row, 16, "ok", last[i][1], "1");
        fprintf(f, row, 64, last[i][0], last[i][1], last[i][2]);
    }
    fclose(f);
}

/* Runs of other commits than good's: of the rows, of the environment, with which sources */
static void write_commits(void)
{
    static const char two[] = "\"rkc\": \"12ab\", \"vode\": \"34cd\"";
    static const char *const runs[][4] = {
        {"good", "", "abc", two},
        {"renamed", "ghi", "ghi", "\"vode\": \"34cd\", \"rkc\": \"12ab\""},
        {"changed", "ghi", "ghi", "\"rkc\": \"12ab\", \"vode\": \"34ce\""},
        {"fewer", "ghi", "ghi", "\"rkc\": \"12ab\""},
        {"moved", "ghi", "jkl", two},
        {"silent", "ghi", "ghi", ""},
        {"mute", "jkl", "jkl", ""}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char path[256];
        if (i) {
            FILE *f = start(runs[i][0], "cells", header);
            row(f, runs[i][1], "db1", 64, runs[i][0], "cpu-scalar", 1, 1e-6, 1e-6, 10, 0, "ok");
            fclose(f);
        }
        snprintf(path, sizeof path, "%s/%s/environment.json", folder, runs[i][0]);
        FILE *f = fopen(path, "w");
        fprintf(f, "{\"git\": \"%s\", \"sources\": {%s}}\n", runs[i][2], runs[i][3]);
        fclose(f);
    }
}

FIXTURE(make_results)
{
    assert_non_null(mkdtemp(folder));
    write_good();
    write_guarded();
    write_commits();
    FILE *f = start("other", "cells", header);
    row(f, "def", "db1", 64, "newer", "cpu-scalar", 1, 1e-6, 1e-6, 10, 0, "ok");
    fclose(f);
    f = start("third", "cells", header);
    row(f, "abc", "db2", 64, "elsewhere", "cpu-scalar", 1, 1e-6, 1e-6, 10, 0, "ok");
    row(f, "abc", "db1", 64, "there", "cpu-scalar", 1, 1e-6, 1e-6, 10, 0, "ok");
    row(f, "def", "db1", 64, "stale", "cpu-scalar", 1, 1e-6, 1e-6, 10, 0, "ok");
    fclose(f);
    f = start("good", "flow", "machine,git,case,mech,nx,ny,scheme,engine,threads,chemistry,"
              "ns_per_cell_step,ns_lo,ns_hi,cell_steps_per_s");
    fprintf(f, "box,abc,vortex,,64,64,mp5,cpu-scalar,1,,1000,990,1020,1e6\n"
               "box,abc,vortex,,64,64,mp5,gpu,4,,50,49,51,2e7\n"
               "box,abc,vortex,,128,128,mp5,cpu-scalar,1,,1000,990,1020,1e6\n"
               "box,abc,vortex,,128,128,mp5,gpu,4,,20,19,21,5e7\n"
               "box,abc,zone,h2,64,1,mp5,gpu,4,rodas4@gpu-thread,80,79,81,1.25e7\n");
    fclose(f);
    char more[400]; /* twice at several n, the larger of which decides */
    snprintf(more, sizeof more, "%s,one_thread_s", header);
    f = start("threads", "cells", more);
    static const struct { const char *solver; double one; } used[] = {
        {"good", 3.4e-6}, {"locked", 3e-6}, {"unknown", 0}};
    for (int i = 0; i < 3; i++)
        for (int n = 16; n <= 64; n *= 4) {
            fprintf(f, "r," MACHINE "-gpu,abc,db1,generated,%d,1e-06,%s,cpu-scalar,static,4,1e-06,"
                    "%g,%g,%g,0,0,0,1e-6,10,0.5,0,ok,,", n, used[i].solver, 1e-6 * n, 1e-6 * n,
                    1e-6 * n);
            if (used[i].one > 0)
                fprintf(f, "%g", used[i].one * (n == 16 ? 16 * 0.5 : n));
            fputc('\n', f);
        }
    /* the clock of one thread rises at the largest n; a host that gives 8 threads 0.6 of 8 times
     * one thread's rate, and two solvers on it */
    static const struct { const char *run, *solver; int threads, n; double use; } hosts[] = {
        {"threads", "turbo", 4, 256, 0.9},  {"threads", "turbo", 4, 1024, 0.9},
        {"threads", "turbo", 4, 4096, 0.5}, {"threads", "shared", 8, 512, 0.5},
        {"threads", "stuck", 8, 512, 0.45}, {"e1-h2-ignition", "rkck", 8, 512, 0.6}};
    for (int i = 0; i < 6; i++) {
        double time = 1e-6 * hosts[i].n;
        if (strcmp(hosts[i].run, "threads")) {
            fclose(f);
            f = start(hosts[i].run, "cells", more);
        }
        fprintf(f, "r," MACHINE "-gpu,abc,db1,generated,%d,1e-06,%s,cpu-scalar,static,%d,1e-06,%g,"
                "%g,%g,"
                "0,0,0,1e-6,10,0.5,0,ok,,%g\n", hosts[i].n, hosts[i].solver, hosts[i].threads, time,
                time, time, hosts[i].use * hosts[i].threads * time);
    }
    fclose(f);
    f = start("good", "errors", "case,scheme,engine,nx,ny,steps");
    fprintf(f, "step,mp5,gpu,960,320,55\n");
    fclose(f);
    f = start("flawed", "cells", "n,solver,time_s,wrong");
    fprintf(f, "64,wrong,1,3\n");
    fclose(f);
    kb_error err;
    return kb_results_open(&results, folder, &err);
}

FIXTURE(remove_results)
{
    kb_results_free(&results);
    return delete_tree(folder);
}

/* value of a query over the runs; NAN with the reason in why */
static bool missing; /* rows, as the last value without a number says */

static kb_point value(const char *text, char why[512])
{
    kb_query q;
    kb_value v;
    kb_error err = {0};
    kb_inquiry e = {.results = &results};
    kb_point out = {.v = NAN};
    kb_words_split(&e.runs, "good,other,third,flawed,renamed,changed,fewer,moved,silent,mute,"
                            "guarded");
    if (kb_query_parse(&q, text, "test", 0, &err))
        fail_msg("%s: %s", text, err.text);
    if (!kb_evaluate(&e, &q, &v, &err)) {
        out = *v.p;
        kb_value_free(&v);
    } else if (why) {
        strcpy(why, e.why);
        missing = e.missing;
    }
    kb_query_free(&q);
    kb_inquiry_clear(&e);
    kb_words_free(&e.runs);
    return out;
}

static void gives(const char *text, double expected)
{
    char why[512] = "";
    kb_point p = value(text, why);
    if (!(fabs(p.v - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s is %g, not %g (%s)", text, p.v, expected, why);
}

#define CPU "us{slow cpu-scalar threads=1}"
#define GPU "us{quick gpu-thread}"

TEST(arithmetic)
{
    gives("2 + 3 * 4", 14);
    gives(" ( max( us{slow cpu-scalar threads=1} ) * 0 + 2 ) * 3 ", 6);
    gives("(2 + 3) * 4 - 6 / 3", 18);
    gives("2 - 1 - 1", 0);
    gives("2 * 3 ^ 2", 18);
    gives("sqrt(16) + floor(2.9)", 6);
    gives("floor(sqrt(64000 / 3))", 146);
    gives("log(8) / log(2)", 3);
}

TEST(reductions)
{
    gives("max(" CPU " / " GPU ")", 10);
    gives("min(" CPU " / " GPU ")", 0.25);
    gives("mean(" CPU " / " GPU ") where n>=256", (4 + 10 + 10) / 3.0);
    gives("sum(n{slow cpu-scalar threads=1 n<100})", 80);
    gives("at(" CPU " / " GPU ", 256)", 4);
    gives("at(us{slow cpu-scalar threads=1 n=64} / " GPU ", 256)", 4);
    gives("near(" CPU " / " GPU ", 256 * 1.49)", 4);
    gives("near(" CPU " / " GPU ", 256 / 1.49)", 4);
    gives("first(" GPU ")", 4);
    gives("last(" GPU ")", 0.1);
    gives("cross(" CPU " / " GPU ")", 256);
    gives("cross(" CPU " / " GPU ", 5)", 1024);
    gives("cross(" CPU " / " GPU ", 5) where n>=1024", 1024);
    gives("slope(time_s{slow cpu-scalar threads=1})", 1);
    gives("slope(list(1, 4), list(10, 20))", 2);
    gives("rise(" CPU " / " GPU ")", 1);
    gives("fall(" CPU " / " GPU ")", 4);
    gives("trend(" CPU " / " GPU ")", 40);
    gives("last(list(5, 6, 7))", 7);
    gives("max(" CPU ") / 2", 0.5);
}

TEST(a_crossing_lies_between_two_n)
{
    kb_point p = value("cross(" CPU " / " GPU ")", NULL);
    assert_true(p.lo == 16 || p.lo == 64); /* the ratio is 1 at 64, so that its interval holds 1 */
    assert_true(p.hi == 256);
    assert_true(isinf(value("cross(" GPU " / " GPU " / 2)", NULL).v));
    assert_true(value("cross(2 * " GPU " / " GPU ")", NULL).lo == 0);
}

TEST(columns_and_tables)
{
    gives("us{slow threads=1 n=64}", 1);
    gives("outside{slow threads=1 n=64}", 0.5);
    gives("moved_s{slow threads=1 n=64} * 1e6", 0.3 * 64);
    gives("mode(divergence:count{quick n=64 measure=rhs histogram=warp}) by lo", 0.5);
    gives("share(divergence:count{quick n=64}, 0.5, 0.75) by lo", 0.6);
    gives("xmin(divergence:count{quick n=64}) by lo", 0.25);
    gives("xmax(divergence:count{quick n=64}) by lo", 0.75);
    gives("max(flow:us{mp5 cpu-scalar} / flow:us{mp5 gpu}) where case=vortex by nx", 50);
    gives("flow:us{gpu chemistry=rodas4@gpu-thread nx=64} by nx", 0.08);
    gives("flow:cell_steps_per_s{cpu-scalar nx=64} by nx", 1e6);
    gives("errors:steps{mp5 gpu nx=960} where case=step by nx", 55);
    gives("mech:species{h2}", 9);
    gives("mech:oneway{gri30}", 634);
}

TEST(selectors)
{
    gives("us{slow n=64} where threads=1", 1);
    gives("us{slow n=64 threads=4} where threads=1", 0.25);
    gives("us{slow n=64 threads=all}", 0.25);
    gives("us{slow n=64 threads=6|all}", 0.25);
    gives("us{slow n=64 threads!=4}", 1);
    gives("us{solver=slow engine=cpu-scalar order=generated schedule=static n=64 threads=1}", 1);
    gives("us{slow n=64 threads=1 steps=1}", 1);
    gives("us{slow n=64 threads=1 dt=0.000001}", 1);
    gives("us{slow threads=1 n>64 n<=256}", 1);
    gives("us{slow run=good n=64 threads=1}", 1);
}

TEST(intervals)
{
    kb_point p = value("at(" CPU " / " GPU ", 256)", NULL);
    assert_true(fabs(p.lo - 4 * 0.99 / 1.01) < 1e-6 && fabs(p.hi - 4 * 1.01 / 0.99) < 1e-6);
    p = value("flow:us{mp5 cpu-scalar nx=64} by nx", NULL);
    assert_true(fabs(p.lo - 0.99) < 1e-6 && fabs(p.hi - 1.02) < 1e-6);
    p = value("flow:cell_steps_per_s{mp5 cpu-scalar nx=64} by nx", NULL);
    assert_true(fabs(p.lo - 1e6 / 1.02) < 1 && fabs(p.hi - 1e6 / 0.99) < 1);
    p = value("1 - us{slow n=64 threads=1}", NULL);
    assert_true(fabs(p.lo + 0.01) < 1e-6 && fabs(p.hi - 0.01) < 1e-6);
}

static void says(const char *text, const char *reason)
{
    char why[512] = "";
    kb_point p = value(text, why);
    if (!isnan(p.v) || !strstr(why, reason))
        fail_msg("%s is %g, and says '%s' in place of '%s'", text, p.v, why, reason);
}

TEST(rows_that_cannot_be_used)
{
    says("us{nobody n=64}", "no row for us{nobody");
    says("us{slow n=64 threads=9|7}", "guarded: threads=9|7 leaves none");
    says("us{late n=64}", "skipped: beyond the budget");
    gives("n{late status=skipped}", 64); /* a status that is asked for: its n, and no time */
    says("us{late status=skipped}", "skipped: beyond the budget");
    says("n{late status=failed}", "status=failed leaves none");
    says("flow:us{gpu nx=64} by nx", "mech  and h2, case vortex and zone, ny 64 and 1");
    gives("D_rhs{late n=64}", 0.5); /* counts of a cell beyond the budget */
    says("us{broken n=64}", "is of failed ODEs");
    gives("failed{broken n=64}", 2);
    says("us{wrong n=64}", "flawed:2 is of wrong ODEs");
    gives("us{wrong n=64 wrong=*}", 1e6 / 64); /* accepted by name */
    says("us{wrong n=64 wrong<=2}", "wrong<=2 leaves none");
    says("us{stale n=64}", "third:4 is of another commit");
    says("us{twice n=64}", "two rows for us at column 1");
    says("us{twice n=64}", "threads 1 and 4");
    says("us{slow n=64 threads=1} / us{newer n=64}", "rows of two commits: abc (good:7) and def");
    gives("us{slow n=64 threads=1} / us{renamed n=64}", 64); /* two commits of the same sources */
    says("us{slow n=64 threads=1} / us{changed n=64}", "rows of two commits: abc (good:7) and ghi");
    says("us{slow n=64 threads=1} / us{fewer n=64}", "rows of two commits");
    says("us{slow n=64 threads=1} / us{moved n=64}", "rows of two commits");
    says("us{moved n=64} / us{slow n=64 threads=1}", "rows of two commits");
    says("us{silent n=64} / us{mute n=64}", "rows of two commits");
    says("us{slow n=64 threads=1} / us{elsewhere n=64}", "rows of two databases");
    gives("trend(list(us{slow n=64 threads=1}, us{elsewhere n=64}))", 1e-6 / 64 * 1e6);
    says("us{slow threads=1}", "reduce the curve");
    assert_false(missing);
    says("at(" CPU ", 7)", "no row there");
    says("near(" CPU ", 400)", "no row near");
    says("list(" CPU ")", "single values");
    says("slope(list(1, 2), list(1, 2, 3))", "different length");
    says("us{slow threads=1 n<64} / us{slow threads=4 n>64}", "no n that both sides");
    assert_true(missing);
}

TEST(rows_of_one_value_agree)
{
    for (int i = 0; i < GUARDED; i++) {
        kb_owned char *query = kb_format("us{m n=64} / us{m:%d n=64}", i + 1);
        says(query, guarded[i].says);
    }
    says("us{m:2 n=64} / us{m n=64}", ":4 is of sources that no commit has");
    gives("err_p95{m:9 n=64}", 10); /* which may be asked for */
    gives("us{m n=64} / us{m:4 n=64 steps=4}", 1); /* where the query names the column */
    gives("us{m n=64} / us{m:5 n=64 chain=device}", 1);
    gives("us{m n=64 sample=even} / us{m:6 n=64}", 1);
    gives("us{m n=64} / us{m:7 n=64 rtol=1e-3}", 1);
    gives("us{m n=64 rtol=1e-6} / us{m:8 n=64}", 1);
}

TEST(a_spoilt_row_leaves_no_smaller_n)
{
    gives("last(us{skips})", 1e6 / 16);
    says("last(us{stops})", "is interrupted");
    says("last(us{void})", "is without a time");
    says("max(us{void})", "is without a time");
    gives("us{least stops|void}", 1e6 / 16); /* the fastest of those that there are */
}

TEST(alternatives_are_decided_alike)
{
    says("us{slow n=64 threads=4|64} / us{quick n=64 threads=4|64}",
         "threads 4 on one side and 64 on the other");
}

TEST(wrong_queries_name_column_and_word)
{
    static const struct { const char *text, *says; } wrong[] = {
        {"", "column 1: unexpected '(end)'"},
        {"us{slow} /", "column 11: unexpected '(end)'"},
        {"us{slow", "column 1: no end of 'us'"},
        {"seconds{slow}", "column 1: no such column or function 'seconds'"},
        {"cats:us{slow}", "column 1: no such table 'cats'"},
        {"us", "column 1: a column without selectors 'us'"},
        {"us{speed=3}", "column 4: no such column 'speed=3'"},
        {"us{", "column 1: no end of 'us'"},
        {"max(us{slow", "column 5: no end of 'us'"},
        {"max((1", "column 7: unexpected '(end)'"},
        {"us{threads=}", "column 4: no value in 'threads='"},
        {"us{|}", "column 4: no value in '|'"},
        {"us{slow quick}", "column 9: given twice 'quick'"},
        {"most(us{slow})", "column 1: no such function 'most'"},
        {"max(1, 2)", "column 8: too many arguments '2'"},
        {"min(1, 2)", "column 8: too many arguments '2'"},
        {"cross(us{slow}, 2, 3)", "column 20: too many arguments '3'"},
        {"at(us{slow})", "column 1: too few arguments for 'at'"},
        {"max(us{slow}", "column 13: unexpected '(end)'"},
        {"max(1 2)", "column 7: unexpected '2'"},
        {"(1 + 2", "column 7: unexpected '(end)'"},
        {"1 2", "column 3: unexpected '2'"},
        {"us{slow} by speed", "column 13: no such column 'speed'"},
        {"us{slow} where speed=3", "column 16: no such column 'speed=3'"},
        {"1 + * 2", "column 5: unexpected '*'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kb_query q;
        kb_error err = {0};
        assert_int_equal(kb_query_parse(&q, wrong[i].text, "claims.tsv", 7, &err), KB_INVALID);
        if (!strstr(err.text, wrong[i].says) || strncmp(err.text, "claims.tsv:7: ", 14))
            fail_msg("'%s' gives '%s' in place of '%s'", wrong[i].text, err.text, wrong[i].says);
    }
}

/* unit repeated count times, between two texts; caller frees */
static char *repeated(const char *before, const char *unit, int count, const char *after)
{
    size_t n = strlen(unit), size;
    char *text;
    FILE *f = kb_open_text(&text, &size);
    fputs(before, f);
    for (int i = 0; i < count; i++)
        fwrite(unit, 1, n, f);
    fputs(after, f);
    kb_close_text(f);
    return text;
}

static void parse_refuses(char *text, const char *message)
{
    kb_query q;
    kb_error err = {0};
    assert_int_equal(kb_query_parse(&q, text, "claims.tsv", 7, &err), KB_INVALID);
    if (!strstr(err.text, message))
        fail_msg("'%.60s' gives '%s' in place of '%s'", text, err.text, message);
    free(text);
}

/* The text ends where a page without access begins, so that one byte beyond it is a crash */
TEST(a_query_is_not_read_beyond_its_end)
{
    static const char *const texts[] = {"us{", "us{slow", "max(us{slow", "(1", "max(1", "at(1, (1",
                                        "1 +", "us{slow} where n=", "us{slow} by "};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kb_query q;
        kb_error err = {0};
        char *text = memory + page - strlen(texts[i]) - 1;
        strcpy(text, texts[i]);
        assert_int_equal(kb_query_parse(&q, text, "claims.tsv", 7, &err), KB_INVALID);
    }
    munmap(memory, 2 * page);
}

TEST(bounds_of_a_query)
{
    kb_owned char *most = repeated("1", " + 1", 499, ""); /* 999 parts */
    gives(most, 500);
    parse_refuses(repeated("1", " + 1", 1000000, ""),
                  "column 2001: more than 1000 numbers, terms and operations, from '1'");
    parse_refuses(repeated("", "(", 1000000, ""), "too deep");
    parse_refuses(repeated("us{slow ", "n>1 ", 32, "}"), "more than 32 selectors, from 'n>1'");
    parse_refuses(repeated("us{slow} where ", "n>1 ", 33, ""), "more than 32 selectors, from");
    kb_owned char *text = repeated("us{slow threads=1 ", "n>2 ", 29, "rtol>1}");
    says(text, "no row for us"); /* the 32nd counts */
    char alternatives[300] = "us{n=64 slow threads=7";
    for (int i = 100; i < 130; i++)
        sprintf(alternatives + strlen(alternatives), "|%d", i);
    strcat(alternatives, "|4}");
    gives(alternatives, 0.25);
    strcpy(strstr(alternatives, "|4}"), "|8|4}");
    parse_refuses(kb_strdup(alternatives), "more than 32 alternatives in");
}

/* A list of alternatives for each of 70 terms: the last one decides as the first does */
TEST(many_choices)
{
    char *text = kb_strdup("0");
    for (int i = 0; i < 70; i++) {
        char *longer = kb_format("%s + n{slow n=64 threads=%d|4}", text, i + 5);
        free(text);
        text = longer;
        if (i == 62)
            gives(text, 63 * 64);
    }
    kb_owned char *again = kb_format("list(n{slow n=64 threads=4|1}, us{quick n=64 threads=64|4}, "
                                     "us{slow n=64 threads=64|4})");
    char why[512] = "";
    value(text, why);
    assert_non_null(strstr(why, "more than 64 different lists of alternatives, from threads=69"));
    value(again, why);
    assert_non_null(strstr(why, "threads 64 on one side and 4 on the other"));
    free(text);
}

/* 32 selectors of 32 alternatives: one look at each row, not one for each of 32^32 choices */
TEST(alternatives_take_linear_time)
{
    static const char *const keys[] = {"n", "threads", "rtol", "dt_s", "time_s", "time_lo_s",
                                       "time_hi_s", "kernel_s", "copy_in_s", "copy_out_s"};
    char *text = kb_strdup("us{slow cpu-scalar ");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char *some = kb_format("%s%s=", text, keys[k]);
        for (int i = 0; i < 31; i++) {
            char *longer = kb_format("%s%d|", some, 100000 + i);
            free(some);
            some = longer;
        }
        free(text);
        text = kb_format("%s7 ", some);
        free(some);
    }
    kb_owned char *query = kb_format("%s}", text);
    says(query, "no row for us{");
    free(text);
    gives("us{slow n=7|64 threads=4|1}", 0.25); /* the first that a row holds, in the order told */
    gives("us{slow n=7|64 threads=3|1|4}", 1);
    gives("us{solver=late|slow n=64 threads=1}", 1); /* that cannot be used: the next one */
    says("us{solver=late|nobody n=64}", "skipped: beyond the budget");
}

/* a row keeps the name that its solver had, and queries know both */
TEST(names_of_before)
{
    says("us{cvode-dense n=64}", "no row"); /* another LU, whose times are others */
    gives("us{cvode-lapack n=64}", 2);
    gives("kernels:pivoted_difference{pivoted}", 1e-6);
}

/* several threads that keep less than 80 % of as many times the rate of one, or of what the host
 * gives as many, are no yardstick */
TEST(threads_need_one)
{
    static const struct { const char *solver, *why; int n; bool refused; } cases[] = {
        {"good", "", 16, false},
        {"locked", "75 % of as many times the rate of one, less than 80 %", 16, true},
        {"unknown", "one thread was not measured beside several", 16, true},
        {"turbo", "", 4096, false},
        {"shared", "8 threads of this host have 60 % of as many times the rate of one", 512, false},
        {"stuck", "75 % of what this host gives as many, less than 80 %", 512, true}};
    for (int i = 0; i < 6; i++)
        for (int timed = 0; timed < 2; timed++) {
            kb_claim c = {.nqueries = 1, .direction = ">"};
            kb_judgement j = {0};
            kb_owned char *query = kb_format("at(%s{%s}, %d)", timed ? "us" : "rhs_mean",
                                             cases[i].solver, cases[i].n);
            for (int k = 0; k < KB_FIELDS; k++)
                c.field[k] = "";
            c.field[KB_EXPERIMENT] = "threads";
            assert_works(kb_query_parse(&c.query[0], query, "test", 0, &err));
            assert_works(kb_query_parse(&c.bound, "0", "test", 0, &err));
            assert_works(kb_judge(&results, &c, &j, &err));
            assert_int_equal(j.verdict, timed && cases[i].refused ? KB_CANNOT_SAY : KB_HOLDS);
            assert_true(!timed || strstr(j.why, cases[i].why));
            kb_judgement_free(&j);
            kb_query_free(&c.query[0]);
            kb_query_free(&c.bound);
        }
}

TEST(a_mechanism_alone)
{
    says("mech:species{h2 reactions>1}", "the name of one mechanism, and no more");
    says("mech:species{h2|gri30}", "the name of one mechanism, and no more");
    says("mech:species{name!=h2}", "the name of one mechanism, and no more");
}

TEST(verdicts_of_values)
{
    const kb_point low = {.v = 1.5, .lo = 1.4, .hi = 1.6}, wide = {.v = 1.5, .lo = 0.9, .hi = 2.5};
    const kb_point endless = {.v = INFINITY, .lo = 1, .hi = INFINITY};
#define VERDICT(p, direction, bound, banded, least, most) \
    kb_verdict_of(&(p), direction, bound, banded, least, most)
    assert_int_equal(VERDICT(low, ">", 1, false, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(low, ">", 1, true, 1, 2), KB_HOLDS);
    assert_int_equal(VERDICT(low, ">", 1, true, 2, 4), KB_DIRECTION_HOLDS);
    assert_int_equal(VERDICT(low, ">", 1, true, 1.5, 4), KB_DIRECTION_HOLDS);
    assert_int_equal(VERDICT(low, "<", 1, true, 1, 2), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(low, ">", 1.6, false, 0, 0), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(wide, ">", 1, true, 0, 4), KB_UNCLEAR);
    assert_int_equal(VERDICT(wide, "<", 2, false, 0, 0), KB_UNCLEAR);
    assert_int_equal(VERDICT(wide, ">=", 2, false, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(wide, ">=", 3, false, 0, 0), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(wide, "<=", 1, false, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(low, "<=", 1, false, 0, 0), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(low, "", 0, true, 1, 2), KB_HOLDS);
    assert_int_equal(VERDICT(low, "", 0, true, 2, 3), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(wide, "", 0, true, 1, 2), KB_UNCLEAR);
    assert_int_equal(VERDICT(low, "", 0, false, 0, 0), KB_NOT_JUDGED);
    /* limits are kept to the last digits, small ones and large ones */
    for (int power = -9; power <= 9; power += 3) {
        double x = 1.7 * pow(10, power);
        const kb_point above = {x, x, x * (1 + 1e-15), x * (1 + 1e-15)};
        const kb_point beyond_it = {x, x * 1.001, x * 1.001, x * 1.001};
        const kb_point below = {x, x * 0.999, x * 0.999, x * 0.999};
        assert_int_equal(VERDICT(above, "", 0, true, 0, x), KB_HOLDS);
        assert_int_equal(VERDICT(beyond_it, "", 0, true, 0, x), KB_DOES_NOT_HOLD);
        assert_int_equal(VERDICT(below, "", 0, true, x, 2 * x), KB_DOES_NOT_HOLD);
    }
    /* an end that is a bound: beyond it is only what lies behind it, inside it what reaches it */
    const kb_point unit = {.v = 1.5, .lo = 1, .hi = 2}, up = {.v = 0.5, .lo = 0, .hi = 1};
    const kb_point down = {.v = -0.5, .lo = -1, .hi = 0}, zero = {0};
    assert_int_equal(VERDICT(unit, ">", 1, false, 0, 0), KB_UNCLEAR);
    assert_int_equal(VERDICT(unit, ">", 2, false, 0, 0), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(unit, "<", 2, false, 0, 0), KB_UNCLEAR);
    assert_int_equal(VERDICT(unit, "<", 1, false, 0, 0), KB_DOES_NOT_HOLD);
    assert_int_equal(VERDICT(up, "", 0, true, -1, 0), KB_UNCLEAR);
    assert_int_equal(VERDICT(down, "", 0, true, 0, 1), KB_UNCLEAR);
    assert_int_equal(VERDICT(zero, "", 0, true, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(zero, ">=", 0, false, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(zero, "<=", 0, false, 0, 0), KB_HOLDS);
    assert_int_equal(VERDICT(low, "is", 0, true, 1, 2), KB_HOLDS);
    assert_int_equal(VERDICT(endless, "is", 0, true, 1, 2), KB_DOES_NOT_HOLD);
#undef VERDICT
}

/* the work behind a time: of one evaluation an ODE, too, of none not, and of no other number */
TEST(work_behind_a_time)
{
    const double rhs[] = {0, 0.5, 1, 10};
    const kb_run_table *t;
    FILE *f = start("work", "cells", header);
    for (int k = 0; k < 4; k++)
        row(f, "abc", "db1", 16, "slow", "cpu-scalar", 1, 1e-6, 1e-6, rhs[k], 0, "ok");
    fclose(f);
    assert_works(kb_results_table(&results, "work", "cells", &t, &err));
    for (int k = 0; k < 4; k++) {
        kb_point time, error;
        assert_true(kb_row_point(t, k, "time_s", &time) && time.work == rhs[k]);
        assert_true(kb_row_point(t, k, "err_p95", &error) && error.work == 0);
    }
}

TESTS(make_results, remove_results)
