/* SPDX-License-Identifier: GPL-3.0-or-later */
/* templates.h - texts of the command that are files of the tree, compiled in: help, what `new` writes, styles of the report. */
#pragma once

/* The text of the file of that name, without its folder; NULL if there is none. */
const char *ms_template(const char *name);
