/* SPDX-License-Identifier: MIT
 *
 * Rows for figures and tables of the docs: columns from beside a table, lists of alternatives, and
 * templates, on made-up rows.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/error.h"
#include "base/file.h"
#include "rows/pick.h"
#include "rows/template.h"

static char folder[] = "/tmp/kb_test_pick_XXXXXX", path[200];
static kb_pick p;

static const char *file(const char *name, const char *text)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(kb_make_folders(path, NULL), KB_OK);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static void add(const char *name, const char *text, const char *run)
{
    assert_int_equal(kb_pick_add(&p, file(name, text), "e1", run, NULL), KB_OK);
}

FIXTURE(start)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    p = (kb_pick){0};
    return !mkdtemp(folder);
}

FIXTURE(end)
{
    kb_pick_free(&p);
    return delete_tree(folder);
}

static void select_rows(const char *selectors)
{
    assert_works(kb_pick_select(&p, selectors, &err));
}

/* What is printed, with / for the folder of the test; tabs are | */
static void prints(const char *expected)
{
    char *text, *at;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    kb_pick_print(&p, f);
    fclose(f);
    while ((at = strstr(text, folder)))
        memmove(at, at + strlen(folder), strlen(at + strlen(folder)) + 1);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? '|' : *c;
    assert_string_equal(text, expected);
    free(text);
}

/* Rows that do not count are gone; what a row lacks is of environment.json */
TEST_WITH(columns_from_beside, start, end)
{
    file("run/environment.json", "{\"mech\": \"h2\", \"machine\": \"box\", \"git\": \"abc\"}");
    add("run/cells.csv", "mech,solver,engine,time_s,status,experiment,run\n"
        "gri30,rodas4,cpu-simd,1,ok,x,y\n,cvode,cpu-scalar,2,ok,,\n"
        ",cvode,cpu-scalar,2,skipped,,\n"
        ",\"a\tb\",cpu-plugin,2,ok,,\n,cvode-gpu,gpu-plugin,1,ok,,\n", NULL);
    select_rows("");
    prints("mech|solver|engine|time_s|status|experiment|run|machine|git|file|row|yardstick|"
           "wish_engine|wish_solver|wish_order|wish_schedule\n"
           "gri30|rodas4|cpu-simd|1|ok|e1|run|box|abc|/run/cells.csv|run/cells:2|0|0|0|0|0\n"
           "h2|cvode|cpu-scalar|2|ok|e1|run|box|abc|/run/cells.csv|run/cells:3|1|0|0|0|0\n"
           "h2|a b|cpu-plugin|2|ok|e1|run|box|abc|/run/cells.csv|run/cells:5|0|0|0|0|0\n"
           "h2|cvode-gpu|gpu-plugin|1|ok|e1|run|box|abc|/run/cells.csv|run/cells:6|0|0|0|0|0\n");
}

/* Systems and flows have the columns of cells; a table without a folder; a run of another name */
TEST_WITH(systems_and_flows, start, end)
{
    add("run/kernels.csv", "kernel,layout,precision,us_per_system\n"
        "lu,dense,double,1\nlu,team,float,2\n", "mine");
    add("run/flow.csv", "case,engine,scheme,nx,ny,chemistry,ns_per_cell_step,ns_lo,ns_hi\n"
        "zone,cpu-simd,mp5,64,2,,500,250,1000\nzone,cpu-simd,mp5,64,1,rodas4@gpu-thread,500,1,2\n",
        NULL);
    prints("kernel|layout|precision|us_per_system|mech|machine|git|experiment|run|solver|case|"
           "engine|scheme|nx|ny|chemistry|ns_per_cell_step|ns_lo|ns_hi|n|time_s|time_lo_s|"
           "time_hi_s|file|row|yardstick|wish_engine|wish_solver|wish_order|wish_schedule\n"
           "lu|dense|double|1||||e1|mine|lu dense||||||||||||||/run/kernels.csv|mine/kernels:2|"
           "0|0|0|0|0\n"
           "lu|team|float|2||||e1|mine|lu team single||||||||||||||/run/kernels.csv|"
           "mine/kernels:3|0|0|0|0|0\n"
           "|||||||e1|run|mp5|zone|cpu-simd|mp5|64|2||500|250|1000|128|6.4000000000000011e-05|"
           "3.2000000000000005e-05|0.00012800000000000002|/run/flow.csv|run/flow:2|0|0|0|0|0\n"
           "|||||||e1|run|rodas4|zone|gpu-thread|mp5|64|1|rodas4@gpu-thread|500|1|2|64|"
           "3.2000000000000005e-05|6.4000000000000004e-08|1.2800000000000001e-07|/run/flow.csv|"
           "run/flow:3|0|0|0|0|0\n");
}

