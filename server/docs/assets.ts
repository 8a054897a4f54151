import { readFileSync } from "node:fs";
import { join } from "node:path";
import { log } from "#server/base/log.ts";
import { sourceFolder } from "#server/base/source-folder.ts";

/** Shows the chosen language of samples in several languages, else the first. */
const CHOSEN_SAMPLE = ["sh", "ts", "py"]
  .map((language) => {
    const others = `.samples:has(> [data-language="${language}"]) > :not([data-language="${language}"])`;
    const later = `.samples:not(:has(> [data-language="${language}"])) > :not(:first-child)`;
    return `[data-chosen="${language}"] ${others}, [data-chosen="${language}"] ${later} { display: none; }`;
  })
  .join("\n");

/** The one stylesheet of the reference. */
export const STYLESHEET = `@font-face { font-family: Geist; font-weight: 100 900; font-display: swap; src: url("/docs/geist.woff2") format("woff2"); }
@font-face { font-family: "Geist Mono"; font-weight: 100 900; font-display: swap; src: url("/docs/geist-mono.woff2") format("woff2"); }
:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(1 0 0), oklch(0.178 0.007 265));
  --sunken: light-dark(oklch(0.977 0.003 265), oklch(0.218 0.009 265));
  --line: light-dark(oklch(0.912 0.006 265), oklch(0.292 0.011 265));
  --ink: light-dark(oklch(0.225 0.014 265), oklch(0.945 0.005 265));
  --muted: light-dark(oklch(0.465 0.018 265), oklch(0.745 0.013 265));
  --accent: light-dark(oklch(0.475 0.185 276), oklch(0.782 0.108 281));
  --accent-soft: light-dark(oklch(0.952 0.022 276), oklch(0.27 0.058 278));
  --ok: light-dark(oklch(0.46 0.11 155), oklch(0.8 0.13 155));
  --warn: light-dark(oklch(0.5 0.11 65), oklch(0.82 0.12 75));
  --bad: light-dark(oklch(0.5 0.18 27), oklch(0.78 0.12 25));
  --sans: Geist, ui-sans-serif, system-ui, sans-serif;
  --mono: "Geist Mono", ui-monospace, monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 72px; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 15px/1.6 var(--sans); -webkit-font-smoothing: antialiased; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
a:focus-visible, button:focus-visible, pre:focus-visible, .table:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: center; padding: 14px 24px; background: var(--canvas); border-bottom: 1px solid var(--line); }
header a { color: var(--muted); text-decoration: none; }
header a:hover { color: var(--ink); }
header .home { color: var(--ink); font-weight: 600; }
header nav { display: flex; flex-wrap: wrap; gap: 4px 20px; }
.frame { display: grid; grid-template-columns: 260px minmax(0, 1fr); max-width: 1160px; margin: 0 auto; }
.narrow { display: none; }
.side { grid-column: 1; grid-row: 1; padding: 24px; border-right: 1px solid var(--line); font-size: 13px; }
.side h2 { margin: 20px 0 4px; font-size: 12px; font-weight: 600; color: var(--muted); }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { display: flex; justify-content: space-between; align-items: baseline; gap: 8px; padding: 3px 8px; margin-left: -8px; border-radius: 6px; color: var(--ink); text-decoration: none; }
.side li a:hover { background: var(--sunken); }
.side li a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 500; }
.side input { width: 100%; padding: 6px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--canvas); color: inherit; font: inherit; }
main { grid-column: 2; grid-row: 1; padding: 32px 40px 64px; min-width: 0; max-width: 860px; }
h1 { margin: 0 0 8px; font-size: 28px; line-height: 1.25; letter-spacing: -0.01em; }
main h2 { margin: 40px 0 8px; font-size: 18px; line-height: 1.4; }
main h3 { margin: 28px 0 4px; font-size: 15px; }
main h2 a, main h3 a { color: inherit; text-decoration: none; }
main h2 a:hover::after, main h3 a:hover::after { content: " #"; color: var(--muted); }
.note { margin: 0 0 8px; color: var(--muted); }
.method { font: 600 0.75em/1 var(--mono); color: var(--ok); }
.method.post { color: var(--accent); }
.method.patch, .method.put { color: var(--warn); }
.method.delete { color: var(--bad); }
.side .method { font-weight: 500; }
.note code { background: none; padding: 0; border: 0; }
.lead { margin: 0 0 16px; color: var(--muted); font-size: 16px; }
code { font: 0.88em/1.5 var(--mono); background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
.code { margin: 12px 0; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; }
.code figcaption { display: flex; align-items: center; gap: 4px; height: 34px; padding: 0 6px 0 16px; border-bottom: 1px solid var(--line); font-size: 12px; color: var(--muted); }
.code button { padding: 2px 8px; border: 0; border-radius: 6px; background: none; color: var(--muted); font: inherit; cursor: pointer; }
.code button:hover { color: var(--ink); }
.code button[aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); font-weight: 500; }
.code .copy { margin-left: auto; }
.languages { display: flex; gap: 2px; margin-left: -10px; }
${CHOSEN_SAMPLE}
pre { margin: 0; padding: 12px 16px; overflow: auto; }
pre code { background: none; border: 0; padding: 0; overflow-wrap: normal; font-size: 13px; }
.table { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; font-weight: 500; color: var(--muted); }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child, td:first-child code { white-space: nowrap; overflow-wrap: normal; }
footer { margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 13px; }
@media (min-width: 1280px) {
  .frame:has(.beside) { grid-template-columns: 256px minmax(0, 1fr); max-width: 1520px; }
  main:has(.beside) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(380px, 40%); grid-template-rows: auto 1fr auto; column-gap: 40px; max-width: none; padding: 32px; }
  main:has(.beside) > * { grid-column: 1; min-width: 0; }
  main > .beside { position: sticky; top: 80px; grid-column: 2; grid-row: 1 / span 2; align-self: start; }
  .beside h2 { margin-top: 0; }
  .beside pre { max-height: calc(100vh - 200px); }
}
@media (max-width: 820px) {
  .frame { grid-template-columns: minmax(0, 1fr); }
  .narrow { display: inline; }
  .side { grid-row: 2; border-right: 0; border-top: 1px solid var(--line); }
  main { grid-column: 1; padding: 24px 24px 48px; }
  table { min-width: 640px; }
}
@media print { header, .side, footer { display: none; } .frame { display: block; } }
`;

