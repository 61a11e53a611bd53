/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* syscall */

#include "part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NUMBERS = 4096, SUFFIX = 16, KNOWN = 256, TRIES = 8 };

/* Folders ------------------------------------------------------------------------------------------------ */

/* An entry of a folder, as the kernel gives it. */
typedef struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
} entry;

static void empty_folder(int folder);

static void remove_entry(int folder, const char *name)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0)
        return;
    const int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below >= 0)
        empty_folder(below);
    unlinkat(folder, name, AT_REMOVEDIR);
}

/* All that is in a folder, whose descriptor is closed. (readdir asks for memory, which a handler of signals must not.) */
static void empty_folder(int folder)
{
    _Alignas(entry) char buffer[2048];
    long size;
    while ((size = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < size;) {
            const entry *one = (const entry *)(const void *)(buffer + at);
            remove_entry(folder, one->name);
            at += one->size;
        }
    close(folder);
}

int ms_folder_remove(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0)
        empty_folder(folder);
    return rmdir(path);
}

/* Those at work ------------------------------------------------------------------------------------------ */

static char *_Atomic known[KNOWN];
static _Atomic pid_t owner[KNOWN]; /* a child must not remove what its parent writes */
static _Atomic int locks[KNOWN];   /* descriptors */

/* Is what is open still the file of that name, of no other, and ours? */
static bool is_there(int descriptor, const char *path)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && lstat(path, &named) == 0 && S_ISREG(named.st_mode) &&
           named.st_nlink == 1 && named.st_uid == geteuid() && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

