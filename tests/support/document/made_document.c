#include "made_document.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "made_data.h"
#include "made_figures.h"
#include "made_tables.h"

struct writer {
    struct arena *a;
    struct document *d;
};

static struct block *put(struct writer *w, struct block *parent, enum block_kind kind,
                         const char *text)
{
    struct block *b = doc_block(w->d, w->a, parent, kind);
    if (text)
        rich_put(&b->text, w->a, RUN_PLAIN, text);
    return b;
}

static struct block *put_titled(struct writer *w, struct block *parent, enum block_kind kind,
                                const char *id, const char *title)
{
    struct block *b = put(w, parent, kind, NULL);
    b->id = id;
    b->title = title;
    return b;
}

static void put_table(struct writer *w, struct block *parent, const struct table *t)
{
    put(w, parent, BLOCK_TABLE, NULL)->table = t;
}

static void put_figure(struct writer *w, struct block *parent, struct figure *f)
{
    put(w, parent, BLOCK_FIGURE, NULL)->figure = f;
}

static void write_title(struct writer *w)
{
    struct document *d = w->d;
    d->title = "Pliant LS 300 against a consumer SSD and twelve disks, under OLTP load";
    d->kicker = "Storage comparison";
    d->notice = "Illustrative data: invented numbers, no product was measured";
    d->meta = "Run oltp-2026-03-14 · 14 March 2026, 09:26 UTC · 29 of 30 cells measured, 5 runs "
              "each";
    d->description = "Illustrative storage comparison of three targets under OLTP load at queue "
                     "depths 1 to 128.";
    d->version = "1.0.0";
    d->data_hash = "9f2c41d7";
    d->run_names = "oltp-2026-03-14";
    rich_put(&d->verdict, w->a, RUN_STRONG,
             "Pliant LS 300 is ahead of each measured peer at every queue depth from 4 up.");
    rich_put(&d->verdict, w->a, RUN_PLAIN,
             " It reaches 26,200 IOPS in OLTP Heavy Read, 8.58× [8.45, 8.72] the best peer, and "
             "21,900 in OLTP Moderate Read, 27.4× [26.4, 28.4].");
    rich_put(&d->verdict, w->a, RUN_SOFT,
             " With a single I/O in flight and 90 % reads there is no clear difference to Patriot "
             "Torqx 128 GB, which has the shorter 99th percentile there.");
}

static void write_keys(struct writer *w)
{
    struct key_entry *keys = arena_array(w->a, struct key_entry, MADE_TARGETS);
    for (size_t i = 0; i < MADE_TARGETS; i++)
        keys[i] = (struct key_entry) { made_series(i), i ? NULL : "device under test" };
    w->d->keys = keys;
    w->d->n_keys = MADE_TARGETS;
}

static void write_facts(struct writer *w, struct block *box)
{
    static const char *const rows[][2] = {
        { "Workloads",
          "OLTP Heavy Read, 90 % reads; OLTP Moderate Read, 65 % reads; 80 % of I/Os 8 "
          "KiB and 20 % 64 KiB, all random" },
        { "Queue depths", "1, 4, 8, 32, 128 in flight in total, one worker" },
        { "Cell", "10 s ramp, 60 s measured; 5 runs in a row, cells shuffled" },
        { "Direct I/O", "asked for and confirmed on all targets" },
        { "Host", "8 cores, Linux 6.12, one SAS controller for all" },
    };
    struct doc_fact *facts = arena_array(w->a, struct doc_fact, MADE_TARGETS + countof(rows));
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        facts[i].key = i ? NULL : "Targets";
        facts[i].slot = (int)i + 1;
        rich_put(&facts[i].value, w->a, RUN_PLAIN, made_names[i]);
    }
    for (size_t i = 0; i < countof(rows); i++) {
        facts[MADE_TARGETS + i].key = rows[i][0];
        rich_put(&facts[MADE_TARGETS + i].value, w->a, RUN_PLAIN, rows[i][1]);
    }
    struct block *b = put(w, box, BLOCK_FACTS, NULL);
    b->facts = facts;
    b->n_facts = MADE_TARGETS + countof(rows);
}

static void write_warnings(struct writer *w, struct block *box)
{
    static const struct {
        const char *what, *text, *label, *href;
    } rows[] = {
        { "Patriot Torqx 128 GB was not steady in OLTP Moderate Read.",
          "Over the last five of 25 rounds its IOPS still ranged over 27 % of their mean (limit "
          "20 %) and kept falling. Its IOPS there are an upper bound and carry a ‡. ",
          "Figure 8", "#moderate-read-overview" },
        { "RAID 10 lost a member drive in OLTP Moderate Read at queue depth 128.",
          "3 I/Os failed with EIO, the first at byte 1,873,408,000. The cell ended after 11 s and "
          "is shown as a gap; every other cell of the array was complete before. ",
          "Figure 13", "#moderate-read-qd128" },
        { "The link to Patriot Torqx 128 GB lets 32 commands through.",
          "At queue depth 128 only 31.9 I/Os were in the drive; the rest waited in the host. These "
          "values carry a †, the markers are hollow. ",
          "Figure 7", "#heavy-read-qd128" },
        { "Pliant LS 300 is compared with one drive and one array, one sample of each.",
          "The intervals cover run-to-run noise, not the spread between samples of a model. ",
          "Method", "#method" },
    };
    struct warning *warnings = arena_array(w->a, struct warning, countof(rows));
    for (size_t i = 0; i < countof(rows); i++) {
        warnings[i].what = rows[i].what;
        rich_put(&warnings[i].text, w->a, RUN_PLAIN, rows[i].text);
        rich_link(&warnings[i].text, w->a, rows[i].label, rows[i].href);
    }
    struct block *b = put_titled(w, box, BLOCK_WARNINGS, "warnings", "Warnings");
    b->warnings = warnings;
    b->n_warnings = countof(rows);
}

