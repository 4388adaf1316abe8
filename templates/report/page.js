/* What the page can do beyond reading: exact values of marks, copies of tables, sorting, full screen. */
(() => {
  "use strict";
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text) element.textContent = text;
    return element;
  };
  const button = (text, label, action) => {
    const b = make("button", "", text);
    b.type = "button";
    b.setAttribute("aria-label", label);
    b.addEventListener("click", () => action(b));
    return b;
  };

  /* --- tooltips: the titles of marks, by pointer and by keyboard --- */
  const tip = make("div", "tip");
  const voice = make("div", "vh");
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  voice.setAttribute("role", "status");
  document.body.append(tip, voice);

  const words = new WeakMap();
  for (const title of document.querySelectorAll(".chart .hot > title")) {
    words.set(title.parentNode, title.textContent);
    title.remove();
  }

  let mark = null;
  let timer = 0;
  const place = () => {
    const at = mark.getBoundingClientRect();
    const bar = document.querySelector(".key").getBoundingClientRect();
    const ceiling = document.fullscreenElement ? 8 : Math.max(8, bar.bottom > 0 && bar.top <= 0 ? bar.bottom : 0);
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const above = at.top - tip.offsetHeight - 6;
    tip.style.left = Math.max(8, Math.min(room, at.left + at.width / 2 - tip.offsetWidth / 2)) + "px";
    tip.style.top = (above < ceiling ? at.bottom + 6 : above) + "px";
  };
  const hide = () => {
    clearTimeout(timer);
    if (mark) mark.classList.remove("on");
    mark = null;
    tip.hidden = true;
  };
  const show = (next, byKey) => {
    hide();
    mark = next;
    const [name, ...rest] = words.get(mark).split("\n");
    tip.replaceChildren(make("b", "", name), rest.join("\n"));
    (document.fullscreenElement || document.body).append(tip);
    tip.hidden = false;
    if (byKey) {
      mark.classList.add("on");
      mark.scrollIntoView({ block: "nearest", behavior: "instant" });
      voice.textContent = [name, ...rest].join(", ");
    }
    place();
  };
  document.addEventListener("pointerover", (event) => {
    const over = event.target instanceof Element ? event.target.closest(".hot") : null;
    if (over && words.has(over)) {
      if (over !== mark) show(over, false);
      else clearTimeout(timer);
    } else if (tip.contains(event.target)) {
      clearTimeout(timer);
    } else if (mark) {
      clearTimeout(timer);
      timer = setTimeout(hide, 160);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  addEventListener("scroll", () => mark && place(), { passive: true, capture: true });

  /* The arrow keys' next index among n marks; null for any other key. */
  const step = (key, i, n) => {
    switch (key) {
      case "ArrowRight":
      case "ArrowDown":
        return (i + 1) % n;
      case "ArrowLeft":
      case "ArrowUp":
        return i > 0 ? i - 1 : n - 1;
      case "Home":
        return 0;
      case "End":
        return n - 1;
      default:
        return null;
    }
  };
  for (const panels of document.querySelectorAll(".panels")) {
    const figure = panels.closest(".fig");
    let i = -1;
    panels.tabIndex = 0;
    panels.setAttribute("role", "group");
    panels.setAttribute("aria-label",
      `Figure ${figure.dataset.figure}: arrow keys step through the values, Escape closes`);
    panels.addEventListener("keydown", (event) => {
      const marks = [...panels.querySelectorAll(".hot")].filter((m) => words.has(m) && m.getClientRects().length);
      const next = marks.length && !event.altKey && !event.ctrlKey && !event.metaKey
        ? step(event.key, Math.min(i, marks.length - 1), marks.length) : null;
      if (next === null) return;
      event.preventDefault();
      i = next;
      show(marks[i], true);
    });
    panels.addEventListener("focusout", hide);
  }

  /* --- tables as text --- */
  /* Heads by column: of heads above each other the lowest. */
  const headsOf = (table) => {
    const heads = [];
    const taken = [];
    [...(table.tHead ? table.tHead.rows : [])].forEach((row, y) => {
      let x = 0;
      for (const cell of row.cells) {
        while (taken[x] > y) x++;
        for (let k = 0; k < cell.colSpan; k++, x++) {
          heads[x] = cell;
          taken[x] = y + cell.rowSpan;
        }
      }
    });
    return heads;
  };
  const textOf = (cell) => {
    const copy = cell.cloneNode(true);
    for (const pad of copy.querySelectorAll(".pad, svg")) pad.remove();
    return copy.textContent.trim().replace(/\s+/g, " ");
  };
  const cellAt = (row, column) => {
    let x = 0;
    for (const cell of row.cells) {
      if (column < x + cell.colSpan) return cell;
      x += cell.colSpan;
    }
    return null;
  };
  /* Group rows become a first column. */
  const rowsOf = (table) => {
    const heads = headsOf(table).map(textOf);
    const grouped = table.querySelector(".grp") !== null;
    const rows = [grouped ? ["Group", ...heads] : heads];
    let group = "";
    for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
      if (row.classList.contains("grp")) {
        group = textOf(row.cells[0]);
        continue;
      }
      const texts = [...row.cells].flatMap((c) => [textOf(c), ...Array(c.colSpan - 1).fill("")]);
      rows.push(grouped ? [group, ...texts] : texts);
    }
    return rows;
  };
  const plainNumber = (text) => {
    const digits = text.replace(/,(?=\d{3})/g, "").replace(/^\u2212/, "-");
    return /^-?\d+(\.\d+)?$/.test(digits) ? digits : null;
  };
  const csv = (table) => rowsOf(table).map((row) => row.map((text) => {
    const value = text === "\u2013" ? "" : plainNumber(text) ?? text;
    return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  }).join(",")).join("\r\n") + "\r\n";
  const markdown = (table) => {
    const rows = rowsOf(table).map((row) => `| ${row.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`);
    rows.splice(1, 0, `|${headsOf(table).map((h) => (h.classList.contains("n") ? "--:" : ":--")).join("|")}|`);
    return rows.join("\n") + "\n";
  };
  const download = (name, text) => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const copyByHand = (text) => {
    const field = make("textarea", "vh");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  const copy = async (b, text) => {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false) || copyByHand(text);
    const said = b.textContent;
    b.textContent = voice.textContent = done ? "Copied" : "Not allowed to copy";
    b.disabled = true;
    setTimeout(() => {
      b.textContent = said;
      b.disabled = false;
    }, 1500);
  };
  for (const region of document.querySelectorAll(".scroll.data, .scroll.full")) {
    const table = region.querySelector("table");
    const name = region.getAttribute("aria-label");
    const tools = make("div", "table-tools");
    tools.append(
      button("Copy as CSV", `Copy as CSV: ${name}`, (b) => copy(b, csv(table))),
      button("Copy as Markdown", `Copy as Markdown: ${name}`, (b) => copy(b, markdown(table))));
    region.after(tools);
  }

  /* --- sorting, within the groups of a table --- */
  const rank = (row, column) => {
    const cell = cellAt(row, column);
    const text = cell && !cell.classList.contains("gap") ? textOf(cell) : "";
    const number = text.replaceAll(",", "").replace(/^\u2212/, "-").match(/^-?\d+(\.\d+)?/);
    return { missing: text === "" || text === "\u2013", text, number: number ? Number(number[0]) : NaN };
  };
  const compare = (a, b, sign) => {
    if (a.missing || b.missing) return a.missing - b.missing;
    const numbers = !Number.isNaN(a.number) && !Number.isNaN(b.number);
    return sign * (numbers ? a.number - b.number : a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  };
  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("grp"));
      const keys = new Map(rows.map((row) => [row, rank(row, column)]));
      body.append(...rows.sort((a, b) => compare(keys.get(a), keys.get(b), down ? -1 : 1)));
    }
  };
  for (const table of document.querySelectorAll(".data table, .full table")) {
    headsOf(table).forEach((head, column) => {
      if (head.scope !== "col" || head.classList.contains("ci") || head.querySelector("button")) return;
      const b = make("button");
      b.type = "button";
      b.append(...head.childNodes);
      b.addEventListener("click", () => sort(table, head, column));
      head.append(b);
    });
  }

  /* Some browsers forget that a table laid out as blocks is one. */
  const roles = { table: "table", tbody: "rowgroup", tr: "row", "th[scope=row], th[scope=rowgroup]": "rowheader", td: "cell" };
  for (const [selector, role] of Object.entries(roles)) {
    for (const part of document.querySelectorAll(`.score :is(${selector})`)) part.setAttribute("role", role);
  }

  /* --- each figure's own tools --- */
  for (const figure of document.querySelectorAll(".fig")) {
    const links = figure.querySelector(".links");
    const table = figure.querySelector(".data table");
    const name = `figure ${figure.dataset.figure}`;
    if (table) {
      links.prepend(button("CSV", `Data of ${name} as CSV`,
        () => download(`${figure.dataset.slug || "figure"}.csv`, csv(table))));
    }
    if (document.fullscreenEnabled) {
      links.append(button("Full screen", `Full screen: ${name}`,
        () => (document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen())));
    }
  }
  document.addEventListener("fullscreenchange", hide);

  /* Paper shows what is folded on the screen. */
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not(.how):not([open])")];
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
})();
