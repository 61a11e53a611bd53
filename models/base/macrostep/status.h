/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status.h - status codes of functions, and the one-line message of an error.
 *
 * 0 is success; a positive status leaves the decision to the caller (not converged, step rejected);
 * a negative one is a failure. Library code never prints and never exits. */
#pragma once

#include <stdlib.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

enum ms_status {
    MS_OK = 0,
    MS_NOT_CONVERGED = 1, /* an iteration ended above its tolerance */
    MS_STEP_REJECTED = 2, /* a step controller wants a smaller step */
    MS_INTERRUPTED = 3,   /* the caller asked for the end */
    MS_STOPPED = 4,       /* a micro-solver stopped at an event */
    MS_SPENT = 5,         /* so much work as is allowed has been done */
    MS_INVALID = -1,      /* the call is wrong: name, value or combination */
    MS_UNSUPPORTED = -2,  /* a capability that the call needs is missing */
    MS_NO_MEMORY = -3,
    MS_IO = -4,            /* a file could not be read or written */
    MS_SOLVER_FAILED = -5, /* a micro-solver broke down */
    MS_NO_SOLUTION = -6,   /* an algebraic loop has no solution, or none was found */
    MS_DISAGREE = -7       /* two ways to one result contradict each other */
};

/* One line, without a newline or another control character, that names what is wrong and what would be right. */
typedef struct ms_error {
    char text[512];
} ms_error;

/* Formats the line into error (which may be NULL) and returns status, so that a failing
 * function can end with `return ms_fail(error, MS_INVALID, ...)`. Lines of the library name options (as
 * ms_options_set takes them) and arguments (as they are declared) in backquotes: `step-size` -1: must be ..
 * Clang's analyser does not know the value: where a pointer hangs on it, the status is given by its name, in a line of its own. */
int ms_fail(ms_error *error, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the status of that call from the function where it is not MS_OK: for functions that have nothing to give back. */
#define MS_TRY(...)                                                                                          \
    do {                                                                                                     \
        const int ms_status_of_call = (__VA_ARGS__);                                                         \
        if (ms_status_of_call != MS_OK)                                                                      \
            return ms_status_of_call;                                                                        \
    } while (0)

/* The same for memory that was asked for, and is there where the condition holds: a pointer, or several that are not NULL. */
#define MS_TRY_MEMORY(...) MS_TRY((__VA_ARGS__) ? MS_OK : MS_NO_MEMORY)
/* With the line "not enough memory for ..", a literal and what it formats; and where another call says so. */
#define MS_TRY_MEMORY_FOR(condition, error, ...)                                                             \
    MS_TRY_MEMORY_OR(condition, ms_fail((error), MS_NO_MEMORY, "not enough memory for " __VA_ARGS__))
#define MS_TRY_MEMORY_OR(condition, ...)                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            return (__VA_ARGS__);                                                                            \
    } while (0)

/* Frees each of these pointers; NULL is freed as by free(). */
#define MS_FREE(...)                                                                                         \
    ms_free_all(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *), (void *const[]){__VA_ARGS__})

static inline void ms_free_all(size_t n, void *const *pointers)
{
    for (size_t k = 0; k < n; k++)
        free(pointers[k]);
}

/* The call is made, and its status taken, where all before it were MS_OK: for functions that give something back at their end. */
#define MS_THEN(status, ...)                                                                                 \
    do {                                                                                                     \
        if ((status) == MS_OK)                                                                               \
            (status) = (__VA_ARGS__);                                                                        \
    } while (0)

/* For a program whose users know options and arguments by names of its own: respells each line that ms_fail has
 * formatted, in place, without making it longer. To be set before there is a second thread; NULL: lines stay. */
typedef void ms_respell(char *line);
void ms_fail_respelled(ms_respell *respell);

MS_C_LINKAGE_END
