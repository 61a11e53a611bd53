/* test_allocation.c - nothing is allocated in a macro-step: from the first one on by the project's own code
 * and GSL, from the second on by SUNDIALS, which clones vectors and the Jacobian when an integrator takes its
 * first step ever.
 *
 * Every allocation of the process is counted, those of shared libraries included: the functions stand
 * before libc's (dlsym RTLD_NEXT), and where AddressSanitizer has them already, its hooks count. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* Counting ----------------------------------------------------------------------------------------------- */

static volatile long allocations; /* tests that count run on one thread */
static volatile bool counting;

static void count(void)
{
    if (counting)
        allocations++;
}

#ifdef __SANITIZE_ADDRESS__
/* As in sanitizer/allocator_interface.h, which gcc does not always bring. */
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *));

static void seen_malloc(const volatile void *pointer, size_t size)
{
    (void)pointer, (void)size;
    count();
}

static void seen_free(const volatile void *pointer)
{
    (void)pointer;
}

static void install(void)
{
    assert_true(__sanitizer_install_malloc_and_free_hooks(seen_malloc, seen_free) > 0);
}
#else
/* dlsym itself may allocate before the real functions are known: that comes from here, and is never freed. */
static _Alignas(max_align_t) char early[4096];
static size_t early_used;

static void *early_alloc(size_t size)
{
    const size_t rounded = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (rounded > sizeof early - early_used)
        return NULL;
    void *pointer = early + early_used;
    early_used += rounded;
    return pointer;
}

static bool is_early(const void *pointer)
{
    return (uintptr_t)pointer >= (uintptr_t)early && (uintptr_t)pointer < (uintptr_t)early + sizeof early;
}

typedef void *allocator(size_t);
typedef void *zeroed_allocator(size_t, size_t);
typedef void *reallocator(void *, size_t);
typedef void *aligned_allocator(size_t, size_t);
typedef int posix_allocator(void **, size_t, size_t);
typedef void releaser(void *);

static allocator *real_malloc;
static zeroed_allocator *real_calloc;
static reallocator *real_realloc;
static aligned_allocator *real_aligned;
static posix_allocator *real_posix;
static releaser *real_free;

/* A function pointer by name, through the bytes: ISO C has no conversion from void *. */
static void find(const char *name, void *function, size_t size)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, size);
}

static void resolve(void)
{
    static bool resolving;
    if (real_free != NULL || resolving)
        return;
    resolving = true;
    find("malloc", &real_malloc, sizeof real_malloc);
    find("calloc", &real_calloc, sizeof real_calloc);
    find("realloc", &real_realloc, sizeof real_realloc);
    find("aligned_alloc", &real_aligned, sizeof real_aligned);
    find("posix_memalign", &real_posix, sizeof real_posix);
    find("free", &real_free, sizeof real_free);
    resolving = false;
}

void *malloc(size_t size)
{
    count();
    resolve();
    return real_malloc != NULL ? real_malloc(size) : early_alloc(size);
}

void *calloc(size_t n, size_t size)
{
    count();
    resolve();
    return real_calloc != NULL ? real_calloc(n, size) : early_alloc(n * size); /* early is zero */
}

void *realloc(void *pointer, size_t size)
{
    count();
    resolve();
    return real_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count();
    resolve();
    return real_aligned(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    count();
    resolve();
    return real_posix(pointer, alignment, size);
}

void free(void *pointer)
{
    resolve();
    if (pointer != NULL && !is_early(pointer) && real_free != NULL)
        real_free(pointer);
}

static void install(void)
{
}
#endif

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

static void the_counter_counts(void **state)
{
    (void)state;
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL)
        skip(); /* valgrind puts its own functions before all others: nothing can be counted */
    allocations = 0;
    counting = true;
    void *volatile one = malloc(10), *volatile two = calloc(3, 7);
    counting = false;
    free(one);
    free(two);
    assert_int_equal(allocations, 2);
    /* Allocations of a shared library, too: cmocka's are made in libcmocka. */
    allocations = 0;
    counting = true;
    void *volatile three = test_malloc(10);
    counting = false;
    test_free(three);
    assert_true(allocations >= 1);
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
