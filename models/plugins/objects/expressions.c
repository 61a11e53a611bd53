/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions.c - macrostep-expressions.so: expressions, by muParser. */
#include <math.h>
#include <muParserDLL.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_expressions.h"

/* muParser's own constants _pi and _e have 13 digits. */
static const double pi = 3.14159265358979323846;

typedef struct parser {
    muParserHandle_t handle;
    char fault[256]; /* "": none */
} parser;

/* muParser's messages quote the expression from the fault on, and go into 2048 bytes of its own, however long they are. */
enum { QUOTED_MAX = 1000 };

/* C++'s operator new calls the handler, and tries again, until there is memory. muParser, to which a refusal is an exception
 * that it lets pass in places, never sees one as long as there is the reserve, more than it takes for any expression; with
 * the next parser it is filled again, or there is none. (Weak: only where libstdc++ is the C++ library.) */
typedef void new_handler(void);
new_handler *set_new_handler(new_handler *handler) __asm__("_ZSt15set_new_handlerPFvvE")
    __attribute__((weak));

enum { RESERVE = 1 << 20 };
static _Atomic(void *) reserve;

static void release_reserve(void)
{
    void *memory = atomic_exchange(&reserve, NULL);
    if (memory == NULL)
        set_new_handler(NULL);
    free(memory);
}

static bool fill_reserve(void)
{
    if (set_new_handler == NULL)
        return true;
    if (atomic_load(&reserve) == NULL)
        free(atomic_exchange(&reserve, malloc(RESERVE)));
    set_new_handler(release_reserve);
    return atomic_load(&reserve) != NULL;
}

/* Keeps the first fault. */
static void take_fault(parser *p, const char *expression)
{
    if (!mupError(p->handle) || p->fault[0] != '\0')
        return;
    if (strlen(expression) <= QUOTED_MAX)
        snprintf(p->fault, sizeof p->fault, "%.200s", mupGetErrorMsg(p->handle));
    else
        snprintf(p->fault, sizeof p->fault, "cannot be read at position %d", mupGetErrorPos(p->handle));
}

static void define(parser *p, const char *expression, int n, const char *const *names, double *value)
{
    mupClearConst(p->handle);
    mupDefineConst(p->handle, "pi", pi);
    take_fault(p, expression);
    for (int k = 0; k < n; k++) {
        mupDefineVar(p->handle, names[k], &value[k]);
        take_fault(p, expression);
    }
    mupSetExpr(p->handle, expression);
    take_fault(p, expression);
    mupEval(p->handle); /* this is when muParser reads it */
    take_fault(p, expression);
}

static void destroy(void *self)
{
    parser *p = self;
    if (p != NULL && p->handle != NULL)
        mupRelease(p->handle);
    free(p);
}

static void *create(const char *expression, int n, const char *const *names, double *value)
{
    parser *p = fill_reserve() ? calloc(1, sizeof *p) : NULL;
    if (p == NULL)
        return NULL;
    p->handle = mupCreate(muBASETYPE_FLOAT);
    if (p->handle == NULL) {
        destroy(p);
        return NULL;
    }
    define(p, expression, n, names, value);
    return p;
}

static const char *fault(void *self)
{
    const parser *p = self;
    return p->fault[0] != '\0' ? p->fault : NULL;
}

static double evaluate(void *self)
{
    const parser *p = self;
    const double value = mupEval(p->handle);
    return mupError(p->handle) ? NAN : value;
}

static bool reads(void *self, const double *value)
{
    const parser *p = self;
    const int n = mupGetExprVarNum(p->handle);
    for (int k = 0; k < n; k++) {
        const muChar_t *name = NULL;
        muFloat_t *at = NULL;
        mupGetExprVar(p->handle, (unsigned)k, &name, &at);
        if (at == value)
            return true;
    }
    return false;
}

const ms_plugin_expressions ms_plugin_table = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .create = create,
    .destroy = destroy,
    .fault = fault,
    .evaluate = evaluate,
    .reads = reads,
};
