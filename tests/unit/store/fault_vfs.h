#pragma once
#include <sqlite3.h>

/* The system's VFS with one operation that fails: the n-th write, truncation or sync since fault_arm(n). With `for_good` all
 * later ones fail too, as on a device that is gone. Syncs that do not fail do nothing, for speed: these tests are about
 * failures that are seen, not about power cuts. Becomes the default VFS. */
struct fault_plan {
    long countdown; /* 0: nothing fails */
    bool for_good;
    int code; /* SQLITE_IOERR or SQLITE_FULL */
    long failed;
    long syncs, main_writes; /* counted: of any file; to the database itself, not its WAL */
};
extern struct fault_plan fault;

void fault_install(void);

/* Counts from 0. */
static inline void fault_arm(long n, bool for_good, int code)
{
    fault = (struct fault_plan) { .countdown = n, .for_good = for_good, .code = code };
}