/* The rows that are left, as "line:wish line:wish" with the wish of the engine or the solver */
static void leaves(const char *table, const char *selectors, int wish, const char *expected)
{
    char *text, left[400] = "";
    size_t n;
    kb_pick_free(&p);
    add("run/cells.csv", table, NULL);
    select_rows(selectors);
    FILE *f = open_memstream(&text, &n);
    kb_pick_print(&p, f);
    fclose(f);
    for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        char *at = strstr(line, "run/cells:"), *end = strchr(line, '\n');
        int place = atoi(end - 7 + 2 * wish);
        snprintf(left + strlen(left), sizeof left - strlen(left), "%s%d:%d", *left ? " " : "",
                 atoi(at + 10), place);
    }
    free(text);
    if (strcmp(left, expected))
        fail_msg("'%s' leaves %s, not %s", selectors, left, expected);
}

enum { ENGINE, SOLVER, ORDER, SCHEDULE };

TEST_WITH(selectors_leave_rows, start, end)
{
    static const char table[] = "mech,solver,engine,threads,n,dt_s,time_s,order,schedule\n"
        "h2,rodas4,cpu-simd,1,16,1e-6,1,generated,static\n"         /* 2 */
        "h2,rodas4,cpu-simd,4,64,1e-6,1,shuffled,refill\n"          /* 3 */
        "h2,rodas4,gpu-thread,0,256,1e-6,1,shuffled,static\n"       /* 4 */
        "h2,cvode,cpu-scalar,4,16,1e-4,1,generated,static\n"        /* 5 */
        "h2,cvode,cpu-scalar,4,64,1e-4,1,generated,static\n"        /* 6 */
        "h2,point_implicit,cpu-simd,4,64,1e-4,1,generated,static\n" /* 7 */
        "gri30,radau2a,cpu-simd,2,64,1e-4,1,generated,static\n";    /* 8 */
    leaves(table, "", SOLVER, "2:0 3:0 4:0 5:0 6:0 8:0"); /* without control of the error */
    leaves(table, "  solver=point_implicit ", SOLVER, "7:1");
    leaves(table, "solver!=cvode", SOLVER, "2:1 3:1 4:1 8:1");
    leaves(table, "solver=cvode,rodas4", SOLVER, "2:2 3:2 4:2 5:1 6:1");
    leaves(table, "gpu-thread,cpu-simd", ENGINE, "2:2 3:2 4:1 8:2");
    leaves(table, "order=shuffled,generated rodas4", ORDER, "2:2 3:1 4:1");
    leaves(table, "schedule=static", SCHEDULE, "2:1 4:1 5:1 6:1 8:1");
    leaves(table, "threads=4 mech=h2", SOLVER, "3:0 4:0 5:0 6:0"); /* a GPU has none */
    leaves(table, "threads=max", SOLVER, "3:0 4:0 5:0 6:0 8:0");
    leaves(table, "n<64", SOLVER, "2:0 5:0");
    leaves(table, "n=max", SOLVER, "3:0 4:0 6:0 8:0"); /* of each dt, CPU and GPU apart */
    leaves(table, "dt=1e-4 n>=64", SOLVER, "6:0 8:0");
    leaves(table, "mech=g*", SOLVER, "8:0");
}

