/* SPDX-License-Identifier: MIT
 *
 * Names of the engines say where they run: what nvcc compiles is on a GPU, all else is not.
 */
#include "tests/test.h"
#include "solvers/engine_names.h"

TEST(names_say_where_engines_run)
{
    static const char *const objects[] = {
#define ENGINE(object, ...) #object,
#include "solvers/engines.def"
#undef ENGINE
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        assert_int_equal(kb_on_gpu(kb_engine_name[i]), !strncmp(objects[i], "gpu_", 4));
    assert_true(kb_on_gpu("gpu") && kb_on_gpu("gpu-plugin"));
    assert_false(kb_on_gpu("cpu-plugin"));
}

TESTS(NULL, NULL)
