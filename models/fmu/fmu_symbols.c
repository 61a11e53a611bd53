/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: System V Application Binary Interface, chapters 4 and 5 (ELF). */
#define _GNU_SOURCE /* dladdr */

#include "fmu_parts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in memory. */
typedef struct object {
    const char *bytes;
    size_t size;
} object;

/* `size` bytes of the file at `at`; NULL: they are not in the file, or not aligned for such a structure. */
static const void *part(const object *o, size_t at, size_t size)
{
    return at % sizeof(uint32_t) == 0 && at <= o->size && size <= o->size - at ? o->bytes + at : NULL;
}

/* Does it belong to a system library, which all processes share? */
static bool is_of_the_system(const void *address)
{
    static const char *const libraries[] = {"libc.",    "libm.",     "libdl.",   "libpthread.",
                                            "librt.",   "libgcc_s.", "libasan.", "libubsan.",
                                            "ld-linux", "linux-vdso"};
    Dl_info of;
    if (dladdr(address, &of) == 0 || of.dli_fname == NULL)
        return false;
    const char *slash = strrchr(of.dli_fname, '/'), *name = slash != NULL ? slash + 1 : of.dli_fname;
    for (size_t k = 0; k < sizeof libraries / sizeof *libraries; k++)
        if (strncmp(name, libraries[k], strlen(libraries[k])) == 0)
            return true;
    return false;
}

/* Is it an exported function or object? */
static bool is_defined(const ElfW(Sym) * symbol)
{
    const int type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info),
              visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    return symbol->st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK) &&
           (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC) && visibility == STV_DEFAULT;
}

/* The first symbol of that section that this process defines as well; NULL: none. */
static const char *find_in(const object *o, const ElfW(Shdr) * symbols, const ElfW(Shdr) * names,
                           void *process)
{
    const size_t n = symbols->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *symbol = part(o, symbols->sh_offset, symbols->sh_size);
    const char *text = part(o, names->sh_offset, names->sh_size);
    if (symbol == NULL || text == NULL || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
        return NULL;
    for (size_t k = 0; k < n; k++) {
        if (!is_defined(&symbol[k]) || symbol[k].st_name >= names->sh_size)
            continue;
        const char *name = text + symbol[k].st_name;
        const void *address = dlsym(process, name);
        if (address != NULL && strcmp(name, "_init") != 0 && strcmp(name, "_fini") != 0 &&
            !is_of_the_system(address))
            return name;
    }
    return NULL;
}

static const char *find(const object *o, void *process)
{
    const ElfW(Ehdr) *head = part(o, 0, sizeof *head);
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)))
        return NULL;
    const ElfW(Shdr) *section = part(o, head->e_shoff, head->e_shnum * sizeof *section);
    for (int k = 0; section != NULL && k < head->e_shnum; k++)
        if (section[k].sh_type == SHT_DYNSYM && section[k].sh_link < head->e_shnum)
            return find_in(o, &section[k], &section[section[k].sh_link], process);
    return NULL;
}

/* A shared object may have any name. */
static bool begins_as_one(int descriptor)
{
    char magic[SELFMAG];
    return pread(descriptor, magic, SELFMAG, 0) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/* One file; false also where it cannot be read, which opening it will say. */
static bool is_in(const char *path, void *process, char name[MS_FMU_SYMBOL])
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const bool regular = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                         begins_as_one(descriptor);
    const size_t size = regular ? (size_t)status.st_size : 0;
    void *bytes = regular ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    if (descriptor >= 0)
        close(descriptor);
    if (bytes == MAP_FAILED)
        return false;
    const char *found = find(&(object){bytes, size}, process);
    if (found != NULL)
        snprintf(name, MS_FMU_SYMBOL, "%s", found);
    munmap(bytes, size);
    return found != NULL;
}

/* In a folder and those below it. */
static bool is_below(const char *folder, void *process, char name[MS_FMU_SYMBOL])
{
    char path[PATH_MAX];
    bool found = false;
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list != NULL && !found && (entry = readdir(list)) != NULL;) {
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof path || entry->d_name[0] == '.')
            continue;
        found = is_in(path, process, name) || is_below(path, process, name);
    }
    if (list != NULL)
        closedir(list);
    return found;
}

bool ms_fmu_symbol_of_both(const char *folder, char name[MS_FMU_SYMBOL])
{
    void *process = dlopen(NULL, RTLD_NOW);
    const bool found = process != NULL && is_below(folder, process, name);
    if (process != NULL)
        dlclose(process);
    return found;
}
