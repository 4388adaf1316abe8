// usage: node check_page.mjs MADE.html REPORT.html...
// The first page must be the made document (tests/support/document), whose contents some checks know.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import axe from "axe-core";

const widths = [320, 400, 640, 768, 1000, 1100, 1280, 1600, 2200, 2300, 3840];
const [made, ...reports] = process.argv.slice(2).map((file) => path.resolve(file));
let passed = 0;
let failed = 0;

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

// Opens a page that notes everything it says and asks for.
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60000);
  const page = await context.newPage();
  page.said = [];
  const note = (text) => page.said.push(text);
  page.on("console", (message) => note(`console: ${message.text()}`));
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (url !== pathToFileURL(file).href && !url.startsWith("data:") && !url.startsWith("blob:")) note(`request: ${url}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(() => document.fonts.ready);
  return page;
}

async function check(name, file, options, body) {
  let page;
  try {
    page = await open(file, options);
    await body(page);
    assert.deepEqual(page.said, [], "the page said or asked for something");
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED: ${path.basename(file)}: ${name}\n  ${String(error.message).split("\n").join("\n  ")}`);
  } finally {
    await page?.context().close();
  }
}

const css = (page, selector, property) =>
  page.$eval(selector, (element, name) => getComputedStyle(element)[name], property);
const tip = (page) => page.locator(".tip");
const violations = async (page) => {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
};

// --- any report ---

for (const file of [made, ...reports]) {
  await check("markup", file, {}, async () => {
    const markup = await readFile(file, "utf8");
    assert.match(markup, /^<!DOCTYPE html>\n<html lang="en">/);
    const elements = markup.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
    assert.doesNotMatch(elements, /<[^>]*\sstyle=/, "style attribute");
    assert.doesNotMatch(elements, /<[^>]*\son[a-z]+=/, "event attribute");
    const policy = markup.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
    assert.match(policy, /^default-src 'none'; img-src data:; font-src data:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  });

  for (const colorScheme of ["light", "dark"]) {
    await check(`axe, ${colorScheme}`, file, { colorScheme, bypassCSP: true }, async (page) => {
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
      assert.deepEqual(await violations(page), []);
    });
  }
  await check("axe, 320 px", file, { viewport: { width: 320, height: 700 }, bypassCSP: true }, async (page) => {
    assert.deepEqual(await violations(page), []);
  });

  await check("no sideways scroll", file, {}, async (page) => {
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const [page_, view] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(page_ <= view, `at ${width} px the page is ${page_} wide in ${view}`);
    }
  });

  await check("headings, ids and links", file, {}, async (page) => {
    const found = await page.evaluate(() => {
      const wrong = [];
      let level = 0;
      for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
        const next = Number(h.localName[1]);
        if (next > level + 1) wrong.push(`${h.localName} '${h.textContent}' after h${level}`);
        level = next;
      }
      const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
      for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`id ${id} twice`);
      for (const a of document.querySelectorAll("a[href^='#']")) {
        if (!document.getElementById(a.hash.slice(1))) wrong.push(`dangling ${a.hash}`);
      }
      return wrong;
    });
    assert.deepEqual(found, []);
  });

  await check("every stop can be seen", file, {}, async (page) => {
    const hidden = await page.$$eval("a[href], button, input, summary, [tabindex]", (stops) => stops
      .filter((stop) => stop.getClientRects().length && !stop.closest(".skip, .tip"))
      .filter((stop) => stop.getBoundingClientRect().width < 10 || stop.getBoundingClientRect().height < 10 || stop.closest(".vh"))
      .map((stop) => stop.outerHTML.slice(0, 120)));
    assert.deepEqual(hidden, []);
  });

  await check("skip link is the first stop", file, {}, async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => location.hash), "#qd-main");
  });

  await check("tooltips by pointer", file, {}, async (page) => {
    const hot = page.locator(".chart .hot [pointer-events]").first();
    await hot.scrollIntoViewIfNeeded();
    await hot.hover();
    await tip(page).waitFor({ state: "visible" });
    assert.match(await tip(page).textContent(), /\S/);
    const box = await tip(page).boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 900, "the tooltip is off the screen");
    await tip(page).hover();
    await page.waitForTimeout(300);
    assert.ok(await tip(page).isVisible(), "the tooltip went while the pointer was on it");
    await page.keyboard.press("Escape");
    assert.ok(await tip(page).isHidden(), "Escape did not close it");
    await page.mouse.move(4, 4);
    await hot.hover();
    await page.mouse.move(4, 4);
    await tip(page).waitFor({ state: "hidden", timeout: 2000 });
  });

  await check("tooltips by keyboard", file, {}, async (page) => {
    const group = page.locator(".panels").first();
    assert.equal(await group.getAttribute("tabindex"), "0");
    await group.focus();
    const words = [];
    const marks = await page.$$eval(".panels", (all) => all[0].querySelectorAll(".hot").length);
    for (let i = 0; i < marks; i++) {
      await page.keyboard.press("ArrowRight");
      words.push(await tip(page).textContent());
      assert.ok(await tip(page).isVisible());
    }
    assert.equal(await page.locator("[role=status]").textContent(), (await tip(page).innerText()).replaceAll("\n", ", "));
    await page.keyboard.press("Home");
    assert.equal(await tip(page).textContent(), words[0]);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await tip(page).textContent(), words.at(-1), "steps around");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    assert.equal(await tip(page).textContent(), words.at(-1));
    await page.keyboard.press("Escape");
    assert.ok(await tip(page).isHidden());
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    assert.ok(await tip(page).isHidden(), "it stays when the focus leaves");
  });

  await check("reads without script", file, { javaScriptEnabled: false }, async (page) => {
    await page.locator("h1").waitFor({ state: "visible" });
    await page.locator(".panel .chart").first().waitFor({ state: "visible" });
    await page.locator(".tools summary").first().click();
    await page.locator(".tools table").first().waitFor({ state: "visible" });
    assert.equal(await css(page, ".chart .s1", "opacity"), "1");
    await page.locator("#qd-show-1").uncheck();
    assert.equal(await css(page, ".chart .s1", "opacity"), "0.1");
    await page.locator("#qd-theme-dark").check();
    assert.equal(await css(page, "html", "backgroundColor"), "rgb(20, 23, 26)");
    assert.equal(await page.locator("button").count(), 0, "a button that would do nothing");
  });
}

