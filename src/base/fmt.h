#pragma once
#include <stddef.h>
#include <stdint.h>

/* The one place that turns numbers into text (reference/statistics.md §13, mock/tokens.md §5). Every function writes
 * NUL-terminated UTF-8 into a struct text by value, so calls nest in printf arguments: fmt_iops(x).s
 * Rounding: correctly rounded decimal of the double, ties to even, as printf does in the C locale; once; -0 is 0.
 * NaN (absent) prints as U+2013 (en dash). Minus is U+2212, the unit's space is U+00A0, thousands are ",". */
struct text {
    char s[64];
};

/* Fixed decimals 0..9, thousands separated. */
struct text fmt_fixed(double v, int decimals);
/* Significant digits (>= 1), thousands separated, never an exponent: 26417,3 -> 26,400; 0.4362 -> 0.436. */
struct text fmt_sig(double v, int digits);
/* Whole count with thousands. */
struct text fmt_count(uint64_t v);
/* Chart label, prose: 3 significant digits. */
struct text fmt_label(double v);
/* Table cell: 4 significant digits, at most 3 decimals. */
struct text fmt_table(double v);
/* Table cell for IOPS: whole from 1,000, one decimal below. */
struct text fmt_table_iops(double v);
/* Rounded to 3 digits, then SI prefix n..G before the unit: 26417 "" -> "26.4 k"; 0.00008192 "s" -> "81.9 µs". */
struct text fmt_si(double v, const char *unit);
/* Nanoseconds as "81.9 µs", "1.45 ms", "2.00 s". */
struct text fmt_duration_ns(double ns);
/* Whole-word time span for people: "2 s", "500 ms", "1 min 30 s", "25 h". */
struct text fmt_span_ns(uint64_t ns);
/* Bytes in IEC: "8 KiB", "1 GiB", "1.5 MiB" (exact when a multiple; else 3 significant digits). */
struct text fmt_bytes(uint64_t bytes);
/* Ratio "1.18×", "12.3×", "123×", decided after rounding. */
struct text fmt_ratio(double r);
/* Ratio with 95 % interval, ends rounded outward (§13): "1.18× [1.16, 1.19]"; hi = INFINITY: "[0.52, …)". */
struct text fmt_ratio_interval(double r, double lo, double hi);
/* Advantage r, better is > 1: signed percent between 0.5 and 2 ("+18 %", "−1.9 %"), factor with 3 significant digits
 * outside ("8.58×"). */
struct text fmt_advantage(double r);
/* The same with its interval in brackets, ends rounded outward, same form: "+18 % [+16, +19]", "8.58× [8.45, 8.72]". */
struct text fmt_advantage_interval(double r, double lo, double hi);
/* Only the bracket of the above: "[+16, +19]" (scorecard's interval column). */
struct text fmt_advantage_bracket(double r, double lo, double hi);
/* Percent of basis points: 9000 -> "90 %", 3333 -> "33.33 %". */
struct text fmt_bp(uint32_t bp);
/* Share of n points with as many decimals as 1/n allows, "> 99.99 %" where rounding would claim all (§3). */
struct text fmt_share(uint64_t count, uint64_t n);
/* Shortest decimal that reads back the same double: CSV, JSON. NaN gives "". */
struct text fmt_exact(double v);
/* Plural helper: (1, "cell") -> "1 cell", (2, "cell") -> "2 cells". */
struct text fmt_plural(uint64_t n, const char *noun);
