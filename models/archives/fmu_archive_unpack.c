/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive_unpack.c - unpacks the entries of an archive: first all are checked by their declared sizes, then they are unpacked,
 * and none may exceed its declared size. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmu_archive_parts.h"

/* An archive on its way into a folder. */
typedef struct unpacking {
    ms_fmu_archive *archive;
    const ms_plugin_archives *library;
    void *zip;
    const char *path; /* of the archive */
    ms_error *error;
    int folder, file;        /* descriptors of the folder, of the entry at work */
    unsigned long long left; /* bytes of it that are to come */
    int failed;              /* errno of a write; 0: none */
    bool again,
        differs; /* an entry of that name is there already: it is held against this one; it is another one */
} unpacking;

static int refuse(const unpacking *u, const char *name, const char *why)
{
    return ms_fail(u->error, MS_INVALID, "%s: entry %.100s %s", u->path, name, why);
}

/* Checking ----------------------------------------------------------------------------------------------- */

/* Adds the size of entry k to *total, if all is well with it. */
static int check_entry(const unpacking *u, long long k, unsigned long long *total)
{
    ms_archive_entry found;
    char why[MS_PLUGIN_WHY];
    if (!ms_archive_find_entry(u->library, u->zip, k, &found, why))
        return ms_fail(u->error, MS_INVALID, "%s: entry %lld cannot be read: %s", u->path, k + 1, why);
    const ms_plugin_entry entry = found.entry;
    if (entry.type == MS_PLUGIN_ENTRY_FOLDER && entry.name[0] == '\0')
        return MS_OK;
    const char *fault = ms_archive_name_fault(entry.name);
    if (fault != NULL)
        return ms_fail(u->error, MS_INVALID, "%s: the name of entry %lld, %.100s, %s", u->path, k + 1,
                       entry.name, fault);
    if (entry.type == MS_PLUGIN_ENTRY_OTHER)
        return refuse(u, entry.name, "is neither a file nor a folder (a link?)");
    if (entry.encrypted)
        return refuse(u, entry.name, "is encrypted");
    if (entry.size > MS_FMU_ARCHIVE_BYTES - *total)
        return ms_fail(u->error, MS_INVALID, "%s: unpacked it would be more than %llu bytes", u->path,
                       MS_FMU_ARCHIVE_BYTES);
    *total += entry.size;
    return MS_OK;
}

static int check_all(const unpacking *u, long long n, unsigned long long size)
{
    unsigned long long total = 0;
    if (n > MS_FMU_ARCHIVE_ENTRIES)
        return ms_fail(u->error, MS_INVALID, "%s: %lld entries; at most %d are read", u->path, n,
                       MS_FMU_ARCHIVE_ENTRIES);
    for (long long k = 0; k < n; k++)
        MS_TRY(check_entry(u, k, &total));
    if (total > MS_FMU_ARCHIVE_SMALL && total / MS_FMU_ARCHIVE_RATIO > size)
        return ms_fail(u->error, MS_INVALID,
                       "%s: unpacked it would be %llu bytes, more than %d times its size", u->path, total,
                       MS_FMU_ARCHIVE_RATIO);
    return MS_OK;
}

/* Unpacking ---------------------------------------------------------------------------------------------- */

static int cannot_write(const unpacking *u, const char *name, int reason)
{
    return ms_fail(u->error, MS_IO, "%s: %s/%s: %s", u->path, ms_fmu_archive_folder(u->archive), name,
                   strerror(reason));
}

/* Creates the missing folders of a name. */
static int make_parents(const unpacking *u, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char part[MS_FMU_ARCHIVE_NAME + 1];
        struct stat there;
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (fstatat(u->folder, part, &there, AT_SYMLINK_NOFOLLOW) == 0) {
            if (!S_ISDIR(there.st_mode))
                return refuse(u, name, "is inside a file: another entry has the name of its folder");
            continue;
        }
        if (mkdirat(u->folder, part, S_IRWXU) != 0)
            return cannot_write(u, part, errno);
    }
    return MS_OK;
}