/** Copies code, and shows samples in the language that was last chosen; runs before the page is drawn. */
export const SAMPLES_SCRIPT = `const root = document.documentElement;
root.dataset.chosen = "sh";
try {
  root.dataset.chosen = localStorage.getItem("language") || "sh";
} catch {
  // A browser that keeps nothing shows the first language.
}
function show() {
  for (const group of document.querySelectorAll(".samples")) {
    const languages = [...group.children].map((figure) => figure.dataset.language);
    const shown = languages.includes(root.dataset.chosen) ? root.dataset.chosen : languages[0];
    for (const button of group.querySelectorAll(".languages button"))
      button.setAttribute("aria-pressed", String(button.dataset.to === shown));
  }
}
function choose(language, group) {
  const top = group.getBoundingClientRect().top;
  root.dataset.chosen = language;
  try {
    localStorage.setItem("language", language);
  } catch {
    // A browser that stores nothing forgets the choice with the page.
  }
  show();
  group.querySelector('[data-language="' + language + '"] [data-to="' + language + '"]').focus();
  // The content above may have another height now.
  scrollBy({ top: group.getBoundingClientRect().top - top, behavior: "instant" });
}
async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
const makeButton = (text, onClick) => {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  button.addEventListener("click", () => onClick(button));
  return button;
};
document.addEventListener("DOMContentLoaded", () => {
  for (const group of document.querySelectorAll(".samples")) {
    const labels = [...group.children].map((figure) => [figure.dataset.language, figure.firstChild.textContent]);
    for (const { firstChild: caption } of group.children) {
      const languages = Object.assign(document.createElement("span"), { className: "languages", role: "group" });
      languages.setAttribute("aria-label", "Language of the samples");
      for (const [language, label] of labels) {
        const button = makeButton(label, () => choose(language, group));
        button.dataset.to = language;
        languages.append(button);
      }
      caption.replaceChildren(languages);
    }
  }
  for (const figure of document.querySelectorAll(".code")) {
    const button = makeButton("Copy", (pressed) => copy(pressed, figure.querySelector("code")));
    button.className = "copy";
    figure.firstChild.append(button);
  }
  show();
});
`;

/** Filters the operations in the sidebar; `/` focuses the filter. The pages work without it. */
export const SEARCH_SCRIPT = `const nav = document.querySelector("#all-operations");
const field = document.createElement("input");
Object.assign(field, { type: "search", placeholder: "Find a guide or an operation", autocomplete: "off" });
field.setAttribute("aria-label", "Find a guide or an operation");
nav.prepend(field);
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(" ").filter(Boolean);
  for (const section of nav.querySelectorAll("section")) {
    const title = section.querySelector("h2").textContent;
    const items = [...section.querySelectorAll("li")];
    for (const item of items) {
      const text = (title + " " + item.textContent + " " + item.firstChild.pathname).toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    section.hidden = items.every((item) => item.hidden);
  }
});
field.addEventListener("keydown", (event) => {
  const first = nav.querySelector("section:not([hidden]) li:not([hidden]) a");
  if (event.key === "Enter" && first) first.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, textarea")) return;
  event.preventDefault();
  field.focus();
});
`;

/** The console's font files, by the paths under which the reference requests them. */
const FONT_FILES = {
  "/docs/geist.woff2": "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  "/docs/geist-mono.woff2": "@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
};

/** Reads the fonts of the reference; if they are not installed, browsers use system fonts. */
export function readFonts(): [path: string, bytes: Buffer][] {
  try {
    return Object.entries(FONT_FILES).map(([path, file]) => [
      path,
      readFileSync(join(sourceFolder(), "node_modules", file)),
    ]);
  } catch (error) {
    log.warn("The reference is shown in the system's fonts: its own are not installed.", { error });
    return [];
  }
}
