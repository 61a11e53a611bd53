/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harness.h - what the fuzzed readers have in common. Each harness fuzz_NAME.c is one function, which libFuzzer calls with one
 * input after the other; seeds are the files of the folder NAME.
 *
 * What a reader may do with bad input: return a status, with one line that says why. Anything else is a finding: what the
 * sanitizers see, an empty line or one with control characters, memory or time without measure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <macrostep/model.h>

/* One input. Returns 0; -1: not to be kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with a finding unless `holds`; `what` says what does not. */
void harness_require(bool holds, const char *what);

/* Is it MS_OK, or an error with its line, which is printed where HARNESS_SHOWS is set? Returns whether it is MS_OK. */
bool harness_check(int status, const ms_error *error);

/* The input as a text, to be freed. */
char *harness_text(const uint8_t *data, size_t size);

/* The path of a file in memory that holds the bytes, until the next call. The ending ("", ".ssp") is that of its name; a harness has
 * one. */
const char *harness_file(const uint8_t *data, size_t size, const char *ending);

/* A path in the folder of this harness, which TMPDIR names; until the next call. */
const char *harness_path(const char *name);

/* Binds the model as a run does, and evaluates its equations at the start. */
void harness_evaluate(const ms_model *model);
