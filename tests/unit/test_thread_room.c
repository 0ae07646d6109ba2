/* SPDX-License-Identifier: MIT
 *
 * Room for the stacks of threads under limits on memory, which end with the test: its last ones
 * are the lowest.
 */
#include <pthread.h>

#include "tests/test.h"
#include "base/thread_room.h"

static const size_t MB = 1 << 20;

static void limit(int what, rlim_t bytes)
{
    struct rlimit was;
    assert_int_equal(getrlimit((__rlimit_resource_t)what, &was), 0);
    was.rlim_cur = bytes;
    assert_int_equal(setrlimit((__rlimit_resource_t)what, &was), 0);
}

static void *wait_for(void *gate)
{
    pthread_barrier_wait(gate);
    pthread_barrier_wait(gate);
    return NULL;
}

TEST(threads_are_counted)
{
    pthread_t thread[3];
    pthread_barrier_t gate;
    int before = kb_threads_now();
    pthread_barrier_init(&gate, NULL, 4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, wait_for, &gate), 0);
    pthread_barrier_wait(&gate);
    assert_int_equal(kb_threads_now(), before + 3);
    pthread_barrier_wait(&gate);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}

/* what it says of so many threads more than there are */
static const char *said(int more)
{
    static kb_error err;
    strcpy(err.text, "");
    int code = kb_thread_room(kb_threads_now() + more, &err);
    assert_int_equal(code, *err.text ? KB_INVALID : KB_OK);
    return err.text;
}

TEST(stacks_fit_or_a_message_says_that_they_do_not)
{
    limit(RLIMIT_STACK, 16 * MB);
    assert_string_equal(said(100000000), ""); /* no limit, no question */
    limit(RLIMIT_DATA, 1000 * MB);
    assert_string_equal(said(20), "");
    char wanted[200];
    snprintf(wanted, sizeof wanted,
             "out of memory for the stacks of %d threads, 16 MB each "
             "(fewer --threads, or a smaller ulimit -s)",
             kb_threads_now() + 63);
    assert_string_equal(said(63), wanted);
    for (int i = 0; i < 1000; i++) /* nothing of it stays */
        assert_string_equal(said(50), "");
    limit(RLIMIT_STACK, RLIM_INFINITY); /* 8 MB */
    assert_string_equal(said(100), "");
    assert_non_null(strstr(said(126), ", 8 MB each"));
    assert_string_equal(said(0), "");
    assert_string_equal(said(-1), "");
    limit(RLIMIT_DATA, RLIM_INFINITY);
    assert_string_equal(said(1000), "");
    limit(RLIMIT_AS, 1200 * MB);
    assert_non_null(strstr(said(151), ", 8 MB each"));
}

TESTS(NULL, NULL)
