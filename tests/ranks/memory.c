/* SPDX-License-Identifier: MIT
 *
 * The memory that ranks of a host share (drivers/ranks/mpi/shared.h), with both sides in one
 * process and MPI made up.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/test.h"
#include "drivers/ranks/mpi/shared.h"

/* --- MPI: this rank of four, the first rank of its host */

enum { RANKS = 4, HOST = 7, FAR = 8 };
static struct {
    int rank, first, freed;
} fake;

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = fake.rank;
    return 0;
}

int MPI_Comm_size(MPI_Comm comm, int *ranks)
{
    (void)comm;
    *ranks = RANKS;
    return 0;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    (void)comm;
    (void)key;
    *part = color == MPI_UNDEFINED ? MPI_COMM_NULL : FAR;
    return 0;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    fake.freed += *comm;
    *comm = MPI_COMM_NULL;
    return 0;
}

/* the host's first rank says who it is; rank 0 tells its process, 4242 */
int MPI_Bcast(void *data, int n, int type, int root, MPI_Comm comm)
{
    assert_int_equal(n, 1);
    assert_int_equal(root, 0);
    if (comm == HOST && type == MPI_INT)
        *(int *)data = fake.first;
    else if (comm == MPI_COMM_WORLD && type == MPI_LONG && fake.rank > 0)
        *(long *)data = 4242;
    return 0;
}

/* ranks 0 and 2 are near */
int MPI_Gather(const void *from, int n, int type, void *to, int each, int as, int root,
               MPI_Comm comm)
{
    const int near[RANKS] = {1, 0, 1, 0};
    (void)from;
    assert_true(n == 1 && each == 1 && type == as && root == 0 && comm == MPI_COMM_WORLD);
    if (fake.rank == 0)
        memcpy(to, near, sizeof near);
    return 0;
}

TEST(who_is_near)
{
    const struct {
        int rank, first, near;
        MPI_Comm far;
    } cases[] = {{0, 0, 1, FAR}, {2, 0, 1, MPI_COMM_NULL}, {1, 1, 0, FAR}, {3, 1, 0, FAR}};
    for (int k = 0; k < 4; k++) {
        shared_memory m = {0};
        fake.rank = cases[k].rank;
        fake.first = cases[k].first;
        fake.freed = 0;
        shared_start(&m, HOST);
        assert_int_equal(m.near, cases[k].near);
        assert_int_equal(m.far, cases[k].far);
        assert_int_equal(m.pid, fake.rank ? 4242 : getpid());
        assert_true((m.all_near != NULL) == (fake.rank == 0));
        assert_true(fake.rank || (m.all_near[0] && !m.all_near[1] && m.all_near[2]));
        shared_end(&m);
        assert_int_equal(fake.freed, HOST + (cases[k].far ? FAR : 0));
    }
}

/* --- memory */

static int mappings(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        n += strstr(line, "/memfd:kinbench") != NULL;
    fclose(maps);
    return n;
}

static int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static int locked, unlocked;
static size_t locked_size;

static void lock(void *memory, size_t size)
{
    assert_non_null(memory);
    locked += size > 0;
    unlocked += size == 0;
    locked_size = size > 0 ? size : locked_size;
}

TEST(where_it_is)
{
    shared_memory m = {0};
    char *a = shared_new(&m, 10000), *b = shared_new(&m, 100), other[10];
    assert_true(a && b && m.nblocks == 2 && !shared_new(&m, 0));
    for (int k = 0; k < 10000; k++)
        assert_int_equal(a[k], 0);
    shared_place inside = shared_find(&m, a + 4000, 6000), second = shared_find(&m, b, 100);
    assert_true(inside.block.number && inside.offset == 4000 && inside.block.size == 10000);
    assert_true(second.block.number && second.offset == 0 && second.block.size == 100);
    assert_true(inside.block.number != second.block.number);
    assert_int_equal(shared_find(&m, a + 4000, 6001).block.number, 0);
    assert_int_equal(shared_find(&m, b + 100, 1).block.number, 0);
    assert_int_equal(shared_find(&m, other, 1).block.number, 0);
    assert_int_equal(shared_free(&m, other), 0);
    assert_int_equal(shared_free(&m, a), inside.block.number);
    assert_true(!is_open(inside.block.fd) && is_open(second.block.fd) && mappings() == 1);
    assert_int_equal(shared_free(&m, a), 0);
    assert_int_equal(shared_find(&m, a, 1).block.number, 0);
    assert_int_equal(shared_find(&m, b, 1).block.number, second.block.number);
    char *c = shared_new(&m, 10000); /* at the place of the first, but another */
    shared_place third = shared_find(&m, c, 1);
    assert_true(third.block.number != inside.block.number);
    assert_true(third.block.number != second.block.number);
    shared_free(&m, b);
    shared_free(&m, c);
    assert_true(mappings() == 0 && m.nblocks == 0);
    free(m.blocks);
}

TEST(others_reach_it)
{
    shared_memory root = {.lock = lock}, near = {.pid = getpid(), .lock = lock};
    locked = unlocked = 0;
    char *a = shared_new(&root, 5000), *b = shared_new(&root, 5000);
    assert_true(locked == 2 && locked_size == 5000);
    strcpy(a + 300, "from rank 0");
    strcpy(b, "another");
    shared_place in_a = shared_find(&root, a + 300, 100), in_b = shared_find(&root, b, 100);
    char *here = shared_reach(&near, &in_a), *there = shared_reach(&near, &in_b);
    assert_true(here && here != a + 300 && locked == 4);
    assert_string_equal(here, "from rank 0");
    assert_string_equal(there, "another");
    strcpy(here + 20, "and back");
    assert_string_equal(a + 320, "and back");
    assert_ptr_equal(shared_reach(&near, &in_a), here); /* the same mapping */
    assert_true(near.nblocks == 2 && mappings() == 4);
    shared_forget(&near, in_a.block.number + 1000);
    assert_int_equal(near.nblocks, 2);
    shared_forget(&near, in_a.block.number);
    assert_true(near.nblocks == 1 && mappings() == 3 && unlocked == 1);
    assert_string_equal(there, "another");
    assert_true(is_open(in_a.block.fd)); /* rank 0's */
    shared_forget(&near, in_b.block.number);
    shared_free(&root, a);
    shared_free(&root, b);
    assert_true(mappings() == 0 && unlocked == 4);
    free(root.blocks);
    free(near.blocks);
}

/* a descriptor that is another file by now, or in another process, is not taken for it */
TEST(nothing_else_is_reached)
{
    shared_memory root = {0}, near = {.pid = getpid()};
    char *a = shared_new(&root, 5000);
    shared_place place = shared_find(&root, a, 100), none = {.block.number = 0};
    assert_null(shared_reach(&near, &none));
    for (int k = 0; k < 4; k++) {
        shared_place wrong = place;
        wrong.block.device += k == 0;
        wrong.block.file += k == 1;
        wrong.block.size += k == 2;
        wrong.block.fd = k == 3 ? 1000 : wrong.block.fd;
        assert_null(shared_reach(&near, &wrong));
    }
    near.pid = -1;
    assert_null(shared_reach(&near, &place));
    assert_true(near.nblocks == 0 && mappings() == 1);
    shared_free(&root, a);
    free(root.blocks);
}

TESTS(NULL, NULL)
