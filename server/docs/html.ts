import type { Block, Code, Language, Page } from "./page.ts";

/** A group of links in the sidebar. */
export interface Section {
  title: string;
  links: { path: string; text: string; method?: string }[];
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Renders `code` and [links](address) within a text. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

const LABELS: Record<Language, string> = {
  json: "JSON",
  sh: "Shell",
  ts: "TypeScript",
  py: "Python",
  text: "Text",
};

function codeToHtml({ language, text }: Code, label = LABELS[language]): string {
  return `<figure class="code" data-language="${language}"><figcaption>${label}</figcaption><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>`;
}

/** Returns a sample's label among those of other languages. */
export const sampleLabel = ({ language }: Code): string => (language === "sh" ? "curl" : LABELS[language]);

/** A block beside the others ends their column, which continues after it. */
function blockToHtml(block: Block): string {
  switch (block.type) {
    case "heading":
      return `<h${block.level} id="${block.id}"><a href="#${block.id}">${inline(block.text)}</a></h${block.level}>`;
    case "paragraph":
      return `<p>${inline(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
    case "code":
      return codeToHtml(block);
    case "samples":
      return `<div class="samples">${block.samples.map((sample) => codeToHtml(sample, sampleLabel(sample))).join("")}</div>`;
    case "beside":
      return `</div>\n<div class="beside">\n${block.blocks.map(blockToHtml).join("\n")}\n</div>\n<div>`;
    case "table": {
      const head = block.columns.map((column) => `<th scope="col">${inline(column)}</th>`).join("");
      const rows = block.rows.map(
        (cells) => `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`,
      );
      return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
    }
  }
}

/** Renders an HTTP method, coloured by its kind. */
const methodToHtml = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

/** `GET /v1/projects`, or `HTTP 404`. */
function noteToHtml(note: string): string {
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(note) ?? [];
  const [before, shown] = method && path ? [`${methodToHtml(method)} `, path] : ["", note];
  return `<p class="note">${before}<code>${escapeHtml(shown)}</code></p>`;
}

/** Returns the page as a complete document, with links to the other pages in the sidebar. */
export function toHtml(page: Page, sections: readonly Section[]): string {
  const { path, title, lead, note, blocks } = page;
  const groups = sections.map(({ title, links }) => {
    const items = links.map(
      (link) =>
        `<li><a href="${link.path}"${link.path === path ? ' aria-current="page"' : ""}>${escapeHtml(link.text)}${link.method ? ` ${methodToHtml(link.method)}` : ""}</a></li>`,
    );
    return `<section><h2>${escapeHtml(title)}</h2><ul>${items.join("")}</ul></section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Reference</title>
<meta name="description" content="${escapeHtml(lead.replaceAll("`", ""))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg">
<link rel="preload" href="/docs/geist.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/reference.css">
<link rel="alternate" type="text/markdown" href="${path}.md">
<script src="/docs/samples.js"></script>
<script src="/docs/search.js" defer></script>
</head>
<body>
<header><a class="home" href="/docs">Reference</a><nav aria-label="Reference"><a class="narrow" href="#all-operations">Operations</a><a href="/docs/errors">Errors</a><a href="/docs/changelog">Changelog</a><a href="/openapi.json">OpenAPI</a><a href="/">Console</a></nav></header>
<div class="frame">
<main>
<div>
${note ? noteToHtml(note) : ""}
<h1>${escapeHtml(title)}</h1>
<p class="lead">${inline(lead)}</p>
${blocks.map(blockToHtml).join("\n")}
</div>
<footer><a href="${path}.md">This page as Markdown</a></footer>
</main>
<nav class="side" id="all-operations" aria-label="Operations">${groups.join("")}</nav>
</div>
</body>
</html>
`;
}
