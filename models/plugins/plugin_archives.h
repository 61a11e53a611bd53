/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_archives.h - what macrostep-archives.so gives: ZIP archives by libzip, XML by Expat.
 *
 * It reads what it is given and judges nothing but whether that is a ZIP archive, or well-formed XML without a document type:
 * limits, names and meanings are its caller's. */
#ifndef MS_PLUGIN_ARCHIVES_H
#define MS_PLUGIN_ARCHIVES_H

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

/* What an XML text consists of, in its order. Names of elements stand with their namespace and a blank before them ("NAMESPACE
 * NAME"), where they have one, attributes as well; attribute (name, value, .., NULL). false: no further. */
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

#endif
