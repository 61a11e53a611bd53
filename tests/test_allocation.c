/* test_allocation.c - nothing is allocated in a macro-step: from the first one on by the project's own code
 * and GSL, from the second on by SUNDIALS, which clones vectors and the Jacobian when an integrator takes its
 * first step ever.
 *
 * Counted is what the program and all shared libraries, libc among them, ask for. Each of them calls malloc
 * and its like through addresses that the dynamic linker has written into it by its relocations (ELF), and
 * those are led to functions that count and then call what stood there: libc's, valgrind's or
 * AddressSanitizer's. Functions that merely had the names of libc's would never run under valgrind. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#endif
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"

/* Counting ----------------------------------------------------------------------------------------------- */

static volatile long allocations; /* tests that count run on one thread */
static volatile bool counting;

typedef void (*function)(void); /* any, cast back before it is called */

enum { MALLOC, CALLOC, REALLOC, REALLOCARRAY, ALIGNED, MEMALIGN, POSIX, ALLOCATORS };

static function real[ALLOCATORS];

static function counted(int which)
{
    if (counting)
        allocations++;
    return real[which];
}

static void *counted_malloc(size_t size)
{
    return ((void *(*)(size_t))counted(MALLOC))(size);
}

static void *counted_calloc(size_t n, size_t size)
{
    return ((void *(*)(size_t, size_t))counted(CALLOC))(n, size);
}

static void *counted_realloc(void *pointer, size_t size)
{
    return ((void *(*)(void *, size_t))counted(REALLOC))(pointer, size);
}

static void *counted_reallocarray(void *pointer, size_t n, size_t size)
{
    return ((void *(*)(void *, size_t, size_t))counted(REALLOCARRAY))(pointer, n, size);
}

static void *counted_aligned(size_t alignment, size_t size)
{
    return ((void *(*)(size_t, size_t))counted(ALIGNED))(alignment, size);
}

static void *counted_memalign(size_t alignment, size_t size)
{
    return ((void *(*)(size_t, size_t))counted(MEMALIGN))(alignment, size);
}

static int counted_posix(void **pointer, size_t alignment, size_t size)
{
    return ((int (*)(void **, size_t, size_t))counted(POSIX))(pointer, alignment, size);
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
        case DT_SYMTAB: o.symbols = pointer; break;
        case DT_STRTAB: o.names = pointer; break;
        case DT_RELA: o.table[RELA] = pointer; break;
        case DT_RELASZ: o.size[RELA] = value; break;
        case DT_REL: o.table[REL] = pointer; break;
        case DT_RELSZ: o.size[REL] = value; break;
        case DT_JMPREL: o.table[CALLS] = pointer; break;
        case DT_PLTRELSZ: o.size[CALLS] = value; break;
        case DT_PLTREL: o.entry[CALLS] = value == DT_REL ? without : with; break;
        default: break;
        }
    }
    return o;
}

/* Puts a function at `slot`, whose page is read-only where all was bound at the start. */
static void replace(void *slot, function by)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)slot - (uintptr_t)slot % page;
    assert_int_equal(mprotect(begin, page, PROT_READ | PROT_WRITE), 0);
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

static void install(void)
{
    for (int k = 0; k < ALLOCATORS; k++) {
        void *symbol = dlsym(RTLD_DEFAULT, allocators[k].name);
        memcpy(&real[k], &symbol, sizeof symbol);
        assert_non_null(symbol);
    }
    dl_iterate_phdr(visit, NULL);
}

/* Tests -------------------------------------------------------------------------------------------------- */

enum { MACRO_STEPS = 6 };

/* Allocations in MACRO_STEPS steps of two lengths after the first `skipped` ones, and in a save and a
 * restore. */
