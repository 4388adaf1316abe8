#pragma once
#include "import/collect.h"

/* Iometer's results.csv of all generations (columns are found by their headings; runs appended to one file), and its instantaneous
 * file, whose rows begin with a time stamp: with the results in the same command they become the intervals of their cells. A cell per
 * test, target and access specification: the rows of its workers are added, ALL and MANAGER rows only repeat them. */
bool iometer_csv_sniff(const char *head, const char *name);
int iometer_csv_read(struct collect *c, struct error *e);
int iometer_csv_finish(struct collect *c, struct error *e);
