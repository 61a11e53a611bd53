/* SPDX-License-Identifier: GPL-3.0-or-later */
/* completion.h - scripts by which shells complete the command line. */
#pragma once

#include <stdio.h>

#include <macrostep/status.h>

/* The script for the shell of that name, bash or zsh. MS_INVALID where it is neither. */
int ms_completion_write(const char *shell, FILE *file, ms_error *error);
