/* SPDX-License-Identifier: MIT
 *
 * The clock of the processor in made-up folders of the kernel.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/stat.h>

#include "tests/test.h"
#include "drivers/env/clock.h"

static char root[] = "/tmp/kb_clock_XXXXXX";
static int core[CPU_SETSIZE], ncores; /* that may be used */

static void put(const char *path, const char *text)
{
    char whole[256];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(whole, sizeof whole, "%s/%.*s", root, (int)(slash - path), path);
        mkdir(whole, 0755); /* or it is there */
    }
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void put_scaled(int k, const char *kHz)
{
    char path[128];
    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", k);
    put(path, kHz);
}

TEST(no_file_is_not_known) { assert_true(kb_cpu_clock(root) == 0); }

TEST(cores_that_may_be_used_are_listed)
{
    char text[CPU_SETSIZE * 64] = "cpu MHz\t: 9000\n"; /* of no core */
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    for (int k = 0; k < CPU_SETSIZE; k++)
        if (CPU_ISSET(k, &set))
            core[ncores++] = k;
    ncores = ncores > 2 ? 2 : ncores; /* of many, two */
    CPU_ZERO(&set);
    for (int i = 0; i < ncores; i++)
        CPU_SET(core[i], &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    for (int k = 0; k <= core[ncores - 1] + 1; k++)
        snprintf(text + strlen(text), 64, "processor\t: %d\ncpu MHz\t\t: %.2f\nsiblings : 7\n", k,
                 k == core[0]         ? 1234.4
                 : CPU_ISSET(k, &set) ? 2234.9
                                      : 8000);
    put("proc/cpuinfo", text);
    assert_true(kb_cpu_clock(root) == (ncores == 2 ? 1735 : 1234));
}

TEST(cpufreq_goes_before_it)
{
    put_scaled(core[0], "3000400\n");
    put_scaled(core[ncores - 1], ncores == 2 ? "1000800\n" : "3000400\n");
    put_scaled(core[ncores - 1] + 1, "8000000\n");
    assert_true(kb_cpu_clock(root) == (ncores == 2 ? 2001 : 3000));
}

TEST(one_core_without_it_and_the_list_counts)
{
    static const char *const none[] = {"0\n", "unknown\n", ""};
    for (int i = 0; i < 3; i++) {
        put_scaled(core[ncores - 1], none[i]);
        assert_true(kb_cpu_clock(root) == (ncores == 2 ? 1735 : 1234));
    }
}

FIXTURE(make_root) { return !mkdtemp(root); }

FIXTURE(remove_root) { return delete_tree(root); }

TESTS(make_root, remove_root)
