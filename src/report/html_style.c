#include <sha2.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "chart/font.h"
#include "chart/theme.h"
#include "report/html_page.h"

enum { CODE_LIMIT = 4 << 20 };

static void put_base64(struct str *out, const unsigned char *at, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        unsigned bits = (unsigned)at[i] << 16 | (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
                        (left > 2 ? at[i + 2] : 0);
        char four[4] = { digits[bits >> 18], digits[bits >> 12 & 63],
                         left > 1 ? digits[bits >> 6 & 63] : '=',
                         left > 2 ? digits[bits & 63] : '=' };
        str_putn(out, four, sizeof four);
    }
}

static void put_hash(struct str *out, const struct str *data)
{
    SHA2_CTX sha;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&sha);
    SHA256Update(&sha, (const uint8_t *)data->at, data->n);
    SHA256Final(digest, &sha);
    str_put(out, "'sha256-");
    put_base64(out, digest, sizeof digest);
    str_char(out, '\'');
}

static void put_fonts(struct str *out)
{
    static const int weights[FONT_COUNT] = { [FONT_REGULAR] = 400, [FONT_MEDIUM] = 500 };
    for (int w = 0; w < FONT_COUNT; w++) {
        size_t n;
        const void *at = font_bytes((enum font_weight)w, &n);
        str_printf(
            out,
            "@font-face{font-family:\"QD Sans\";font-weight:%d;src:url(\"data:font/ttf;base64,",
            weights[w]);
        put_base64(out, at, n);
        str_put(out, "\") format(\"truetype\")}\n");
    }
}

static void put_theme(struct str *out, const char *selector, const char *scheme, const char *theme)
{
    str_printf(out, "%s{color-scheme:%s;", selector, scheme);
    theme_css(theme_find(theme), out);
    str_put(out, "}\n");
}

/* The reader's choice wins over the system's; paper is always light. */
static void put_themes(struct str *out)
{
    put_theme(out, ":root", "light dark", "light");
    str_put(out, "@media (prefers-color-scheme:dark){");
    put_theme(out, ":root", "light dark", "dark");
    str_put(out, "}\n");
    put_theme(out, ":root:has(#qd-theme-light:checked)", "light", "light");
    put_theme(out, ":root:has(#qd-theme-dark:checked)", "dark", "dark");
    str_put(out, "@media print{");
    put_theme(out, ":root,:root:has(#qd-theme-dark:checked)", "light", "print");
    str_put(out, "}\n");
}

/* Groups of one series nest; only the outermost is dimmed. */
static void put_dimming(struct str *out, const struct document *d)
{
    for (size_t i = 0; i < d->n_keys; i++) {
        int slot = d->keys[i].series.slot;
        str_printf(out,
                   "body:has(#qd-show-%d:not(:checked)) .chart .s%d:not(.s%d .s%d){opacity:.1}\n",
                   slot, slot, slot, slot);
    }
}

static int put_embedded(struct str *out, const char *name, struct error *e)
{
    const struct embed_row *row = embed_find(name);
    if (!row)
        return error_set(e, QD_E_FAIL, "cannot write the page: '%s' is not embedded", name);
    str_putn(out, (const char *)row->at, (size_t)(row->end - row->at));
    return 0;
}

static void make_policy(struct page_code *c)
{
    struct str s = str_new(sizeof c->policy - 1);
    str_put(&s, "default-src 'none'; img-src data:; font-src data:; style-src ");
    put_hash(&s, &c->style);
    str_put(&s, "; script-src ");
    put_hash(&s, &c->script);
    str_put(&s, "; base-uri 'none'; form-action 'none'");
    memcpy(c->policy, s.at, s.n + 1);
    str_done(&s);
}

int page_code_make(const struct document *d, struct page_code *ret, struct error *e)
{
    struct page_code c = { .style = str_new(CODE_LIMIT), .script = str_new(CODE_LIMIT) };
    put_fonts(&c.style);
    put_themes(&c.style);
    put_dimming(&c.style, d);
    if (put_embedded(&c.style, "templates/report/page.css", e) ||
        put_embedded(&c.style, "templates/report/table.css", e) ||
        put_embedded(&c.style, "templates/report/medium.css", e) ||
        put_embedded(&c.script, "templates/report/page.js", e)) {
        page_code_done(&c);
        return -1;
    }
    make_policy(&c);
    *ret = c;
    return 0;
}

void page_code_done(struct page_code *c)
{
    str_done(&c->style);
    str_done(&c->script);
}
