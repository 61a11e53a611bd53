/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - how an answer is written, for those who write one and read no other option of the command. */
#ifndef MS_FORMAT_H
#define MS_FORMAT_H

typedef enum ms_format { MS_FORMAT_TABLE, MS_FORMAT_CSV, MS_FORMAT_JSON, MS_FORMAT_JSONL } ms_format;

typedef struct ms_arguments ms_arguments;

#endif