// --- the made document ---

await check("targets are dimmed", made, {}, async (page) => {
  const opacity = (slot) => css(page, `.chart .s${slot}:not(.s${slot} .s${slot})`, "opacity");
  await page.locator("#qd-show-2").uncheck();
  assert.deepEqual([await opacity(1), await opacity(2), await opacity(3)], ["1", "0.1", "1"]);
  await page.locator("#qd-show-2").check();
  assert.equal(await opacity(2), "1");
});

await check("theme", made, { colorScheme: "light" }, async (page) => {
  const background = () => css(page, "html", "backgroundColor");
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.locator("#qd-theme-dark").check();
  assert.equal(await background(), "rgb(20, 23, 26)");
  await page.emulateMedia({ media: "print" });
  assert.equal(await background(), "rgb(255, 255, 255)", "paper is light");
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.locator("#qd-theme-light").check();
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.locator("#qd-theme-auto").check();
  assert.equal(await background(), "rgb(20, 23, 26)");
});

await check("font", made, {}, async (page) => {
  const loaded = await page.evaluate(() => [...document.fonts].map((f) => `${f.family.replaceAll('"', "")} ${f.weight} ${f.status}`).sort());
  assert.deepEqual(loaded, ["QD Sans 400 loaded", "QD Sans 500 loaded"]);
});

await check("logarithmic and linear", made, {}, async (page) => {
  const figure = page.locator("#heavy-read-overview");
  assert.ok(await figure.locator(".log").isVisible());
  assert.ok(await figure.locator(".lin").isHidden());
  await figure.getByLabel("linear").check();
  assert.ok(await figure.locator(".log").isHidden());
  assert.ok(await figure.locator(".lin").isVisible());
  assert.ok(await page.locator("#moderate-read-overview .log").isVisible(), "each figure has its own");
  await figure.locator(".panels").focus();
  await page.keyboard.press("Home");
  const mark = await figure.locator(".hot.on").evaluate((m) => m.closest(".panel").className);
  assert.equal(mark, "panel lin", "the keyboard reaches what is seen");
});

await check("missing cell", made, {}, async (page) => {
  const figure = page.locator("#moderate-read-qd128");
  assert.equal(await figure.locator(".chart").first().getByText("not measured: a member drive failed").count(), 1);
  await figure.locator("summary").first().click();
  const gap = figure.locator("td.gap");
  assert.equal(await gap.textContent(), "not measured: a member drive failed after 11 s");
  assert.equal(await gap.evaluate((cell) => cell.colSpan), 7, "spans values and intervals");
});

