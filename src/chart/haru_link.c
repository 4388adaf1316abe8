#include <hpdf_destination.h>
#include <hpdf_pages.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "chart/haru.h"

/* What libharu's interface lacks is done here through the objects of its installed headers. */

enum { STRING_LIMIT = 2000 };

/* Text that no viewer draws with our fonts: any character of the first plane. libharu drops those beyond and takes broken
 * UTF-8 for others. */
static const char *string_of(struct arena *a, const char *text)
{
    struct str s = str_new(STRING_LIMIT + 8);
    for (uint32_t cp = utf8_next(&text); cp && s.n < STRING_LIMIT; cp = utf8_next(&text)) {
        char bytes[4];
        uint32_t kept = cp < 0x20 || cp == 0x7F ? ' ' : cp > 0xFFFF ? 0xFFFD : cp;
        str_putn(&s, bytes, utf8_put(kept, bytes));
    }
    const char *out = arena_strndup(a, s.at ? s.at : "", s.n);
    str_done(&s);
    return out;
}

/* --- information --------------------------------------------------------------------------------------------------- */

static void set_text(struct haru *h, HPDF_InfoType type, const char *text)
{
    if (!text)
        return;
    struct arena *a = arena_new();
    HPDF_SetInfoAttr(h->doc, type, string_of(a, text));
    arena_free(a);
}

static void set_date(struct haru *h, int64_t ns)
{
    const int64_t per_s = NS_PER_S;
    time_t seconds = (time_t)(ns / per_s - (ns % per_s < 0));
    struct tm tm;
    if (!gmtime_r(&seconds, &tm))
        return;
    HPDF_Date date = { .year = tm.tm_year + 1900,
                       .month = tm.tm_mon + 1,
                       .day = tm.tm_mday,
                       .hour = tm.tm_hour,
                       .minutes = tm.tm_min,
                       .seconds = tm.tm_sec,
                       .ind = 'Z' };
    HPDF_SetInfoDateAttr(h->doc, HPDF_INFO_CREATION_DATE, date);
    HPDF_SetInfoDateAttr(h->doc, HPDF_INFO_MOD_DATE, date);
}

void haru_set_info(struct haru *h, const struct haru_info *info)
{
    set_text(h, HPDF_INFO_TITLE, info->title);
    set_text(h, HPDF_INFO_SUBJECT, info->subject);
    set_text(h, HPDF_INFO_CREATOR, info->creator);
    set_text(h, HPDF_INFO_KEYWORDS, info->keywords);
    set_date(h, info->created_ns);
    HPDF_MMgr memory = h->doc->mmgr;
    HPDF_Dict_Add(h->doc->catalog, "Lang", HPDF_String_New(memory, info->language, NULL));
    HPDF_Dict viewer = HPDF_Dict_New(memory);
    HPDF_Dict_Add(h->doc->catalog, "ViewerPreferences", viewer);
    HPDF_Dict_AddBoolean(viewer, "DisplayDocTitle", HPDF_TRUE);
}

/* --- places -------------------------------------------------------------------------------------------------------- */

/* [page /XYZ null top null]: libharu's own call wants a zoom and would force it on the reader. */
static HPDF_Destination destination(struct haru *h, const struct haru_place *to)
{
    HPDF_MMgr memory = h->doc->mmgr;
    HPDF_Destination d = HPDF_Page_CreateDestination(to->page);
    if (!d)
        return NULL;
    HPDF_Array_Clear(d);
    HPDF_Array_Add(d, to->page);
    HPDF_Array_AddName(d, "XYZ");
    HPDF_Array_Add(d, HPDF_Null_New(memory));
    HPDF_Array_AddReal(d, haru_real(h, to->top));
    HPDF_Array_Add(d, HPDF_Null_New(memory));
    return d;
}

static HPDF_Rect rect_of(struct haru *h, const struct haru_area *a)
{
    return (HPDF_Rect) { .left = haru_real(h, a->x),
                         .bottom = haru_real(h, a->y),
                         .right = haru_real(h, a->x + a->width),
                         .top = haru_real(h, a->y + a->height) };
}

static void without_frame(HPDF_Annotation a)
{
    if (a)
        HPDF_LinkAnnot_SetBorderStyle(a, 0, 0, 0);
}

void haru_link(struct haru *h, const struct haru_area *area, const struct haru_place *to)
{
    without_frame(HPDF_Page_CreateLinkAnnot(h->page, rect_of(h, area), destination(h, to)));
}

/* Addresses are ASCII in a PDF: other bytes are percent-encoded. */
void haru_link_url(struct haru *h, const struct haru_area *area, const char *url)
{
    struct str s = str_new(STRING_LIMIT);
    for (const char *p = url; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c > 0x20 && c < 0x7F)
            str_char(&s, *p);
        else
            str_printf(&s, "%%%02X", c);
    }
    if (s.at && !str_failed(&s))
        without_frame(HPDF_Page_CreateURILinkAnnot(h->page, rect_of(h, area), s.at));
    str_done(&s);
}

HPDF_Outline haru_outline(struct haru *h, HPDF_Outline parent, const char *title,
                          const struct haru_place *to)
{
    struct arena *a = arena_new();
    HPDF_Outline o = HPDF_CreateOutline(h->doc, parent, string_of(a, title),
                                        HPDF_GetEncoder(h->doc, "UTF-8"));
    arena_free(a);
    if (o)
        HPDF_Outline_SetDestination(o, destination(h, to));
    return o;
}

/* --- text that is not read ----------------------------------------------------------------------------------------- */

static void write_operators(struct haru *h, const char *text)
{
    HPDF_PageAttr page = h->page->attr;
    HPDF_Stream_WriteStr(page->stream, text);
}

void haru_unread_begin(struct haru *h)
{
    write_operators(h, "/Span <</ActualText <FEFF>>> BDC\n");
}

void haru_unread_end(struct haru *h)
{
    write_operators(h, "EMC\n");
}
