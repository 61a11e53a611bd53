/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_binary.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu_unpack.h"

/* Functions ---------------------------------------------------------------------------------------------- */

/* Do kind and flags ask for a function of that need? */
static bool is_needed(const ms_fmu *fmu, ms_fmi_need need)
{
    const ms_fmu_flags *flags = ms_fmu_flags_of(fmu);
    switch (need) {
    case MS_NEED_ALWAYS:
        return true;
    case MS_NEED_EXCHANGE:
        return fmu->kind == MS_FMU_MODEL_EXCHANGE;
    case MS_NEED_CO_SIMULATION:
        return fmu->kind == MS_FMU_CO_SIMULATION;
    case MS_NEED_STATE:
        return flags->get_and_set_state;
    case MS_NEED_DIRECTIONAL:
        return flags->directional_derivatives;
    case MS_NEED_INPUT_DERIVATIVES:
        return flags->interpolate_inputs;
    case MS_NEED_OUTPUT_DERIVATIVES:
        return flags->max_output_derivative > 0;
    default:
        return false;
    }
}

/* Compiled from sources it may have the prefix that these have for linking, MODEL_fmi2DoStep. NULL: there is none. */
static void *find_function(const ms_fmu *fmu, const char *name)
{
    char prefixed[PATH_MAX];
    void *address = dlsym(fmu->object, name);
    const int length =
        snprintf(prefixed, sizeof prefixed, "%s_%s", ms_fmu_flags_of(fmu)->model_identifier, name);
    return address != NULL || length >= (int)sizeof prefixed ? address : dlsym(fmu->object, prefixed);
}

