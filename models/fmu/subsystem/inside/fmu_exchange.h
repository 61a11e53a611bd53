/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_exchange.h - an FMU for model exchange at work (fmu_model_exchange.h): its components, each of one thread at a time, and what events
 * leave in them. */
#pragma once

#include <stdatomic.h>

#include <macrostep/model.h>
#include "fmu_stepping.h"

enum { MS_FMU_SNAPSHOTS = 1024 }; /* of states behind events */
enum { MS_EXCHANGE_PASTS = 7 };   /* where states cannot be kept */

/* A run that waits while another one, as that of a reference, continues: its component, its present point, and the time of its last use. */
typedef struct ms_exchange_past {
    ms_fmu_component *component;
    double token;
    long left;
} ms_exchange_past;

/* A component, of one thread at a time. */
typedef struct ms_exchange_worker {
    atomic_flag busy;
    struct ms_exchange_worker *_Atomic next;
    ms_fmu_component *component;
    double token;                              /* its present point */
    ms_fmu_state snapshot[MS_FMU_SNAPSHOTS];   /* [0] of the start */
    double token_of[MS_FMU_SNAPSHOTS];         /* whose it is */
    double last;                               /* the token of the last one that was made */
    bool discards;                             /* the FMU has discarded what it was asked for last */
    bool stuck;                                /* it was to go back where it cannot */
    ms_exchange_past other[MS_EXCHANGE_PASTS]; /* other runs, between which it changes */
    long turn;                                 /* counts the changes */
    double *column;                            /* (nx + ny) a directional derivative */
    double *told;                              /* (nu) discrete inputs */
} ms_exchange_worker;

/* ms_subsystem.data */
typedef struct ms_exchange {
    const ms_fmu *fmu;
    const ms_fmu_places *at;
    ms_fmu_setup setup;
    const double *u0;
    const ms_signal *signal;      /* (nu) of the inputs */
    bool driven;                  /* inputs are external ones */
    int n_indicators, n_discrete; /* n_discrete: inputs that events alone change; 0: all stay as they start */
    const unsigned *unknown;      /* (nx + n_smooth): derivatives, outputs */
    bool events;                  /* one worker, with snapshots ... */
    bool keeps; /* ... where its state can be kept; else only the start can be gone back to */
    ms_exchange_worker *first;
} ms_exchange;

/* A component that is not in use: an idle one, or a new one; waits for the first idle one if there may be only one, or if there
 * can be no further one. */
ms_exchange_worker *ms_exchange_take(const ms_exchange *e);
/* Returns it with the status of its use. Returns 0 for MS_OK. */
int ms_exchange_give_back(ms_exchange_worker *w, int status);

/* The first one, which is busy. Errors: those of components. */
int ms_exchange_start(ms_exchange *e, ms_error *error);
void ms_exchange_end(void *exchange); /* ends all of them */

/* What an event has left is kept under that token, or gone back to. Return as the functions of fmu.h. */
int ms_exchange_keep(const ms_exchange *e, ms_exchange_worker *w, double token);
int ms_exchange_restore(const ms_exchange *e, ms_exchange_worker *w, double token);

/* Why the first one that is lost, or cannot go on, is; "": none is. */
const char *ms_exchange_said(const void *exchange);
/* Has one asked for the end of the simulation? */
bool ms_exchange_has_ended(const void *exchange);
