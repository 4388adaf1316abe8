#include <string.h>

#include "report/build_state.h"

struct ids {
    ARRAY(const char *) at;
};

static void collect(struct ids *ids, const struct block *b)
{
    for (; b; b = b->next) {
        if (b->id)
            *array_push(&ids->at) = b->id;
        if (b->table && b->table->id)
            *array_push(&ids->at) = b->table->id;
        if (b->figure)
            *array_push(&ids->at) = b->figure->id;
        collect(ids, b->first);
    }
}

static bool alive(const struct ids *ids, const char *href)
{
    if (*href != '#')
        return true;
    for (size_t i = 0; i < ids->at.n; i++)
        if (!strcmp(ids->at.at[i], href + 1))
            return true;
    return false;
}

static void clean(const struct ids *ids, struct rich *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].style == RUN_LINK && !alive(ids, r->at[i].href))
            r->at[i] = (struct text_run) { .style = RUN_PLAIN, .text = r->at[i].text };
}

static void clean_blocks(struct building *b, const struct ids *ids, struct block *at)
{
    for (; at; at = at->next) {
        for (size_t i = 0; i < at->n_warnings; i++) {
            struct rich text = at->warnings[i].text;
            clean(ids, &text);
        }
        for (size_t i = 0; at->items == b->checks.notes && i < at->n_items; i++) {
            struct rich text = at->items[i];
            clean(ids, &text);
        }
        if (at->figure)
            clean(ids, &at->figure->caption);
        clean_blocks(b, ids, at->first);
    }
}

void build_drop_dead_links(struct building *b)
{
    struct ids ids = { 0 };
    collect(&ids, b->doc->first);
    clean_blocks(b, &ids, b->doc->first);
    array_free(&ids.at);
}
