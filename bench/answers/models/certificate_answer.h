/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate_answer.h - certificates in answers. */
#pragma once

#include "answer.h"
#include "certificate.h"

/* n of them as an array; NULL without memory. */
json_t *ms_certificates_json(int n, const ms_certificate *certificate);

/* What all of them hold, in a word: "proved", "in part" or "not proved". */
const char *ms_certificates_verdict(int n, const ms_certificate *certificate);

/* Bounds of one spectral radius; NULL without memory. */
json_t *ms_certified_radius_json(const double bounds[2], long bits);
