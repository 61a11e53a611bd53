/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBERS = 4096, SUFFIX = 16, KNOWN = 256, TRIES = 8 };

/* Those at work ------------------------------------------------------------------------------------------ */

static char *_Atomic known[KNOWN];
static _Atomic pid_t owner[KNOWN]; /* a child must not remove what its parent writes */

/* What finds no place is not removed by ms_part_files_remove. */
static void remember(char *path)
{
    for (int k = 0; k < KNOWN; k++) {
        char *empty = NULL;
        if (atomic_compare_exchange_strong(&known[k], &empty, path)) {
            atomic_store(&owner[k], getpid());
            return;
        }
    }
}

static void forget(char *path)
{
    for (int k = 0; k < KNOWN; k++) {
        char *this = path;
        if (atomic_compare_exchange_strong(&known[k], &this, NULL))
            return;
    }
}

void ms_part_files_remove(void)
{
    for (int k = 0; k < KNOWN; k++) {
        const char *path = atomic_load(&known[k]);
        if (path != NULL && atomic_load(&owner[k]) == getpid())
            unlink(path);
    }
}

/* One name ----------------------------------------------------------------------------------------------- */

/* Is what is open still the file of that name, and of no other? */
static bool is_there(int descriptor, const char *path)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && lstat(path, &named) == 0 && S_ISREG(named.st_mode) &&
           named.st_nlink == 1 && open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

/* Removes the file unless a process writes it. Was there one? */
static bool remove_stale(const char *path)
{
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return errno != ENOENT;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_there(descriptor, path))
        unlink(path);
    close(descriptor);
    return true;
}

/* Makes the file and locks it: its descriptor, or -1 with errno, EEXIST where it is another one's. */
static int make(const char *path)
{
    int descriptor = -1;
    for (int k = 0; k < TRIES && descriptor < 0; k++) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
        if (descriptor < 0 && remove_stale(path) && access(path, F_OK) == 0)
            break;
    }
    if (descriptor < 0) {
        errno = EEXIST;
        return -1;
    }
    const bool locked =
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; /* or there are no locks */
    if (locked && is_there(descriptor, path))
        return descriptor;
    close(descriptor); /* who removes stale files was quicker */
    errno = EEXIST;
    return -1;
}

/* All ---------------------------------------------------------------------------------------------------- */

static void name(char *text, size_t size, const char *path, int number)
{
    snprintf(text, size, "%s.%d.part", path, number);
}

/* Of those behind the number. */
static void remove_others(char *text, size_t size, const char *path, int number)
{
    do
        name(text, size, path, ++number);
    while (number <= NUMBERS && remove_stale(text));
}

int ms_part_file_create(const char *path, ms_part_file *part)
{
    const size_t size = strlen(path) + SUFFIX;
    char *text = malloc(2 * size);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
    if (text == NULL)
        return -1;
    int number = 0;
    do {
        name(text, size, path, ++number);
        part->descriptor = make(text);
    } while (part->descriptor < 0 && errno == EEXIST && number < NUMBERS);
    part->lock = part->descriptor >= 0 ? fcntl(part->descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (part->lock < 0) {
        const int reason = errno;
        if (part->descriptor >= 0) {
            unlink(text);
            close(part->descriptor);
        }
        free(text);
        errno = reason;
        return -1;
    }
    part->path = text;
    remember(text);
    remove_others(text + size, size, path, number);
    return 0;
}

int ms_part_file_keep(ms_part_file *part, const char *path)
{
    if (rename(part->path, path) != 0) {
        const int reason = errno;
        ms_part_file_drop(part);
        errno = reason;
        return -1;
    }
    forget(part->path);
    close(part->lock); /* not before: the next one would take it for stale */
    free(part->path);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
    return 0;
}

void ms_part_file_drop(ms_part_file *part)
{
    if (part->path == NULL)
        return;
    unlink(part->path);
    forget(part->path);
    close(part->lock);
    free(part->path);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
}
