/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nearest.h"

#include <limits.h>
#include <string.h>

enum { LENGTH_MAX = 64, LEFT_OUT = 1, OTHER_EDIT = 2 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: d[i][j] is the cost of turning the first i letters of a into the first j of b;
 * three rows are kept. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LENGTH_MAX + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    const int m = (int)strnlen(a, LENGTH_MAX - 1), n = (int)strnlen(b, LENGTH_MAX - 1);
    for (int j = 0; j <= n; j++)
        row[j] = j * LEFT_OUT;
    for (int i = 1; i <= m; i++) {
        int *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i * OTHER_EDIT;
        for (int j = 1; j <= n; j++) {
            const int replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : OTHER_EDIT);
            row[j] = smaller(replaced, smaller(above[j] + OTHER_EDIT, row[j - 1] + LEFT_OUT));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + OTHER_EDIT);
        }
    }
    return row[n];
}

const char *ms_nearest(const char *word, const char *const *names, int n)
{
    return ms_nearest_of(word, names, sizeof *names, n);
}

const char *ms_nearest_of(const char *word, const void *first, size_t stride, int n)
{
    const char *nearest = ms_synonym_of(word, first, stride, n);
    if (nearest != NULL)
        return nearest;
    int least = INT_MAX;
    for (int i = 0; i < n; i++) {
        const char *name = ms_name_at(first, stride, i);
        const int distance = edit_distance(word, name);
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

int ms_name_search(const void *first, size_t stride, int n, const char *word, size_t length)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const char *name = ms_name_at(first, stride, middle);
        const int order = strncmp(name, word, length);
        if (order == 0 && name[length] == '\0')
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
