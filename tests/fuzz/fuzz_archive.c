/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_archive.c - FMUs as archives, unpacked into the harness's folder, of which nothing may stay. */
#include <dirent.h>
#include <stdlib.h>

#include "fmu_description_read.h"
#include "fmu_unpack.h"
#include "harness.h"

static int count_files(void)
{
    int n = 0;
    DIR *folder = opendir(harness_path("."));
    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        closedir(folder);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ms_fmu_archive *archive = NULL;
    ms_fmu_description *description = NULL;
    ms_error error = {{0}};
    const char *path = harness_file(data, size, ".fmu");
    const int before = count_files();
    if (harness_check(ms_fmu_unpack(path, &archive, &description, &error), &error)) {
        struct dirent **entry;
        const int n = ms_fmu_list(archive, "binaries", &entry);
        ms_fmu_list_free(&entry, n);
    }
    ms_fmu_description_free(&description);
    ms_fmu_archive_close(&archive);
    harness_require(count_files() == before, "a folder that stays");
    return 0;
}
