/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - every printed item of the papers and its status, from results/published/PAPER_ledger.json and the answers that
 * `macrostep figures` has left.
 *
 * An item is a figure, a table, an equation with a claim, a number or a sentence: "place", "printed" (in our words), and either
 *     "figure", "checks"     whose checks judge it: parts of their names; without them the figure's own verdict
 *                            "unfair": "too kind" or "too strict" where that verdict is not yet the right one; "why"
 *     and with a figure      "readings", names of sentences in macrostep:readings; or "settled", why no reading of the text changes it, or
 *                            where its figure has them; or "number", if only numbers or curves are printed
 *     "no_check"             why there is nothing to compare; "command" where one shows it
 *     "missing"              what would judge it, and does not yet */
#pragma once

#include <jansson.h>

#include <macrostep/status.h>

/* The items of a paper, "andersson2016", or of all (NULL), as {"rows": [{"paper", "item", "place", "printed", "command", "figure",
 * "check", "verdict", "status", "why", "readings", "settled"}, ..], "counts": {STATUS: number}, "sentences": {"readings", "settled"}}. item counts from 1 in each paper, what an item does not have is
 * null. verdict: the worst of the checks. status: "fair", "deviates" (and judged so fairly), "too-kind", "too-strict", "missing",
 * "no-check", "not-drawn" where DIRECTORY/figures has no answer of the figure. Errors: MS_INVALID (unknown paper), MS_NO_MEMORY. */
int ms_ledger(const char *directory, const char *paper, json_t **ledger, ms_error *error);

/* Every numbered equation of a paper, or of all (NULL), as {"rows": [{"paper", "equation": "6.41", "files", "tests", "commands", "why"}, ..],
 * "counts": {"named", "without-code", "nowhere"}}: sources and tests whose comments name it, and the commands of the ledger's items about it;
 * why: what has no code is said to have none (null for all others). Errors:
 * MS_INVALID (unknown paper), MS_NO_MEMORY. */
int ms_equations(const char *paper, json_t **equations, ms_error *error);

/* The items as they are typed, by paper, of that one or of all; for the caller to release, NULL where it fails. Errors as above. */
int ms_ledger_items(const char *paper, json_t **items, ms_error *error);

/* The command line that shows an item, null where nothing does; for the caller to release. */
json_t *ms_ledger_command(const json_t *item);
