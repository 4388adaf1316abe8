#include "cli/verb.h"

#include <string.h>

#include "base/array.h"

static const struct opt_row opt_rows[] = {
    [OPT_HELP] = { "help", NULL, "what the verb does and its options" },
    [OPT_STORE] = { "store", "FILE", "the store (default QDEPTH_STORE, else runs/qdepth.db)" },
    [OPT_JSON] = { "json", NULL, "print JSON" },
    [OPT_OUT] = { "out", "DIR|FILE", "folder of the report (default out/RUN); export: the file" },
    [OPT_NAME] = { "name", "RUN", "name of the run (default MATRIX-DATE, or the imported file's)" },
    [OPT_TARGET] = { "target", "[NAME=]PATH[,direct=no]",
                     "what to test: device, file, directory, mem:, mem:SIZE, loop:FILE; may be "
                     "repeated" },
    [OPT_QUEUE_DEPTH] = { "queue-depth", "LIST", "queue depths, in place of the matrix's" },
    [OPT_DURATION] = { "duration", "TIME", "measured time of each cell" },
    [OPT_RAMP] = { "ramp", "TIME", "time before measuring starts, stored but not counted" },
    [OPT_INTERVAL] = { "interval", "TIME", "length of one record (default 1s)" },
    [OPT_SIZE] = { "size", "BYTES", "span that is tested, the same on every target" },
    [OPT_WORKERS] = { "workers", "N", "worker threads of each cell" },
    [OPT_REPEAT] = { "repeat", "N", "measure each cell N times" },
    [OPT_SEED] = { "seed", "N", "seed of offsets and order" },
    [OPT_ENGINE] = { "engine", "auto|io_uring|sync", "how I/O is issued (default auto)" },
    [OPT_DESTROY] = { "destroy", "SERIAL-OR-PATH",
                      "allow writing to this device (its serial) or existing file (its path); may "
                      "be repeated" },
    [OPT_DEVICES] = { "devices", "FILE.xml",
                      "device sheet: display names, price, rated figures, what was left out" },
    [OPT_TRACE] = { "trace", "FILE",
                    "replay a recording (fio iolog, blkparse, MSR Cambridge CSV) at its own times, "
                    "in place of a matrix" },
    [OPT_DURABLE] = { "durable", NULL, "flush the store each second" },
    [OPT_DRY_RUN] = { "dry-run", NULL, "print the plan and touch nothing" },
    [OPT_NO_REPORT] = { "no-report", NULL, "measure and store only" },
    [OPT_JSON_PROGRESS] = { "json-progress", NULL, "progress as one JSON object a line on stderr" },
    [OPT_TEMPLATE] = { "template", "NAME|FILE", "report template (default: the matrix's)" },
    [OPT_FORMAT] = { "format", "LIST|NAME",
                     "report: what to write, of html,pdf,png,svg,csv,json (default all); import: "
                     "the files' format (default auto); export: one format (default json)" },
    [OPT_THEME] = { "theme", "auto|light|dark",
                    "colours of the page (default auto: the reader's)" },
    [OPT_SCALE] = { "scale", "1|2", "pixels per px of PNG files (default 2)" },
    [OPT_WORKLOAD] = { "workload", "LIST", "only these workloads" },
    [OPT_TITLE] = { "title", "TEXT", "title of the report" },
    [OPT_HIGHLIGHT] = { "highlight", "TARGET",
                        "the device under test (default: the first target)" },
    [OPT_SHOW_SERIALS] = { "show-serials", NULL, "print serial numbers and the host name in full" },
    [OPT_LAST] = { "last", "TIME", "numbers of only the last TIME of each cell" },
    [OPT_SINCE] = { "since", "TIME", "numbers of only what was later than TIME in each cell" },
    [OPT_UNTIL] = { "until", "TIME", "numbers of only what was earlier than TIME in each cell" },
    [OPT_AS] = { "as", "TARGET", "name of the target, in place of the files' own" },
    [OPT_STRICT] = { "strict", NULL, "import nothing if there is any warning" },
    [OPT_FAIL_ON] = { "fail-on", "slower:PERCENT",
                      "exit 5 if a value is really worse by more than that" },
    [OPT_BIG] = { "big", NULL, "read JSON files of over 256 MB too" },
    [OPT_NOTE] = { "note", "TEXT", "a note kept with the run; an empty one removes it", true },
    [OPT_TARGET_NAME] = { "target-name", "OLD=NEW", "another name for a target; may be repeated" },
};
_Static_assert(countof(opt_rows) == OPT_COUNT, "every option has a row");