static int find_functions(ms_fmu *fmu, ms_error *error)
{
    fmu->functions = calloc(1, fmu->fmi->size);
    if (fmu->functions == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", fmu->path);
    for (const ms_fmi_symbol *s = fmu->fmi->symbol; s->name != NULL; s++) {
        void *address = find_function(fmu, s->name);
        memcpy((char *)fmu->functions + s->at, &address, sizeof address);
        if (address == NULL && is_needed(fmu, s->need))
            return ms_fail(error, MS_UNSUPPORTED, "%s: its binary has no function %s%s", fmu->path, s->name,
                           s->need >= MS_NEED_STATE ? ", which its flags promise" : "");
    }
    return MS_OK;
}

/* Files -------------------------------------------------------------------------------------------------- */

/* The name of a shared object in that folder; "": there is none. */
static void find_other_name(const ms_fmu *fmu, const char *folder, char name[NAME_MAX + 1])
{
    struct dirent **entry;
    const int n = ms_fmu_list(fmu->archive, folder, &entry);
    name[0] = '\0';
    for (int k = 0; k < n && name[0] == '\0'; k++) {
        const char *end = strrchr(entry[k]->d_name, '.');
        if (end != NULL && strcmp(end, ".so") == 0)
            snprintf(name, NAME_MAX + 1, "%s", entry[k]->d_name);
    }
    ms_fmu_list_free(&entry, n);
}

/* Of one platform that it has; this one has something else than what it should have. Returns the length of text. */
static int name_platform(const ms_fmu *fmu, const char *name, char *text, size_t size)
{
    char folder[NAME_MAX + sizeof "binaries/"], other[NAME_MAX + 1];
    snprintf(folder, sizeof folder, "binaries/%s", name);
    if (!ms_fmu_has_folder(fmu->archive, folder))
        return 0;
    if (strcmp(name, ms_fmu_platform(fmu->description->fmi)) != 0)
        return snprintf(text, size, ", %.60s", name);
    find_other_name(fmu, folder, other);
    return snprintf(text, size, ", %s (of another name%s%.60s)", name, other[0] != '\0' ? ": " : "", other);
}

/* ", win64, darwin64". */
static void list_platforms(const ms_fmu *fmu, char *text, size_t size)
{
    struct dirent **platform;
    const int n = ms_fmu_list(fmu->archive, "binaries", &platform);
    size_t at = 0;
    snprintf(text, size, ", none");
    for (int k = 0; k < n && at < size; k++)
        at += (size_t)name_platform(fmu, platform[k]->d_name, text + at, size - at);
    ms_fmu_list_free(&platform, n);
}

static const char *say_sources(const ms_fmu *fmu)
{
    const bool has = ms_fmu_has_folder(fmu->archive, "sources");
    if (!fmu->use.compile_sources)
        return has ? "; its sources are compiled with `compile-sources`" : "";
    if (!has)
        return "; it has no sources";
    return fmu->description->fmi == 3
               ? "; it does not say how to compile its sources (sources/buildDescription.xml)"
               : "; it does not say which of its sources to compile (SourceFiles)";
}

int ms_fmu_binary_find(const ms_fmu *fmu, char *path, ms_error *error)
{
    char has[300], name[PATH_MAX];
    snprintf(name, sizeof name, "binaries/%s/%s.so", ms_fmu_platform(fmu->description->fmi),
             ms_fmu_flags_of(fmu)->model_identifier);
    const int length = snprintf(path, PATH_MAX, "%s/%s", ms_fmu_archive_folder(fmu->archive), name);
    if (length > 0 && length < PATH_MAX && access(path, R_OK) == 0)
        return MS_OK;
    if (fmu->use.compile_sources && ms_fmu_lists_sources(fmu) && ms_fmu_has_folder(fmu->archive, "sources"))
        return ms_fmu_compile(fmu, name, error);
    list_platforms(fmu, has, sizeof has);
    return ms_fail(error, MS_UNSUPPORTED, "%s: it has no binary %s; it has binaries for: %s%s%s", fmu->path,
                   name, has + 2, say_sources(fmu), ms_fmu_tool_hint(fmu));
}

/* Opening ------------------------------------------------------------------------------------------------ */

/* The machine that a file is for, by the beginning of an ELF file; 0: it is none. */
static int machine_of(const char *path)
{
    unsigned char head[EI_NIDENT + 4] = {0};
    FILE *file = fopen(path, "rbe");
    const bool read = file != NULL && fread(head, sizeof head, 1, file) == 1;
    if (file != NULL)
        fclose(file);
    if (!read || memcmp(head, ELFMAG, SELFMAG) != 0)
        return 0;
    const int low = head[EI_DATA] == ELFDATA2MSB; /* e_machine stands behind e_type */
    return head[EI_NIDENT + 2 + low] + 256 * head[EI_NIDENT + 3 - low];
}

static const char *machine_name(int machine)
{
    static const struct {
        int machine;
        const char *name;
    } names[] = {{EM_386, "x86 (32 bits)"}, {EM_X86_64, "x86_64"}, {EM_ARM, "ARM (32 bits)"},
                 {EM_AARCH64, "aarch64"},   {EM_RISCV, "RISC-V"},  {EM_PPC64, "PowerPC (64 bits)"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].machine == machine)
            return names[k].name;
    return "another machine";
}

/* The linker's own words are of a file that is not there, or nothing, where it is of another machine. */
static int say_why(const ms_fmu *fmu, const char *path, const char *linker, ms_error *error)
{
    const int its = machine_of(path), ours = machine_of("/proc/self/exe");
    if (its == 0)
        return ms_fail(error, MS_UNSUPPORTED, "%s: its binary is no shared object of Linux (ELF)", fmu->path);
    if (its != ours && ours != 0)
        return ms_fail(error, MS_UNSUPPORTED, "%s: its binary is for %s, and this program for %s", fmu->path,
                       machine_name(its), machine_name(ours));
    return ms_fail(error, MS_UNSUPPORTED, "%s: its binary does not open: %s%s", fmu->path, linker,
                   ms_fmu_tool_hint(fmu));
}

/* Those that this process has. n = 0: it cannot be seen. */
static ms_fmu_threads list_threads(void)
{
    ms_fmu_threads list = {NULL, 0};
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        const long id = strtol(entry->d_name, NULL, 10); /* 0: . and .. */
        long *longer = id != 0 ? realloc(list.id, sizeof *longer * (size_t)(list.n + 1)) : NULL;
        if (longer == NULL)
            continue;
        list.id = longer;
        list.id[list.n++] = id;
    }
    if (tasks != NULL)
        closedir(tasks);
    return list;
}

int ms_fmu_binary_open(ms_fmu *fmu, const char *path, ms_error *error)
{
    fmu->threads = list_threads();
    ms_fmu_count_calls(fmu, 1);
    fmu->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ms_fmu_count_calls(fmu, -1);
    ms_fmu_go_home(fmu);
    return fmu->object != NULL ? find_functions(fmu, error) : say_why(fmu, path, dlerror(), error);
}

/* Closing ------------------------------------------------------------------------------------------------ */

/* Threads that are not of `before`, as it may have started some, of which it does not wait for the end. */
static bool has_new_threads(const ms_fmu_threads *before)
{
    ms_fmu_threads now = list_threads();
    bool new = now.n == 0;
    for (int k = 0; k < now.n && !new; k++) {
        int j = 0;
        while (j < before->n && before->id[j] != now.id[k])
            j++;
        new = j == before->n;
    }
    free(now.id);
    return new;
}

bool ms_fmu_binary_close(ms_fmu *fmu)
{
    const bool goes =
        fmu->object == NULL || (!atomic_load(&fmu->voices->fatal) && !has_new_threads(&fmu->threads));
    ms_fmu_count_calls(fmu, 1);
    if (fmu->object != NULL && goes)
        dlclose(fmu->object);
    ms_fmu_count_calls(fmu, -1);
    ms_fmu_go_home(fmu);
    free(fmu->threads.id);
    return goes;
}
