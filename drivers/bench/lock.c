/* SPDX-License-Identifier: MIT */
#include "drivers/bench/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/interrupt.h"

#define DEFAULT "/tmp/kinbench.lock"
#define EVERY 100000 /* [us] between looks */

/* The kernel does not let one user create over a file of another in /tmp, but open it */
static int open_lock(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file >= 0 ? file : open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
}

int kb_machine_lock(kb_progress *progress, kb_error *err)
{
    const char *path = getenv("KB_LOCK") ? getenv("KB_LOCK") : DEFAULT;
    if (!*path)
        return KB_OK;
    int file = open_lock(path), told = 0;
    bool locked = false;
    while (file >= 0 && !(locked = !flock(file, LOCK_EX | LOCK_NB)) &&
           (errno == EWOULDBLOCK || errno == EINTR)) {
        if (!told++)
            kb_progress_warn(progress,
                             "waiting: another bench measures on this machine (%s; "
                             "KB_LOCK= measures beside it)",
                             path);
        if (kb_interrupted())
            return close(file), kb_fail(err, KB_INTERRUPTED,
                                        "interrupted while another bench "
                                        "measured");
        usleep(EVERY);
    }
    if (!locked)
        kb_progress_warn(progress, "note: no lock against other benches: %s: %s", path,
                         strerror(errno));
    return KB_OK;
}
