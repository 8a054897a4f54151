import { CONVENTIONS } from "#server/catalogue/conventions.ts";
import { resourceOf } from "#server/catalogue/resources.ts";
import type { Operation } from "#server/operation/operation.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import { changelogOf } from "./changelog.ts";
import { ERROR_CODES, errorIndex, errorPage } from "./error-pages.ts";
import { eventsPage } from "./events-page.ts";
import { connect } from "./guides/sdk.ts";
import { guidesOf } from "./guides.ts";
import type { Section } from "./html.ts";
import { type Described, operationPage } from "./operation-page.ts";
import { heading, list, type Page, paragraph, samples } from "./page.ts";

/** Returns every page of the reference, from the registry. */
export function pagesOf(operations: readonly Operation[], baseUrl: string, apiOrigin = baseUrl): Page[] {
  const { paths, components, webhooks } = openApiDocument(operations, baseUrl, apiOrigin);
  return [
    index(operations, apiOrigin),
    changelogPage(operations),
    ...guidesOf(baseUrl, apiOrigin),
    eventsPage(webhooks?.event, components.schemas),
    errorIndex(),
    ...ERROR_CODES.map((code) => errorPage(code, operations, baseUrl)),
    ...operations.map((operation) =>
      operationPage(
        operation,
        paths[operation.path]?.[operation.method.toLowerCase()] as Described,
        components.schemas,
        apiOrigin,
      ),
    ),
  ];
}

/** Returns the sidebar of every page: guides, then operations. */
export function navigationOf(operations: readonly Operation[], baseUrl: string): Section[] {
  const guides = guidesOf(baseUrl).map(({ path, title }) => ({ path, text: title }));
  return [
    { title: "Guides", links: [...guides, { path: "/docs/events", text: "Events" }] },
    ...sectionsOf(operations),
  ];
}

/** Groups the operations by resource, in the registry's order. */
function sectionsOf(operations: readonly Operation[]): Section[] {
  const sections = new Map<string, Section>();
  for (const operation of operations) {
    const { name } = resourceOf(operation);
    const section = sections.get(name) ?? { title: name, links: [] };
    sections.set(name, section);
    section.links.push({
      path: `/docs/${operation.operationId}`,
      text: operation.summary,
      method: operation.method,
    });
  }
  return [...sections.values()];
}

function index(operations: readonly Operation[], apiOrigin: string): Page {
  return {
    path: "/docs",
    title: "API reference",
    lead: "Managed services, durable runs, data, wallets and credits behind one API key.",
    blocks: [
      heading("First call"),
      paragraph("Make a key in the [console](/api-keys), put it into `API_KEY`, and see what it may do:"),
      samples({
        sh: `curl "${apiOrigin}/v1/actions" \\\n  -H "Authorization: Bearer $API_KEY"`,
        ts: `${connect(apiOrigin)}
for await (const { operation } of platform.actions.list()) console.log(operation);`,
      }),
      paragraph(
        "The whole contract for machines: [openapi.json](/openapi.json). For language models: [llms.txt](/llms.txt), and every page with `.md` at its end; agents connect to `/mcp`.",
      ),
      heading("Guides"),
      list([
        ...guidesOf(apiOrigin).map(({ path, title, lead }) => `[${title}](${path}): ${lead}`),
        "[Events](/docs/events): the deliveries of webhooks",
      ]),
      ...CONVENTIONS.flatMap(({ title, paragraphs }) => [heading(title), ...paragraphs.map(paragraph)]),
      heading("Operations"),
      ...sectionsOf(operations).flatMap(({ title, links }) => [
        heading(title, 3),
        list(links.map(({ path, text }) => `[${text}](${path})`)),
      ]),
    ],
  };
}

function changelogPage(operations: readonly Operation[]): Page {
  return {
    path: "/docs/changelog",
    title: "Changelog",
    lead: "Changes of the API. A deprecated operation works for at least 30 days more, with `Deprecation` and `Sunset` on its answers.",
    blocks: changelogOf(operations).flatMap(({ date, title, text }) => [
      heading(title),
      paragraph(date),
      paragraph(text),
    ]),
  };
}

/** Returns the summary of the reference for language models (llmstxt.org). */
export function llmsText(operations: readonly Operation[], baseUrl: string): string {
  const sections = sectionsOf(operations).map(
    ({ title, links }) =>
      `## ${title}\n\n${links.map(({ path, text }) => `- [${text}](${baseUrl}${path}.md)`).join("\n")}`,
  );
  return [
    "# Managed services platform",
    "> Managed services, durable runs, data, wallets and credits behind one API key.",
    [
      `- [Conventions](${baseUrl}/docs.md): authentication, idempotency, paging, errors, limits`,
      `- [Errors](${baseUrl}/docs/errors.md)`,
      `- [Events](${baseUrl}/docs/events.md)`,
      `- [Changelog](${baseUrl}/docs/changelog.md)`,
      `- [OpenAPI 3.1](${baseUrl}/openapi.json)`,
      ...guidesOf(baseUrl).map(({ path, title, lead }) => `- [${title}](${baseUrl}${path}.md): ${lead}`),
    ].join("\n"),
    ...sections,
    "",
  ].join("\n\n");
}
