/* SPDX-License-Identifier: MIT
 *
 * What the parts of an attempt are counted to do, from tables and as straight-line code, against
 * the structure of the mechanism; and the rate of a core.
 */
#include <unistd.h>

#include "tests/test.h"
#include "base/shared_object.h"
#include "mech/mech.h"
#include "mech/tables/sparse.h"
#include "solvers/parts/roofline.h"

static const kb_roofline *opened(void)
{
    static const kb_shared_object object = {"roofline", "roofline.so", "kb_roofline_get",
                                            KB_ROOFLINE_VERSION};
    if (access("build/mech/h2/roofline.so", R_OK)) {
        print_message("skip - no roofline.so: it needs g++\n");
        skip();
    }
    const kb_roofline *r;
    assert_works(!(r = kb_shared_open(&object, "build/mech/h2/roofline.so", &err)));
    return r;
}

/* more than the elimination alone: divisions count eight, and pivots are tested */
TEST(counts_are_those_of_the_structure)
{
    const kb_roofline *r = opened();
    kb_mech m;
    kb_sparse s;
    kb_part_work w[KB_PARTS], again[KB_PARTS];
    double y[32] = {1500, 101325, 0.1, 0.01, 0.01, 0.2, 0.02, 0.1, 0.001, 0.001};
    assert_works(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err));
    y[m.nspecies + 1] = 1 - 0.442;
    kb_sparse_build(&m, 1, KB_HEAD_CHEAPER, &s);
    r->count(y, w);
    r->count(y, again);
    assert_memory_equal(w, again, sizeof w);
    assert_true(w[KB_PART_LU].flops >= s.lu_flops && w[KB_PART_LU].flops < 2.5 * s.lu_flops);
    assert_true(w[KB_PART_SOLVE].flops >= s.solve_flops &&
                w[KB_PART_SOLVE].flops < 2.5 * s.solve_flops);
    /* an exponential at least for each reaction */
    assert_true(w[KB_PART_RATES].flops > 30 * m.nreactions);
    assert_true(w[KB_PART_JACOBIAN].flops > 1.3 * w[KB_PART_RATES].flops);
    for (int k = 0; k < KB_PARTS; k++)
        assert_true(w[k].words > 0 && w[k].words <= w[k].flops);
    kb_sparse_free(&s);
    kb_mech_free(&m);
}

/* straight-line code does less: no padding, no inert species, nothing twice. Its matrix is dense:
 * the elimination of 9 rows and that of s, whose numbers before are known. */
TEST(straight_line_code_does_less)
{
    const kb_roofline *r = opened();
    enum { NEWTON = 10 };
    kb_part_work table[KB_PARTS], straight[KB_PARTS];
    double y[11] = {1500, 101325, 0.1, 0.01, 0.01, 0.2, 0.02, 0.1, 0.001, 0.001, 0.558}, lu = 0;
    r->count(y, table);
    r->count_straight(y, straight);
    for (int k = 0; k < KB_PARTS; k++) {
        assert_true(straight[k].words == 0);
        assert_true(straight[k].flops < table[k].flops);
        assert_true(straight[k].flops > 0.6 * table[k].flops);
    }
    for (int k = 0; k < NEWTON; k++) /* a division, a column, the rest of the matrix */
        lu += 8 + k + 2 * k * k;
    assert_true(straight[KB_PART_LU].flops > 0.9 * lu && straight[KB_PART_LU].flops < 1.1 * lu);
}

/* no core does less than a multiplication and an addition in ten cycles, none a thousand a cycle */
TEST(core_is_a_core)
{
    double rate = opened()->core();
    assert_true(rate > 1e8 && rate < 1e13);
}

TESTS(NULL, NULL)