static void write_tested(struct writer *w)
{
    struct block *box = put_titled(w, NULL, BLOCK_TESTED, "tested", "What was tested");
    write_facts(w, box);
    put(w, box, BLOCK_NOTE,
        "11 other checks passed, among them page cache, alignment, thermal state and worker load.");
    put(w, box, BLOCK_SPLIT, NULL);
    write_warnings(w, box);
}

static void write_workload(struct writer *w, size_t workload)
{
    struct block *s = put_titled(w, NULL, BLOCK_SECTION, made_ids[workload],
                                 made_workloads[workload]);
    put(w, s, BLOCK_LEAD,
        workload ? "With 35 % writes Patriot Torqx 128 GB falls to 801 IOPS at most, less than "
                   "twice the array at depth 32, and was still slowing."
                 : "Pliant LS 300 turns depth into work: 11.4 times its own IOPS between depth 1 "
                   "and 128. Patriot Torqx 128 GB stays within 31 % of its depth 1 value, and the "
                   "twelve disks pay for 1,163 IOPS at depth 128 with 110 ms for each I/O.");
    put_figure(w, s, made_overview(w->a, workload));
    for (size_t i = 0; i < MADE_DEPTHS; i++)
        put_figure(w, s, made_triplet(w->a, workload, i));
}

static void write_rest(struct writer *w)
{
    struct block *s = put_titled(w, NULL, BLOCK_SECTION, "percentiles", "Percentiles");
    put(w, s, BLOCK_PARAGRAPH, "A percentile is printed where at least 10 samples lie beyond it.");
    put_table(w, s, made_percentiles(w->a, 0));
    put_table(w, s, made_percentiles(w->a, 1));

    s = put_titled(w, NULL, BLOCK_SECTION, "environment", "Environment");
    put_table(w, s, made_environment(w->a));
    put_table(w, s, made_host(w->a, false));
    put_table(w, s, made_host(w->a, true));

    s = put_titled(w, NULL, BLOCK_SECTION, "method", "Method");
    put(w, s, BLOCK_PARAGRAPH,
        "Each target was filled twice with 128 KiB sequential writes of random data, then loaded "
        "with the workload until five rounds were steady or 25 rounds had passed.");
    struct block *list = put(w, s, BLOCK_LIST, NULL);
    struct rich *items = arena_array(w->a, struct rich, 2);
    rich_put(&items[0], w->a, RUN_PLAIN, "MB/s are 10⁶ bytes a second; KiB are 1,024 bytes.");
    rich_put(&items[1], w->a, RUN_PLAIN, "The queue depth is the total of all workers.");
    list->items = items;
    list->n_items = 2;
    struct block *checks = put_titled(w, s, BLOCK_DETAILS, NULL,
                                      "The 15 checks: 11 passed, 4 warnings");
    put(w, checks, BLOCK_PARAGRAPH,
        "Passed: direct I/O confirmed by device sectors · no holes · alignment · span covered.");

    s = put_titled(w, NULL, BLOCK_SECTION, "reproduce", "Reproduce");
    put(w, s, BLOCK_PARAGRAPH,
        "One command measures the same matrix again, another draws this page from stored results "
        "without touching a drive.");
    put(w, s, BLOCK_CODE, NULL)->code =
        "qdepth run oltp --target \"Pliant LS 300=/dev/sdb\" \\\n"
        "           --target \"Patriot Torqx 128 GB=/dev/sdc\" --seed 20260314 --repeat 5\n"
        "qdepth report oltp-2026-03-14 --out out/oltp-2026-03-14";

    s = put_titled(w, NULL, BLOCK_SECTION, "results", "All results");
    put_table(w, s, made_results(w->a));
}

struct document *made_document(struct arena *a)
{
    struct writer w = { .a = a, .d = arena_one(a, struct document) };
    write_title(&w);
    write_keys(&w);
    w.d->scorecard = made_scorecard(a);
    w.d->headline = made_headline(a);
    write_tested(&w);
    write_workload(&w, 0);
    write_workload(&w, 1);
    write_rest(&w);
    struct error e = { 0 };
    if (doc_number(w.d, &e)) {
        fprintf(stderr, "made_document: %s\n", e.what);
        abort();
    }
    return w.d;
}
