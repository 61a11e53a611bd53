/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refuse.h - what the files of refuse.so share: refuse.c counts, reports, and refuses allocations; calls.c refuses calls of the
 * system and of the loader, numerics.c those of numerical libraries. */
#pragma once

#include <stdbool.h>

enum { FAULT_DESCRIPTOR = 900 }; /* a descriptor that no program takes by itself */

typedef enum fault_kind {
    FAULT_MEMORY,      /* allocations: there is none */
    FAULT_OPEN,        /* files, folders and pipes are not opened or made: too many are */
    FAULT_WRITE,       /* nothing is written, synchronised or cut: the disk is full */
    FAULT_READ,        /* nothing is read: the disk is broken */
    FAULT_RENAME,      /* files keep their names: it is not permitted */
    FAULT_PROCESS,     /* no process or thread is started: there are too many */
    FAULT_LIBRARY,     /* shared objects are not found */
    FAULT_SHORT_READ,  /* half of what was asked for is read, as is usual of pipes */
    FAULT_SHORT_WRITE, /* half of it is written */
    FAULT_UNLINK,      /* files and folders are not removed: it is not permitted */
    FAULT_MAP,         /* pages are not mapped: there are no more */
    FAULT_NUMERICS,    /* GSL, SUNDIALS and LAPACK say that they failed (numerics.c) */
    FAULT_INTERRUPT,   /* allocations succeed, but SIGINT comes at one of them */
    FAULT_KINDS
} fault_kind;

#define FAULT_NAMES                                                                                          \
    {                                                                                                        \
        "memory", "open", "write", "read", "rename", "process", "library", "short-read", "short-write",      \
            "unlink", "mmap", "numerics", "interrupt"                                                        \
    }

/* Counts a call of that kind. Is it the one to refuse? Then errno is `error`, if that is not 0. */
bool fault_refuses(fault_kind kind, int error);

/* Before main: has calls of the system of that kind come to calls.c. Returns false where this processor or system cannot. */
bool fault_trap(fault_kind kind);
