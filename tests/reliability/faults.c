/* Fault injection for the test `faults`: preloaded into a program, it counts the calls of a kind and makes one of them fail. Only
 * files below a folder count, and only allocations of a MiB or more.
 *
 * PRIVY_FAULT=KIND:NUMBER   the failing call, counted from one
 * PRIVY_FAULT_FOLDER        the folder
 * PRIVY_FAULT_CAME          a file that is created when the call has failed
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20, HOUR = 3600 };

static atomic_long calls;

/* True if this is the call of the requested fault; with `and_later`, also for all later calls. */
static int due(const char *kind, int and_later) {
    const char *fault = getenv("PRIVY_FAULT");
    size_t length = strlen(kind);
    if (!fault || strncmp(fault, kind, length) || fault[length] != ':') return 0;
    long number = atol(fault + length + 1), call = atomic_fetch_add(&calls, 1) + 1;
    if (and_later ? call < number : call != number) return 0;
    const char *came = getenv("PRIVY_FAULT_CAME");
    if (came) {
        int file = syscall(SYS_openat, AT_FDCWD, came, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0) syscall(SYS_close, file);
    }
    return 1;
}

static int is_below(const char *path) {
    const char *folder = getenv("PRIVY_FAULT_FOLDER");
    return folder && !strncmp(path, folder, strlen(folder));
}

static int is_of_folder(int file) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int fails(int error) {
    errno = error;
    return -1;
}

/* A full disk takes half of a write, and nothing after it. */
static ssize_t room(int file, size_t count, int *is_full) {
    *is_full = 0;
    if (!is_of_folder(file)) return count;
    if (due("write", 0)) return fails(EIO);
    if (!due("full", 1)) return count;
    static atomic_int was_full;
    *is_full = 1;
    return atomic_exchange(&was_full, 1) || count < 2 ? fails(ENOSPC) : (ssize_t)(count / 2);
}

ssize_t write(int file, const void *bytes, size_t count) {
    int is_full;
    ssize_t taken = room(file, count, &is_full);
    return taken < 0 ? taken : syscall(SYS_write, file, bytes, taken);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    int is_full;
    ssize_t taken = room(file, count, &is_full);
    return taken < 0 ? taken : syscall(SYS_pwrite64, file, bytes, taken, at);
}

int fsync(int file) {
    return is_of_folder(file) && due("sync", 0) ? fails(EIO) : syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    return is_of_folder(file) && due("sync", 0) ? fails(EIO) : syscall(SYS_fdatasync, file);
}

int ftruncate64(int file, off64_t length) {
    return is_of_folder(file) && due("truncate", 0) ? fails(EIO) : syscall(SYS_ftruncate, file, length);
}

int rename(const char *from, const char *to) {
    if (is_below(to) && due("rename", 0)) return fails(EACCES);
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    if (is_below(path) && due("open", 0)) return fails(EMFILE);
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int file, void *bytes, size_t count) {
    return is_of_folder(file) && due("read", 0) ? fails(EIO) : syscall(SYS_read, file, bytes, count);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
    return is_of_folder(file) && due("read", 0) ? fails(EIO) : syscall(SYS_pread64, file, bytes, count, at);
}

/* Both clocks jump forward by an hour; the wall clock may also jump back. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    if (!result && (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME) && due("later", 1)) time->tv_sec += HOUR;
    if (!result && clock == CLOCK_REALTIME && due("earlier", 1)) time->tv_sec -= HOUR;
    return result;
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int is_refused(size_t size) {
    return size >= MEBIBYTE && due("memory", 0);
}

void *malloc(size_t size) {
    return is_refused(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return is_refused(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return is_refused(size) ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (is_refused(size)) return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused(size) ? NULL : __libc_memalign(alignment, size);
}
