#include "report/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parse.h"

enum { WORD = 64 };

static bool take_word(const char **text, char word[WORD])
{
    return parse_next(text, word, WORD);
}

static size_t count_words(const char *text)
{
    char word[WORD];
    size_t n = 0;
    while (take_word(&text, word))
        n++;
    return n;
}

/* Cuts `unit` off the end of the word; false: it ends otherwise. */
static bool cut_unit(char *word, const char *unit)
{
    size_t n = strlen(word), u = strlen(unit);
    if (n <= u || strcmp(word + n - u, unit) != 0)
        return false;
    word[n - u] = '\0';
    return true;
}

static struct limit limit_of(struct arena *a, char *word)
{
    struct error ignored;
    struct limit l = { .percent = cut_unit(word, "%") };
    if (!l.percent)
        l.of = cut_unit(word, "MB/s") ? RATE_OF_MB : RATE_OF_IOS;
    if (!l.percent && l.of == RATE_OF_IOS)
        cut_unit(word, "IOPS");
    if (parse_double(word, &l.value, &ignored))
        l.value = NAN;
    const char *unit = l.percent ? "% of its median" : l.of == RATE_OF_MB ? "MB/s" : "IOPS";
    l.text = arena_printf(a, "%s\u00a0%s", fmt_exact(l.value).s, unit);
    return l;
}

size_t limits_of_rate(struct arena *a, const char *text, struct limit **ret)
{
    char word[WORD];
    size_t n = 0;
    *ret = text ? arena_array(a, struct limit, count_words(text)) : NULL;
    while (text && take_word(&text, word))
        (*ret)[n++] = limit_of(a, word);
    return n;
}

double limit_value(const struct limit *l, enum rate_of of, double median)
{
    if (l->percent)
        return median * l->value / 100;
    return l->of == of ? l->value : (double)NAN;
}

size_t limits_of_time(struct arena *a, const char *text, double **ret)
{
    char word[WORD];
    size_t n = 0;
    *ret = text ? arena_array(a, double, count_words(text)) : NULL;
    while (text && take_word(&text, word)) {
        struct error ignored;
        uint64_t ns = 0;
        if (parse_duration(word, &ns, &ignored))
            continue;
        size_t at = n++;
        for (; at > 0 && (*ret)[at - 1] > (double)ns; at--)
            (*ret)[at] = (*ret)[at - 1];
        (*ret)[at] = (double)ns;
    }
    return n;
}
