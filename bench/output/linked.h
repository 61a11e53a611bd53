/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linked.h - the libraries that this process has, as macrostep --version --verbose lists them. */
#ifndef MS_LINKED_H
#define MS_LINKED_H

#include <stdio.h>

/* Writes the versions that libraries state of themselves, then a line for each shared object, those of plug-ins as well, which are opened:
 * NAME VERSION PATH, and which plug-in brought it. VERSION is that of the file's name, "-" where it has none. */
void ms_linked_write(FILE *file);

#endif