await check("decimals stand under each other", made, {}, async (page) => {
  await page.locator("#heavy-read-overview summary").first().click();
  const points = await page.$$eval("#heavy-read-overview tbody tr", (rows) => rows.map((row) => {
    const cell = row.cells[2];
    const text = cell.firstChild;
    const range = document.createRange();
    const dot = text.data.indexOf(".");
    range.setStart(text, dot);
    range.setEnd(text, dot + 1);
    return Math.round(range.getBoundingClientRect().left * 10) / 10;
  }));
  assert.equal(points.length, 5);
  assert.ok(Math.max(...points) - Math.min(...points) <= 0.5, `decimal points at ${points}`);
});

await check("scorecard by width", made, {}, async (page) => {
  const strip = page.locator(".score td.strip").first();
  const verdict = page.locator(".score td.vd").first();
  assert.ok(await strip.isVisible());
  await page.setViewportSize({ width: 900, height: 900 });
  assert.ok(await strip.isHidden());
  assert.equal(await css(page, ".score td.vd", "display"), "table-cell");
  await page.setViewportSize({ width: 400, height: 900 });
  assert.equal(await css(page, ".score td.vd", "display"), "flex");
  assert.ok(await verdict.isVisible());
  assert.equal(await page.locator(".score").getByRole("rowheader", { name: /^Most IOPS, any depth/ }).count(), 2);
});

await check("data as CSV", made, { acceptDownloads: true }, async (page) => {
  const figure = page.locator("#moderate-read-qd128");
  const [download] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "Data of figure 13 as CSV" }).click()]);
  assert.equal(download.suggestedFilename(), "moderate-read-qd128.csv");
  const text = await readFile(await download.path(), "utf8");
  const lines = text.split("\r\n");
  assert.equal(lines[0], 'Target,IOPS,IOPS interval,MB/s,MB/s interval,"Response time, ms","Response time, ms interval",n');
  assert.match(lines[1], /^Pliant LS 300,21940,"\[21,808, 22,072\]",431\.4,/);
  assert.equal(lines[3], '"RAID 10, 12 × 7200 rpm",not measured: a member drive failed after 11 s,,,,,,');
});

await check("data as Markdown, with heads of grouped columns", made, { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  const figure = page.locator("#heavy-read-overview");
  await figure.locator("summary").first().click();
  await figure.getByRole("button", { name: /^Copy as Markdown/ }).click();
  await figure.getByText("Copied").waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  assert.match(lines[0], /^\| Queue depth \| Pliant LS 300 IOPS \| Pliant LS 300 mean, ms \|/);
  assert.match(lines[1], /^\|--:\|--:/);
  assert.match(lines[2], /^\| 1 \| 2,290 \| 0\.436 \|/);
});

await check("sorting", made, {}, async (page) => {
  const head = page.locator("#results").getByRole("columnheader", { name: "MB/s" });
  const column = () => page.$$eval("#results tbody", (bodies) => bodies.map((body) => [...body.rows].slice(1).map((row) => (row.cells[4] ?? row.cells[3]).firstChild.data)));
  const groups = await page.$$eval("#results tbody tr:first-child", (rows) => rows.map((row) => row.className));
  assert.deepEqual(groups, ["grp", "grp"]);
  await head.getByRole("button").click();
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  const [heavy, moderate] = await column();
  const numbers = heavy.map(Number);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  assert.equal(moderate.length, 15);
  assert.equal(await page.locator("#results tbody:last-child tr:last-child td.gap").count(), 1, "missing values come last");
  await head.getByRole("button").click();
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  assert.equal(await page.locator("#results tbody:last-child tr:last-child td.gap").count(), 1, "also downwards");
  assert.equal(Number((await column())[0][0]), Math.max(...numbers));
});

await check("full screen", made, {}, async (page) => {
  const figure = page.locator("#heavy-read-qd4");
  await figure.getByRole("button", { name: "Full screen: figure 4" }).click();
  await page.waitForFunction(() => document.fullscreenElement?.id === "heavy-read-qd4");
  await figure.locator(".panels").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await figure.locator(".tip").isVisible(), "the tooltip follows into full screen");
});

await check("paper", made, {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  for (const selector of [".theme", ".links", ".skip", ".axis", ".key input"]) {
    assert.equal(await css(page, selector, "display"), "none", selector);
  }
  assert.equal(await css(page, ".key", "position"), "static");
  const height = await page.$eval(".tools details:not(.how) table", (table) => table.getBoundingClientRect().height);
  assert.ok(height > 40, "folded data is printed");
});

await check("forced colours and reduced motion", made, { forcedColors: "active", reducedMotion: "reduce" }, async (page) => {
  assert.equal(await css(page, ".panel .chart", "forcedColorAdjust"), "none");
  assert.equal(await css(page, "html", "scrollBehavior"), "auto");
});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