/* Of lists the one that has most pairs of value and n, in each mechanism; the first of equals */
TEST_WITH(lists_are_chosen, start, end)
{
    static const char table[] = "mech,solver,engine,threads,n,m,dt_s,time_s\n"
        "h2,rodas4,cpu-simd,4,16,,1e-6,1\n"    /* 2 */
        "h2,rodas4,cpu-simd,4,64,,1e-6,1\n"    /* 3 */
        "h2,radau2a,cpu-simd,4,16,,1e-6,1\n"   /* 4 */
        "h2,radau2a,cpu-simd,4,16,,1e-6,2\n"   /* 5: the same pair again */
        "gri30,rodas4,cpu-simd,4,16,,1e-6,1\n" /* 6 */
        "gri30,vode,cpu-simd,4,16,,1e-6,1\n"   /* 7 */
        "gri30,vode,cpu-simd,4,16,3,1e-6,1\n"; /* 8: another m */
    leaves(table, "solver=radau2a|rodas4", SOLVER, "2:1 3:1 6:1");
    leaves(table, "solver=rodas4|vode", SOLVER, "2:1 3:1 7:1 8:1");
    leaves(table, "solver=radau2a,vode|rodas4,radau2a", SOLVER, "2:1 3:1 4:2 5:2 7:2 8:2");
    leaves(table, "solver=rodas4|radau2a mech=gri30", SOLVER, "6:1");
    leaves(table, "n=64|16", SOLVER, "3:0 8:0"); /* of m 3 and of none apart */
    leaves(table, "mech=h2 n=64,128|256,64", SOLVER, "3:0"); /* equals: the first */
}

/* Rows that were ended at their budget are none, unless status is asked for */
TEST_WITH(ended_rows, start, end)
{
    static const char table[] = "solver,engine,n,dt_s,time_s,wrong,failed,status\n"
        "rkc,cpu-scalar,16,1e-6,1,0,0,ok\n"      /* 2 */
        "rkc,cpu-scalar,64,1e-6,,0,0,skipped\n"  /* 3 */
        "rkc,cpu-scalar,128,1e-6,1,0,1,failed\n" /* 4 */
        "rkc,cpu-scalar,256,1e-6,1,9,0,ok\n";    /* 5 */
    leaves(table, "solver=rkc n=max", SOLVER, "2:1");
    leaves(table, "solver=rkc status=ok,skipped", SOLVER, "2:1 3:1");
    leaves(table, "solver=rkc status=*", SOLVER, "2:1 3:1"); /* never a failed one */
    leaves(table, "solver=rkc wrong=*", SOLVER, "2:1 5:1");
    leaves(table, "solver=rkc status=ok", SOLVER, "2:1");
}

/* Rows of wrong ODEs are none, unless wrong is asked for */
TEST_WITH(wrong_rows, start, end)
{
    static const char table[] = "solver,engine,n,dt_s,time_s,wrong,failed\n"
        "rkc,cpu-scalar,16,1e-6,1,0,0\n"  /* 2 */
        "rkc,cpu-scalar,64,1e-6,1,5,0\n"  /* 3 */
        "rkc,cpu-scalar,128,1e-6,1,9,0\n" /* 4 */
        "rkc,cpu-scalar,256,1e-6,1,1,1\n"; /* 5: failed, too */
    leaves(table, "solver=rkc", SOLVER, "2:1");
    leaves(table, "solver=rkc wrong=*", SOLVER, "2:1 3:1 4:1");
    leaves(table, "wrong<9", SOLVER, "2:0 3:0");
}

TEST_WITH(refusals, start, end)
{
    kb_error err;
    add("run/cells.csv", "solver,time_s\na,1\n", NULL);
    assert_int_equal(kb_pick_select(&p, "solver=a colour=red", &err), KB_INVALID);
    assert_string_equal(err.text, "selectors 'solver=a colour=red': no such column 'colour=red'");
    assert_int_equal(kb_pick_add(&p, "/none/cells.csv", "e1", NULL, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "/none/cells.csv"));
    assert_true(p.nsources == 1 && p.nrows == 1);
}

/* ---- templates ---- */