/* What finds no place is not removed by ms_part_files_remove. */
static void remember(char *path, int lock)
{
    for (int k = 0; k < KNOWN; k++) {
        char *empty = NULL;
        if (atomic_compare_exchange_strong(&known[k], &empty, path)) {
            atomic_store(&locks[k], lock);
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

/* Removes the folder, then the file: while the folder exists, the file stays for the next cleanup. If the lock was closed
 * by others, as an FMU can, the file may belong to another process. */
static void remove_both(int lock, const char *path, const char *folder)
{
    if (is_there(lock, path) && (folder == NULL || ms_folder_remove(folder) == 0 || errno == ENOENT))
        unlink(path);
}

void ms_part_files_remove(void)
{
    for (int k = 0; k < KNOWN; k++) {
        const char *path = atomic_load(&known[k]);
        if (path == NULL || atomic_load(&owner[k]) != getpid())
            continue;
        const char *folder = path + strlen(path) + 1; /* or "" */
        remove_both(atomic_load(&locks[k]), path, folder[0] != '\0' ? folder : NULL);
    }
}

/* One name ----------------------------------------------------------------------------------------------- */

/* Where there is a folder of ours. */
static bool remove_folder(const char *path)
{
    struct stat there;
    return lstat(path, &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == geteuid() &&
           ms_folder_remove(path) == 0;
}

/* Removes the file and its folder unless a process is writing it. Returns whether there was one. */
static bool remove_stale(const char *path, const char *folder)
{
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return errno != ENOENT;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_there(descriptor, path)) {
        remove_folder(folder);
        unlink(path);
    }
    close(descriptor);
    return true;
}

/* A descriptor of the same behind those of the standard streams, which an FMU may close when it likes, and print to. */
static int behind_streams(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return other;
}

/* Makes the file and locks it: its descriptor, or -1 with errno, EEXIST where it is another one's. */
static int make_file(const char *path, const char *folder)
{
    int descriptor = -1;
    for (int k = 0; k < TRIES && descriptor < 0; k++) {
        descriptor = behind_streams(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (descriptor < 0 && errno != EEXIST)
            return -1;
        if (descriptor < 0 && remove_stale(path, folder) && access(path, F_OK) == 0)
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
    close(descriptor); /* another process removed the stale file first */
    errno = EEXIST;
    return -1;
}

/* All ---------------------------------------------------------------------------------------------------- */

/* The file's name, and behind its end the folder's. */
static void name(char *text, size_t size, const char *path, int number)
{
    const int length = snprintf(text, size, "%s.%d.part", path, number);
    snprintf(text + length + 1, size, "%s.%d.part.d", path, number);
}

static const char *folder_of(const char *text)
{
    return text + strlen(text) + 1;
}

void ms_part_files_final_names(char *text)
{
    static const char end[] = ".part.d/", hidden[] = "/.new";
    const size_t shown = strlen(hidden);
    char *at = text;
    while ((at = strstr(at, end)) != NULL) {
        char *begin = at;
        while (begin > text && begin[-1] >= '0' && begin[-1] <= '9')
            begin--;
        const bool numbered = begin < at && begin > text && begin[-1] == '.';
        begin = numbered ? begin - 1 : at;
        if (numbered && begin >= text + shown && strncmp(begin - shown, hidden, shown) == 0)
            begin -= shown;
        at += strlen(end) - 1; /* its last slash stays */
        if (numbered) {
            memmove(begin, at, strlen(at) + 1);
            at = begin;
        }
    }
}

/* Of those behind the number. */
static void remove_others(char *text, size_t size, const char *path, int number)
{
    do
        name(text, size, path, ++number);
    while (number <= NUMBERS && remove_stale(text, folder_of(text)));
}

/* Creates the file, and the folder if wanted: the owner of the file may remove an existing folder of that name, if it belongs to this user. */
static int make(const char *text, bool folder)
{
    const int descriptor = make_file(text, folder_of(text));
    if (descriptor < 0 || !folder || mkdir(folder_of(text), S_IRWXU) == 0 ||
        (errno == EEXIST && remove_folder(folder_of(text)) && mkdir(folder_of(text), S_IRWXU) == 0))
        return descriptor;
    const int reason = errno;
    unlink(text);
    close(descriptor);
    errno = reason;
    return -1;
}

static int create(const char *path, bool folder, ms_part_file *part)
{
    const size_t size = strlen(path) + SUFFIX;
    char *text = malloc(4 * size);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
    if (text == NULL)
        return -1;
    int number = 0;
    do {
        name(text, size, path, ++number);
        part->descriptor = make(text, folder);
    } while (part->descriptor < 0 && errno == EEXIST && number < NUMBERS);
    part->lock = part->descriptor >= 0 ? fcntl(part->descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (part->lock < 0) {
        const int reason = errno;
        if (part->descriptor >= 0) {
            if (folder)
                rmdir(folder_of(text));
            unlink(text);
            close(part->descriptor);
        }
        free(text);
        errno = reason;
        return -1;
    }
    part->path = text;
    if (folder)
        part->folder = folder_of(text);
    else
        text[strlen(text) + 1] = '\0';
    remember(text, part->lock);
    remove_others(text + 2 * size, size, path, number);
    return 0;
}

int ms_part_file_create(const char *path, ms_part_file *part)
{
    return create(path, false, part);
}

int ms_part_folder_create(const char *path, ms_part_file *part)
{
    const int status = create(path, true, part);
    if (status == 0)
        close(part->descriptor);
    part->descriptor = -1;
    return status;
}

int ms_part_folder_temporary(ms_part_file *part)
{
    static const char name[] = "/macrostep";
    const size_t size = strlen(ms_temporary_place()) + sizeof name;
    char *path = malloc(size);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
    if (path == NULL)
        return -1;
    snprintf(path, size, "%s%s", ms_temporary_place(), name);
    const int status = ms_part_folder_create(path, part);
    const int reason = errno;
    free(path);
    errno = reason;
    return status;
}

const char *ms_temporary_place(void)
{
    const char *place = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): no thread sets it */
    return place != NULL && place[0] == '/' ? place : "/tmp";
}

int ms_part_file_keep(ms_part_file *part, const char *path)
{
    const bool ours = is_there(part->lock, part->path);
    if (!ours || rename(part->path, path) != 0) {
        const int reason = ours ? errno : ESTALE;
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
    remove_both(part->lock, part->path, part->folder);
    forget(part->path);
    close(part->lock);
    free(part->path);
    *part = (ms_part_file){.descriptor = -1, .lock = -1};
}
