/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archives.h - the plug-in that reads ZIP and XML. */
#ifndef MS_ARCHIVES_H
#define MS_ARCHIVES_H

#include "plugin_archives.h"

/* Opens it for the file at `path`, which the line names. Errors: MS_UNSUPPORTED. */
int ms_archives_open(const char *path, const ms_plugin_archives **library, ms_error *error);

/* Is it valid UTF-8 (no surrogates, nothing longer than it need be, nothing above U+10FFFF) without control characters? */
bool ms_archives_is_text(const char *text);

#endif
