/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_digest.h - options of ranks compared. */
#ifndef MS_OPTIONS_DIGEST_H
#define MS_OPTIONS_DIGEST_H

#include <macrostep/digest.h>
#include <macrostep/options.h>

/* Digest of the values of all options, regardless of who has set them. */
void ms_options_digest(const ms_options *options, ms_digest *digest);

#endif
