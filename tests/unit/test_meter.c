/* SPDX-License-Identifier: MIT
 *
 * Counters of energy in a made-up folder of them, and the largest memory of this process.
 */
#include <sys/stat.h>

#include "tests/test.h"
#include "drivers/env/meter.h"

static char folder[] = "/tmp/kb_meter_XXXXXX";

static void write_number(int package, const char *name, const char *number)
{
    char path[256];
    snprintf(path, sizeof path, "%s/intel-rapl:%d", folder, package);
    mkdir(path, 0755); /* or it is there */
    snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", folder, package, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(number, f);
    fclose(f);
}

static kb_meter reading(void)
{
    kb_meter meter;
    kb_meter_read(&meter, false, folder);
    return meter;
}

TEST(no_counter_is_not_known)
{
    kb_meter none = reading();
    assert_int_equal(none.parts, 0);
    assert_true(isnan(kb_meter_between(&none, &none)));
    assert_true(isnan(kb_power_cap(false, folder)));
}

TEST(packages_add_up_and_begin_anew)
{
    write_number(0, "energy_uj", "5000000\n");
    write_number(0, "max_energy_range_uj", "100000000\n");
    write_number(0, "constraint_0_power_limit_uw", "150000000\n");
    write_number(1, "energy_uj", "99000000\n");
    write_number(1, "max_energy_range_uj", "100000000\n");
    write_number(1, "constraint_0_power_limit_uw", "160000000\n");
    kb_meter from = reading();
    assert_int_equal(from.parts, 2);
    assert_true(kb_meter_between(&from, &from) == 0); /* at rest: no range more */
    write_number(0, "energy_uj", "7500000\n");
    write_number(1, "energy_uj", "3000000\n"); /* past its end: 4 J more */
    kb_meter to = reading();
    assert_float_equal(kb_meter_between(&from, &to), 6.5, 1e-9);
    assert_float_equal(kb_power_cap(false, folder), 310, 1e-9);
}

TEST(a_lost_package_is_not_known)
{
    kb_meter from = reading();
    char path[256];
    snprintf(path, sizeof path, "%s/intel-rapl:1/energy_uj", folder);
    assert_int_equal(remove(path), 0);
    kb_meter to = reading();
    assert_int_equal(to.parts, 1);
    assert_true(isnan(kb_meter_between(&from, &to)));
}

/* and none says how far it counts: one that begins anew is not known, however little it lost */
TEST(a_range_is_not_made_up)
{
    char path[256];
    snprintf(path, sizeof path, "%s/intel-rapl:0/max_energy_range_uj", folder);
    assert_int_equal(remove(path), 0);
    write_number(0, "energy_uj", "7500000\n");
    kb_meter from = reading();
    write_number(0, "energy_uj", "7000000\n");
    kb_meter to = reading();
    assert_int_equal(to.parts, 1);
    assert_true(isnan(kb_meter_between(&from, &to)));
}

#define MORE (64 << 20)

TEST(largest_memory_begins_anew)
{
    kb_owned char *block = malloc(MORE);
    assert_non_null(block);
    memset(block, 1, MORE);
    double with = kb_peak_memory();
    kb_peak_restart();
    double without = kb_peak_memory();
    if (isnan(with) || without == with)
        skip(); /* a kernel without it */
    assert_true(with > MORE);
    assert_true(without < with - MORE / 2);
}

/* [kB] as the kernel says it */
static long told(void)
{
    char line[256];
    long kB = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f) && kB < 0)
        kB = !strncmp(line, "VmHWM:", 6) ? strtol(line + 6, NULL, 10) : -1;
    if (f)
        fclose(f);
    return kB;
}

TEST(largest_memory_in_bytes)
{
    long least = told(), most;
    double bytes = kb_peak_memory();
    most = told();
    if (least < 0)
        skip();
    assert_true(bytes >= 1024.0 * (double)least && bytes <= 1024.0 * (double)most);
}

FIXTURE(make_folder) { return !mkdtemp(folder); }

FIXTURE(remove_folder) { return delete_tree(folder); }

TESTS(make_folder, remove_folder)
