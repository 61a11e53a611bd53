/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#endif
#include "allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long allocations; /* counted on one thread only */
static volatile bool counting;

typedef void (*function)(void); /* any, cast back before it is called */

enum { MALLOC, CALLOC, REALLOC, REALLOCARRAY, ALIGNED, MEMALIGN, POSIX, ALLOCATORS };

static function real[ALLOCATORS];

static long to_refuse; /* the number of allocations until one is refused; 0: none is */

/* Is this one refused? */
static bool refused(void)
{
    if (counting)
        allocations++;
    return to_refuse > 0 && --to_refuse == 0;
}

static void *counted_malloc(size_t size)
{
    return refused() ? NULL : ((void *(*)(size_t))real[MALLOC])(size);
}

static void *counted_calloc(size_t n, size_t size)
{
    return refused() ? NULL : ((void *(*)(size_t, size_t))real[CALLOC])(n, size);
}

static void *counted_realloc(void *pointer, size_t size)
{
    return refused() ? NULL : ((void *(*)(void *, size_t))real[REALLOC])(pointer, size);
}

static void *counted_reallocarray(void *pointer, size_t n, size_t size)
{
    return refused() ? NULL : ((void *(*)(void *, size_t, size_t))real[REALLOCARRAY])(pointer, n, size);
}

static void *counted_aligned(size_t alignment, size_t size)
{
    return refused() ? NULL : ((void *(*)(size_t, size_t))real[ALIGNED])(alignment, size);
}

static void *counted_memalign(size_t alignment, size_t size)
{
    return refused() ? NULL : ((void *(*)(size_t, size_t))real[MEMALIGN])(alignment, size);
}

static int counted_posix(void **pointer, size_t alignment, size_t size)
{
    return refused() ? ENOMEM : ((int (*)(void **, size_t, size_t))real[POSIX])(pointer, alignment, size);
}

static const struct {
    const char *name;
    function counted;
} allocators[ALLOCATORS] = {[MALLOC] = {"malloc", (function)counted_malloc},
                            [CALLOC] = {"calloc", (function)counted_calloc},
                            [REALLOC] = {"realloc", (function)counted_realloc},
                            [REALLOCARRAY] = {"reallocarray", (function)counted_reallocarray},
                            [ALIGNED] = {"aligned_alloc", (function)counted_aligned},
                            [MEMALIGN] = {"memalign", (function)counted_memalign},
                            [POSIX] = {"posix_memalign", (function)counted_posix}};

#if UINTPTR_MAX > 0xffffffff
typedef Elf64_Dyn elf_dynamic;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Rel elf_relocation;
typedef Elf64_Rela elf_relocation_with_addend;
typedef Elf64_Sym elf_symbol;
enum { SYMBOL_SHIFT = 32 }; /* in r_info of a relocation */
#else
typedef Elf32_Dyn elf_dynamic;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Rel elf_relocation;
typedef Elf32_Rela elf_relocation_with_addend;
typedef Elf32_Sym elf_symbol;
enum { SYMBOL_SHIFT = 8 };
#endif

/* What an object (the program or a shared library) says of its relocations: tables whose entries begin as
 * those without addend do. */
typedef struct object {
    uintptr_t base;
    const elf_symbol *symbols;
    const char *names;
    const char *table[3]; /* with addend, without, calls that may be bound late */
    size_t size[3], entry[3];
} object;

enum { RELA, REL, CALLS };

static void *pointer_to(uintptr_t address)
{
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

static object object_at(uintptr_t base, const elf_dynamic *dynamic)
{
    const size_t with = sizeof(elf_relocation_with_addend), without = sizeof(elf_relocation);
    object o = {.base = base, .entry = {with, without, with}};
    for (; dynamic->d_tag != DT_NULL; dynamic++) { /* addresses: base has been added, but to the kernel's */
        const uintptr_t value = dynamic->d_un.d_val;
        void *pointer = pointer_to(value < base ? value + base : value);
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            o.symbols = pointer;
            break;
        case DT_STRTAB:
            o.names = pointer;
            break;
        case DT_RELA:
            o.table[RELA] = pointer;
            break;
        case DT_RELASZ:
            o.size[RELA] = value;
            break;
        case DT_REL:
            o.table[REL] = pointer;
            break;
        case DT_RELSZ:
            o.size[REL] = value;
            break;
        case DT_JMPREL:
            o.table[CALLS] = pointer;
            break;
        case DT_PLTRELSZ:
            o.size[CALLS] = value;
            break;
        case DT_PLTREL:
            o.entry[CALLS] = value == DT_REL ? without : with;
            break;
        default:
            break;
        }
    }
    return o;
}

/* Puts a function at `slot`, whose page is read-only where all was bound at the start. */
static void replace(void *slot, function by)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)slot - (uintptr_t)slot % page;
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) == 0)
        memcpy(slot, &by, sizeof by);
}

static void lead_to_counted(const object *o, int table)
{
    for (size_t at = 0; at < o->size[table]; at += o->entry[table]) {
        elf_relocation relocation;
        function now;
        memcpy(&relocation, o->table[table] + at, sizeof relocation);
        const size_t symbol = relocation.r_info >> SYMBOL_SHIFT;
        void *slot = pointer_to(o->base + relocation.r_offset);
        for (int k = 0; k < ALLOCATORS && symbol != 0; k++)
            if (strcmp(o->names + o->symbols[symbol].st_name, allocators[k].name) == 0) {
                memcpy(&now, slot, sizeof now);
                if (table == CALLS || now == real[k]) /* a call may not be bound yet */
                    replace(slot, allocators[k].counted);
            }
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (const elf_segment *p = info->dlpi_phdr; p < info->dlpi_phdr + info->dlpi_phnum; p++)
        if (p->p_type == PT_DYNAMIC) {
            const object o = object_at(info->dlpi_addr, pointer_to(info->dlpi_addr + p->p_vaddr));
            for (int table = 0; table < 3 && o.symbols != NULL && o.names != NULL; table++)
                lead_to_counted(&o, table);
        }
    return 0;
}

void ms_allocations_install(void)
{
    for (int k = 0; k < ALLOCATORS; k++) {
        void *symbol = dlsym(RTLD_DEFAULT, allocators[k].name);
        memcpy(&real[k], &symbol, sizeof symbol);
    }
    dl_iterate_phdr(visit, NULL);
}

long ms_allocations_count(bool on)
{
    if (on)
        allocations = 0;
    counting = on;
    return allocations;
}

void ms_allocations_refuse(long n)
{
    to_refuse = n;
}
