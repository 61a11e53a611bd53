/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_channel.h - bytes between the program and the process of an FMU: a ring for each direction, in memory that both have.
 *
 * Who waits looks at the ring for some microseconds, and sleeps then: a call costs no system call where both have a processor, and
 * two wake-ups where they share one. A process is not trusted with more than the contents of the rings. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef struct ms_fmu_channel {
    struct ms_fmu_rings *rings; /* NULL: it is closed */
    int side;                   /* 0: the program, 1: the process */
    unsigned written, read;     /* bytes so far */
    bool alone;                 /* there is one processor */
    int waits, vain;            /* of late */
    pid_t process;              /* the program's side: whose end is seen */
    double patience;            /* how long it waits [s]; 0: for ever */
} ms_fmu_channel;

typedef enum ms_fmu_passage {
    MS_FMU_PASSED,
    MS_FMU_GONE, /* the process has ended */
    MS_FMU_LATE, /* it is beyond the patience */
} ms_fmu_passage;

/* The program's side, and the descriptor for the other one, the caller's to close: -1 with errno. */
int ms_fmu_channel_create(ms_fmu_channel *channel);
/* The process's side. false: there is no memory. */
bool ms_fmu_channel_open(ms_fmu_channel *channel, int descriptor);
void ms_fmu_channel_close(ms_fmu_channel *channel);

/* What the process is doing: a number of its own. */
void ms_fmu_channel_note(ms_fmu_channel *channel, int doing);
int ms_fmu_channel_doing(const ms_fmu_channel *channel);

/* Whole arrays, of any size. wakes: the other side is not left asleep over them. */
ms_fmu_passage ms_fmu_send(ms_fmu_channel *channel, const struct iovec *part, int n, bool wakes);
ms_fmu_passage ms_fmu_receive(ms_fmu_channel *channel, const struct iovec *part, int n);

/* Ends the processes that are waited for, for handlers of signals. Was there one? */
bool ms_fmu_channels_interrupt(void);