static const struct verb verbs[] = {
    { "run",
      "[MATRIX]",
      "measure a test matrix and write its report",
      "MATRIX is a file (.xml, an Iometer .icf or a fio job file) or the name of a shipped matrix "
      "(see `qdepth matrices`); without one, quick. "
      "Targets are tested one by one, each cell is stored as it is measured, and the report is "
      "written from the store. "
      "Block devices are only written with --destroy and their serial number; existing files with "
      "--destroy and their path. "
      "Ctrl-C ends the running cell, keeps what was measured and writes the report; a second "
      "Ctrl-C quits at once.",
      verb_run,
      0,
      1,
      { OPT_TARGET,  OPT_OUT,      OPT_NAME,      OPT_QUEUE_DEPTH,   OPT_DURATION,
        OPT_RAMP,    OPT_INTERVAL, OPT_SIZE,      OPT_WORKERS,       OPT_REPEAT,
        OPT_SEED,    OPT_ENGINE,   OPT_DESTROY,   OPT_DEVICES,       OPT_TRACE,
        OPT_DURABLE, OPT_DRY_RUN,  OPT_NO_REPORT, OPT_JSON_PROGRESS, OPT_COUNT } },
    { "report",
      "[RUN…]",
      "draw stored runs again",
      "RUN is a run's name, its number or latest (the default). Opens no target. Several runs are "
      "compared on one page. With --last, --since or --until all numbers are made again from the "
      "records of that part of each cell's measured time; figures over time still show all of it.",
      verb_report,
      0,
      64,
      { OPT_OUT, OPT_TEMPLATE, OPT_FORMAT, OPT_THEME, OPT_SCALE, OPT_TARGET, OPT_WORKLOAD,
        OPT_QUEUE_DEPTH, OPT_LAST, OPT_SINCE, OPT_UNTIL, OPT_TITLE, OPT_HIGHLIGHT, OPT_SHOW_SERIALS,
        OPT_COUNT } },
    { "compare",
      "BASE RUN",
      "say what changed between two runs, by how much, and whether it is real",
      "For each point both runs have: the rate and the mean response time, the difference with its "
      "95 % interval, and a verdict. Targets belong together by name, or if each run has only one. "
      "With --fail-on slower:5% the exit code is 5 if any value is worse by more than 5 % beyond "
      "chance.",
      verb_compare,
      2,
      2,
      { OPT_JSON, OPT_FAIL_ON, OPT_COUNT } },
    { "import",
      "FILE…",
      "store results of other tools",
      "Formats are told apart by content (docs/importing.md lists them). All files become one run; "
      "logs of one job are joined. What can be read of a broken file is kept, with a warning that "
      "names the line. A file that is stored already is refused, unless --name gives another name.",
      verb_import,
      1,
      100000,
      { OPT_AS, OPT_FORMAT, OPT_NAME, OPT_STRICT, OPT_BIG, OPT_COUNT } },
    { "export",
      "RUN|MATRIX",
      "print a run or a matrix in another tool's format",
      "Formats: json (the default) and csv, the rows of the results view; iometer-csv, Iometer's "
      "results; md, a Markdown table; fio-job, a job for each point of a matrix (a run's own, a "
      "shipped one or a file). What a format cannot hold is left out and listed on stderr. "
      "qdepth import reads json, csv and iometer-csv again.",
      verb_export,
      1,
      1,
      { OPT_FORMAT, OPT_OUT, OPT_COUNT } },
    { "list",
      "",
      "list the stored runs",
      "Oldest first.",
      verb_list,
      0,
      0,
      { OPT_JSON, OPT_COUNT } },
    { "show",
      "RUN",
      "print one run's results",
      "RUN is a run's name, its number or latest. With --json, every row of the results view.",
      verb_show,
      1,
      1,
      { OPT_JSON, OPT_COUNT } },
    { "edit",
      "RUN",
      "rename a run or its targets, or note something",
      "The new name must be free, must not be all digits and must not be latest.",
      verb_edit,
      1,
      1,
      { OPT_NAME, OPT_TARGET_NAME, OPT_NOTE, OPT_COUNT } },
    { "delete",
      "RUN",
      "delete a run from the store",
      "Deletes the run with all its results; reports already written stay.",
      verb_delete,
      1,
      1,
      { OPT_COUNT } },
    { "merge",
      "OTHER.db",
      "copy the runs of another store into this one",
      "All or none. Runs that are here already, by their data, are left out, so that it may be "
      "repeated; a name "
      "that is taken gets -2. The other store is only read.",
      verb_merge,
      1,
      1,
      { OPT_COUNT } },
    { "vacuum",
      "",
      "give the room of deleted runs back",
      "Rewrites the store; needs as much free space as it is large.",
      verb_vacuum,
      0,
      0,
      { OPT_COUNT } },
    { "targets",
      "",
      "list devices that could be tested",
      "Model, serial, firmware, size, link and what uses them. Only reads.",
      verb_targets,
      0,
      0,
      { OPT_JSON, OPT_COUNT } },
    { "matrices",
      "[NAME]",
      "list the shipped matrices, or print one as XML",
      "Redirect the XML into a file to start a matrix of your own.",
      verb_matrices,
      0,
      1,
      { OPT_COUNT } },
    { "check",
      "FILE",
      "validate a matrix or device sheet and say what it would do",
      "FILE is a matrix, an Iometer configuration (.icf) or a fio job file; of the latter two it "
      "lists what is carried over and what is not. Errors are printed as FILE:LINE. Prints cells, "
      "time, and whether it writes.",
      verb_check,
      1,
      1,
      { OPT_COUNT } },
    { "doctor",
      "[DIR]",
      "check the machine, and qdepth against known answers",
      "Looks at what storage is measured with (io_uring, locked memory, clock, governor, load), "
      "lets the "
      "engine measure made-up devices whose numbers are known, and measures a scratch file in DIR "
      "(the "
      "current folder by default): response times beside a bare loop, Little's law, and IOPS "
      "beside "
      "fio if that is installed. Takes about 15 seconds and leaves nothing behind. Exit code 1: "
      "something is wrong.",
      verb_doctor,
      0,
      1,
      { OPT_JSON, OPT_COUNT } },
    { "clean",
      "",
      "undo what a killed run left behind",
      "Unmounts and removes the filesystems and arrays that runs made on devices, and scratch "
      "files with a "
      "name, from the journal in the store. Touches nothing that qdepth did not make, and nothing "
      "of a run "
      "that goes on. Harmless to repeat; the next run does it too. Exit code 1 if something is "
      "left.",
      verb_clean,
      0,
      0,
      { OPT_COUNT } },
    { "version",
      "",
      "print the version",
      "With --json also the engine's version and the libraries'.",
      verb_version,
      0,
      0,
      { OPT_JSON, OPT_COUNT } },
    { "completion",
      "",
      "print completion for bash",
      "Use: source <(qdepth completion)",
      verb_completion,
      0,
      0,
      { OPT_COUNT } },
    { "man",
      "",
      "print the manual page",
      "Use: qdepth man | man -l -",
      verb_man,
      0,
      0,
      { OPT_COUNT } },
};

const struct verb *verb_at(size_t i)
{
    return i < countof(verbs) ? &verbs[i] : NULL;
}

const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; i < countof(verbs); i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

const struct opt_row *opt_row(enum opt o)
{
    return &opt_rows[o];
}

bool verb_takes(const struct verb *v, enum opt o)
{
    if (o == OPT_HELP || o == OPT_STORE)
        return true;
    for (size_t i = 0; v->opts[i] != OPT_COUNT; i++)
        if (v->opts[i] == o)
            return true;
    return false;
}