static const char cells[] = "solver,engine,n,dt_s,rtol,time_s,err_p95,status\n"
    "rodas4:float=1,gpu-block,16,1e-6,1e-4,16e-6,2e-5,ok\n"  /* 2 */
    "rodas4:float=1,gpu-block,64,1e-6,1e-4,61e-6,2e-5,ok\n"  /* 3: 0.953 of an ODE of 16 */
    "cvode,cpu-scalar,16,1e-6,1e-4,1600e-6,3e-4,ok\n"        /* 4 */
    "cvode,cpu-scalar,64,1e-6,1e-4,6000e-6,3e-4,ok\n"        /* 5: 0.9375 */
    "x:pass=1,gpu-plugin,64,1e-6,0.5,79.6e-6,3e-4,ok\n"      /* 6 */
    "y:host=12,cpu-simd,64,1e-6,1e-10,6400e-6,3e-4,ok\n"     /* 7 */
    "z,<b>,64,1e-6,1e-10,6400e-6,3e-4,ok\n";                 /* 8 */

static void fills_of(const char *table, const char *text, const char *expected,
                     const char *sources)
{
    kb_results r;
    kb_error err = {0};
    char *is[2];
    size_t n[2];
    FILE *to = open_memstream(&is[0], &n[0]), *from = open_memstream(&is[1], &n[1]);
    file("run/cells.csv", table);
    assert_works(kb_results_open(&r, folder, &err));
    int code = kb_template_fill(&r, file("t", text), to, sources ? from : NULL, &err);
    fclose(to);
    fclose(from);
    if (code) {
        char *said = strstr(err.text, "/t:");
        assert_string_equal(said ? said : err.text, expected);
    } else {
        assert_string_equal(is[0], expected);
    }
    for (char *at; sources && (at = strstr(is[1], path));)
        memmove(at, at + strlen(path), strlen(at + strlen(path)) + 1);
    assert_string_equal(is[1], sources ? sources : "");
    free(is[0]);
    free(is[1]);
    kb_results_free(&r);
}

static void fills(const char *text, const char *expected, const char *sources)
{
    fills_of(cells, text, expected, sources);
}

#define HEAD "% run=run\n"
#define R "[[us{rodas4:float=1 n=64}]]"

TEST_WITH(values_of_templates, start, end)
{
    fills("a\n" HEAD "| " R " [[us{cvode n=64}]] [[@2 / @1]] [[@1 / @2]] |\nb",
          "a\n| 0.95 93.8 98 0.0 |\nb", ":3: 0.95 run/cells:3\n:3: 93.8 run/cells:5\n");
    fills(HEAD R " [[solver @1]] [[engine @1]] [[n @1]] [[rtol @1]] [[err_p95 @1]] [[@2 / @2]]",
          "0.95 rodas4+float block 64 1e-4 2e-5 1.0", NULL);
    fills(HEAD R "[[settled @1]] [[us{cvode n=64}]][[settled @2]] [[us{cvode n=16}]][[settled @3]]",
          "0.95 93.8* 100*", NULL);
    fills(HEAD "[[us{solver=x* n=64}]] [[solver @1]] [[rtol @1]]\n"
          "[[us{solver=y* n=64}]] [[solver @1]] [[rtol @1]] [[time_s @1]]",
          "1.24 x+pass 0.5\n100 y+host 1e-10 0.0064", NULL);
    fills(HEAD "[[= 15.9]] [[us{cvode n=16}]] [[@2 / @1]] [[10 * us{cvode n=16}]]",
          "15.9 100 6.3 1000", NULL);
    fills(HEAD "no [[ end\n[[time_s{cvode n=16} * 1e4]] [[n{cvode n=16}]]",
          "no [[ end\n16.0 16", NULL);
}

/* Errors below 1 have one digit; what is chosen stands as it was given, small as a power of ten;
 * what is measured has three digits, below 1 two */
