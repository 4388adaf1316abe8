#pragma once
#include "report/doc.h"

/* A whole document with invented numbers in the shape of a real comparison (three targets, two workloads, five queue depths, one
 * cell missing), numbered and ready to render. It says in its notice that nothing was measured. */
struct document *made_document(struct arena *a);
