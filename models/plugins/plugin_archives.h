/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_archives.h - functions of macrostep-archives.so: ZIP archives by libzip, XML by Expat.
 *
 * It only checks whether its input is a ZIP archive, or well-formed XML without a document type:
 * limits, names and meanings are checked by the caller. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "plugin.h"

/* Why something failed, without the name of the file; without memory it is this text. */
enum { MS_PLUGIN_WHY = 160 };
#define MS_PLUGIN_NO_MEMORY "not enough memory"

typedef enum ms_plugin_entry_type {
    MS_PLUGIN_ENTRY_FILE,
    MS_PLUGIN_ENTRY_FOLDER, /* its name ends in a slash */
    MS_PLUGIN_ENTRY_OTHER   /* a link, a device, .. */
} ms_plugin_entry_type;

typedef struct ms_plugin_entry {
    const char *name;                /* its bytes, as they are there */
    unsigned long long size, packed; /* [bytes] as they are declared */
    ms_plugin_entry_type type;
    bool encrypted;
} ms_plugin_entry;

/* Takes `size` bytes of an entry; false: no more of them. */
typedef bool ms_plugin_take(void *self, const void *bytes, size_t size);

/* The contents of an XML text, in order. Names of elements are preceded by their namespace and a blank ("NAMESPACE
 * NAME"), if they have one, attributes as well; attribute (name, value, .., NULL). False: stop. */
typedef struct ms_plugin_xml {
    void *self;
    bool (*begin)(void *self, const char *name, const char *const *attribute, long line);
    bool (*end)(void *self);
} ms_plugin_xml;

typedef struct ms_plugin_archives {
    ms_plugin plugin;

    /* REQUIRED. Opens an archive for reading. NULL: why not. */
    void *(*open)(const char *path, char why[MS_PLUGIN_WHY]);
    void (*close)(void *archive);      /* REQUIRED; NULL-safe */
    long long (*count)(void *archive); /* REQUIRED. The number of entries. */

    /* REQUIRED. Entry k; its name is the archive's. */
    bool (*entry)(void *archive, long long k, ms_plugin_entry *entry, char why[MS_PLUGIN_WHY]);

    /* REQUIRED. The content of entry k, unpacked, piece by piece, and its check sum compared. false: why not; "" where `take`
     * has ended it. */
    bool (*extract)(void *archive, long long k, ms_plugin_take *take, void *self, char why[MS_PLUGIN_WHY]);

    /* REQUIRED. Packs n files under their names into a new archive, which replaces one that is there when it is whole. */
    bool (*write)(const char *path, int n, const char *const *name, const char *const *file,
                  char why[MS_PLUGIN_WHY]);

    /* REQUIRED. Reads an XML text in UTF-8. false: *line and why; "" where the reader has ended it. */
    bool (*read_xml)(const char *text, size_t size, const ms_plugin_xml *reader, long *line,
                     char why[MS_PLUGIN_WHY]);
} ms_plugin_archives;