/* Does the file that is there go on with these bytes? */
static bool goes_on(const unpacking *u, const char *bytes, size_t size)
{
    char there[4096];
    while (size > 0) {
        const ssize_t got = read(u->file, there, size < sizeof there ? size : sizeof there);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || memcmp(there, bytes, (size_t)got) != 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

/* ms_plugin_take */
static bool take(void *self, const void *bytes, size_t size)
{
    unpacking *u = self;
    if (size > u->left)
        return false;
    u->left -= size;
    if (u->again) {
        u->differs = !goes_on(u, bytes, size);
        return !u->differs;
    }
    for (const char *at = bytes; size > 0;) {
        const ssize_t written = write(u->file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            u->failed = errno;
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* Opens the file of that name, which is there already: makers of archives list a file twice, alone and with its folder. */
static bool open_again(unpacking *u, const ms_plugin_entry *entry)
{
    struct stat there;
    u->file = openat(u->folder, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    u->again = u->file >= 0 && fstat(u->file, &there) == 0 && S_ISREG(there.st_mode) &&
               (unsigned long long)there.st_size == entry->size;
    if (!u->again && u->file >= 0)
        close(u->file);
    return u->again;
}

static int extract(unpacking *u, long long k, const ms_plugin_entry *entry)
{
    char why[MS_PLUGIN_WHY];
    u->file = openat(u->folder, entry->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     S_IRUSR | S_IWUSR);
    u->again = u->differs = false;
    if (u->file < 0 && errno == EEXIST && !open_again(u, entry))
        return refuse(u, entry->name, "occurs twice, with different contents");
    if (u->file < 0)
        return cannot_write(u, entry->name, errno);
    u->left = entry->size;
    u->failed = 0;
    const bool taken = u->library->extract(u->zip, k, take, u, why);
    if (close(u->file) != 0 && u->failed == 0)
        u->failed = errno;
    if (u->failed != 0)
        return cannot_write(u, entry->name, u->failed);
    if (u->differs)
        return refuse(u, entry->name, "occurs twice, with different contents");
    if (!taken && strcmp(why, MS_PLUGIN_NO_MEMORY) == 0)
        return ms_archive_no_memory(u->path, u->error);
    if (!taken && why[0] != '\0')
        return ms_fail(u->error, MS_INVALID, "%s: entry %.100s cannot be unpacked: %s", u->path, entry->name,
                       why);
    if (!taken || u->left != 0)
        return refuse(u, entry->name, "has another size than the archive says");
    return MS_OK;
}

static int unpack_entry(unpacking *u, long long k)
{
    ms_archive_entry found;
    char why[MS_PLUGIN_WHY];
    if (!ms_archive_find_entry(u->library, u->zip, k, &found, why))
        return ms_fail(u->error, MS_INVALID, "%s: entry %lld cannot be read: %s", u->path, k + 1, why);
    const int status = make_parents(u, found.entry.name);
    return status != MS_OK || found.entry.type == MS_PLUGIN_ENTRY_FOLDER ? status
                                                                         : extract(u, k, &found.entry);
}

/* All ---------------------------------------------------------------------------------------------------- */

int ms_archive_unpack(ms_fmu_archive *archive, const ms_plugin_archives *library, void *zip, const char *path,
                      unsigned long long size, ms_error *error)
{
    unpacking u = {.archive = archive, .library = library, .zip = zip, .path = path, .error = error};
    const long long n = library->count(zip);
    int status = check_all(&u, n, size);
    MS_THEN(status, ms_archive_make_folder(archive, path, error));
    if (status != MS_OK)
        return status;
    const char *folder = ms_fmu_archive_folder(archive);
    u.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (u.folder < 0)
        return ms_fail(error, MS_IO, "%s: %s: %s", path, folder, strerror(errno));
    for (long long k = 0; k < n && status == MS_OK; k++)
        status = unpack_entry(&u, k);
    close(u.folder);
    return status;
}