static long allocations_of(const ms_system *system, const char *text, double H, int skipped)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    double *saved = malloc(sizeof(double) * ms_cosim_state_size(cosim));
    assert_non_null(saved);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    int status = MS_OK;
    double t = 0.0;
    allocations = 0;
    for (int n = 0; n < skipped + MACRO_STEPS && status == MS_OK; n++) {
        const double h = n % 4 == 3 ? 0.5 * H : H;
        counting = n >= skipped;
        status = ms_cosim_step(cosim, t, h);
        t += h;
        ms_cosim_save(cosim, saved);
        ms_cosim_restore(cosim, saved);
    }
    counting = false;
    assert_int_equal(status, MS_OK);
    free(saved);
    ms_cosim_destroy(&cosim);
    return allocations;
}

static void check(const ms_system *system, const char *text, double H)
{
    const long n = allocations_of(system, text, H, 0);
    if (n != 0)
        fail_msg("%s %s: %ld allocations in %d macro-steps", system->model->name, text, n, MACRO_STEPS);
}

/* Those made here, by libc, and by another shared library. */
static void the_counter_counts(void **state)
{
    (void)state;
    void *volatile made[5];
    void *aligned = NULL;
    char *text = NULL;
    allocations = 0;
    counting = true;
    made[0] = malloc(10);
    made[1] = calloc(3, 7);
    made[2] = realloc(NULL, 10);
    made[3] = aligned_alloc(64, 64);
    const int status = posix_memalign(&aligned, 64, 64);
    const long here = allocations;
    const int length = asprintf(&text, "%d", MACRO_STEPS);
    const long in_libc = allocations - here;
    made[4] = test_malloc(10);
    counting = false;
    const long in_cmocka = allocations - here - in_libc;
    for (int k = 0; k < 4; k++)
        free(made[k]);
    test_free(made[4]);
    free(aligned);
    free(text);
    assert_int_equal(status, 0);
    assert_int_equal(length, 1);
    assert_int_equal(here, 5);
    assert_true(in_libc >= 1);
    assert_true(in_cmocka >= 1);
}

static void no_member_allocates_in_a_macro_step(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "quarter-car", "linear-pair"};
    support_member member;
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        for (int k = 0; support_member_at(k, &member); k++) {
            char text[256];
            check(system, member.text, 0.01);
            snprintf(text, sizeof text, "%s output-derivatives=differences start=hold", member.text);
            check(system, text, 0.01);
        }
        ms_system_destroy(&system);
    }
}

static void no_loop_allocates_in_a_macro_step(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    support_member member;
    for (int k = 0; support_member_at(k, &member); k++) {
        char text[256];
        snprintf(text, sizeof text, "%s solver=rk4", member.text);
        if (!member.analytic || member.order < 2)
            check(system, text, 0.01);
    }
    ms_system_destroy(&system);
}

static void no_micro_solver_allocates_once_it_is_running(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "double-pendulum"};
    static const char *const changes[] = {"restart", "proceed"};
    char found[1024] = "";
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], "");
        for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
            for (int c = 0; c < 2; c++) {
                char text[256];
                if ((*solver)->linear_only && !system->linear)
                    continue;
                snprintf(text, sizeof text,
                         "solver=%s extrapolation-order=1 outputs=corrected input-change=%s", (*solver)->name,
                         changes[c]);
                const bool sundials =
                    strncmp((*solver)->name, "cvode", 5) == 0 || strncmp((*solver)->name, "arkode", 6) == 0;
                const long n = allocations_of(system, text, 0.01, sundials ? 1 : 0);
                const size_t length = strlen(found);
                if (n != 0)
                    snprintf(found + length, sizeof found - length, " %s on %s (%s): %ld;", (*solver)->name,
                             models[m], changes[c], n);
            }
        ms_system_destroy(&system);
    }
    if (found[0] != '\0')
        fail_msg("allocations in %d macro-steps:%s", MACRO_STEPS, found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_counter_counts),
                                       cmocka_unit_test(no_member_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_loop_allocates_in_a_macro_step),
                                       cmocka_unit_test(no_micro_solver_allocates_once_it_is_running)};
    install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
