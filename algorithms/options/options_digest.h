/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_digest.h - options of ranks compared. */
#pragma once

#include <macrostep/digest.h>
#include <macrostep/options.h>

/* Digest of the values of all options, regardless of who has set them. */
void ms_options_digest(const ms_options *options, ms_digest *digest);