TEST_WITH(numbers_of_templates, start, end)
{
    static const char *const numbers[][3] = {
        {"rtol", "0.001", "1e-3"}, {"rtol", "0.0015", "0.0015"}, {"atol", "0.0005", "5e-4"},
        {"atol", "1e-20", "1e-20"}, {"rtol", "0", "0"}, {"dt_s", "0.25", "0.25"},
        {"dt_s", "1e-6", "1e-6"}, {"n", "1048576", "1.04858e+06"}, {"failed", "0", "0"},
        {"wrong", "0", "0"}, {"err_p50", "0.94", "9e-1"}, {"err_p50", "1", "1.00"},
        {"err_max", "2e-5", "2e-5"}, {"err_max", "1e-11", "1e-11"}, {"err_max", "99.4", "99.4"},
        {"err_median", "0.015", "0.015"}, {"time_s", "150", "150"}, {"time_s", "99.6", "100"},
        {"time_s", "15", "15.0"}, {"time_s", "9.96", "10.0"}, {"time_s", "9.94", "9.94"},
        {"time_s", "1.5", "1.50"}, {"time_s", "0.996", "1.00"}, {"time_s", "0.5", "0.50"},
        {"time_s", "0.00123", "0.0012"}, {"solver", "", "none"}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const char *const *of = numbers[k];
        kb_owned char *table = kb_format("engine,time_lo_s,status,%s\ncpu-simd,1,ok,%s\n", of[0],
                                         of[1]);
        kb_owned char *query = kb_format("%s[[time_lo_s{cpu-simd}]] [[%s @1]]", HEAD, of[0]);
        kb_owned char *text = kb_format("1.00 %s", of[2]);
        fills_of(table, query, text, NULL);
    }
}

/* A ratio has one digit behind the point below ten, and the machine's card its name alone */
TEST_WITH(ratios_and_cards_of_templates, start, end)
{
    static const char flow[] = "case,machine\nzone,xeon-16c-nvidia-h200-141gb\n";
    fills("[[= 9.94]] [[= 9.96]] [[= 1]] [[@1 / @3]] [[@2 / @3]]", "9.94 9.96 1 9.9 10", NULL);
    file("only/flow.csv", flow);
    fills("[[card only]]", "H200", NULL);
    fills_of("solver,status,machine\na,ok,nvidia-a100\n", "[[card run]]", "A100", NULL);
    fills_of("solver,status,machine\na,ok,xeon\n", "[[card run]]",
             "/t:1: no rows of a GPU in that run: [[card run]]", NULL);
}

TEST_WITH(refusals_of_templates, start, end)
{
    fills(HEAD "\n[[solver @1]]", "/t:3: no value before it of one row: [[solver @1]]", NULL);
    fills(HEAD "[[= 2]] [[solver @1]]", "/t:2: no value before it of one row: [[solver @1]]", NULL);
    fills(HEAD "[[= 2]] [[@1 / @2]]", "/t:2: no such value before it: [[@1 / @2]]", NULL);
    fills(HEAD "[[= 2]] [[@0 / @1]]", "/t:2: no such value before it: [[@0 / @1]]", NULL);
    fills(HEAD R " [[colour @1]]", "/t:2: no such column: [[colour @1]]", NULL);
    fills(HEAD R " [[card run x]]", "/t:2: query, column 1: no such column or function 'card' (a "
          "column and {selectors}, or a function)", NULL);
    fills(HEAD R " [[@1 / @1 x]]", "/t:2: query, column 1: unexpected '@' (a number, "
          "column{selectors} or function(...))", NULL);
    fills(HEAD R " [[n @1 x]]", "/t:2: query, column 1: a column without selectors 'n' (write "
          "column{selectors})", NULL);
    fills(HEAD "[[us{z n=64}]] [[engine @1]]",
          "/t:2: its text is no plain word: [[engine @1]]", NULL);
    char many[65 * 7 + 1] = "", two[65 * 4 + 1] = "";
    for (int k = 0; k < 64; k++)
        strcat(many, "[[= 2]]"), strcat(two, "2");
    fills(many, two, NULL);
    strcat(many, "[[= 3]]");
    fills(many, "/t:1: more than 64 values of a line: [[= 3]]", NULL);
    static const char *const wrong[] = {"[[= <b>]]", "[[= 2 x]]", "[[= ]]"};
    for (int k = 0; k < 3; k++)
        fills(wrong[k], "/t:1: query, column 1: unexpected '=' (a number, column{selectors} or "
              "function(...))", NULL);
}

TESTS(NULL, NULL)
