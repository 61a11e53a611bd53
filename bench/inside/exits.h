/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exits.h - ways in which a process ends that are not the command's: an FMU or a library calls exit, quick_exit, _exit or _Exit. */
#pragma once

/* From here on such an end is a failure: its line, and MS_EXIT_BROKEN. */
void ms_exits_watch(void);

/* From here on the process may end: the answer is out. */
void ms_exits_allow(void);

/* For handlers of signals: the file of the FMU that has been called, between two texts, in a line on standard error. */
void ms_exits_blame(const char *before, const char *behind);
