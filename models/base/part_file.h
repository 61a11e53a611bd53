/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_file.h - a temporary file next to another one, PATH.K.part, which is renamed when complete; and a temporary
 * working folder, PATH.K.part.d, which belongs to such a file.
 *
 * The writer holds a lock on it, which is released whenever the process ends. So nothing depends on process numbers,
 * which recur in containers: K is the first number whose file no process writes, and abandoned files are removed by the
 * next writer to the same path. */
#pragma once

typedef struct ms_part_file {
    char *path;         /* owned; NULL: there is none */
    int descriptor;     /* for reading and writing, the caller's to close, */
    int lock;           /* which is kept beyond that */
    const char *folder; /* NULL: there is none */
} ms_part_file;

/* 0, or -1 with errno. */
int ms_part_file_create(const char *path, ms_part_file *part);

/* The same with a new folder, accessible only to this user, and an empty file (descriptor -1): next to `path`, or in TMPDIR. 0, or -1 with
 * errno. */
int ms_part_folder_create(const char *path, ms_part_file *part);
int ms_part_folder_temporary(ms_part_file *part);

/* In a text, in place: names of files in working folders become those that they get at the end: `p/.new.1.part.d/a.csv` is p/a.csv. */
void ms_part_files_final_names(char *text);

/* What TMPDIR says, where that is an absolute path, else /tmp. */
const char *ms_temporary_place(void);

/* Removes a folder with all that is in it, and follows no links. 0, or -1 with errno. May be called by a handler of signals. */
int ms_folder_remove(const char *path);

/* Gives it the name. 0, or -1 with errno; then it is removed. */
int ms_part_file_keep(ms_part_file *part, const char *path);

/* Removes it, and its folder with all that is in it; safe to repeat, and after ms_part_file_keep. */
void ms_part_file_drop(ms_part_file *part);

/* Removes all that this process writes. May be called by a handler of signals. */
void ms_part_files_remove(void);
