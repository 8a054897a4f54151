import { CONVENTIONS } from "#server/catalogue/conventions.ts";
import { RESOURCES, resourceOf } from "#server/catalogue/resources.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import { errorRanges, errorResponses, errorSchemas } from "./errors.ts";
import { exampleIn } from "./example.ts";
import { HEADER_SCHEMAS, HEADERS, PARAMETERS } from "./headers.ts";
import { nameSchemas } from "./nested.ts";
import { describeOperation } from "./operation.ts";
import { collectSchemas, type Json } from "./schemas.ts";
import { describeWebhooks, eventSchemas, WEBHOOK_PARAMETERS } from "./webhooks.ts";

/**
 * Returns the OpenAPI 3.1 document of these operations. `baseUrl` is the host's origin, empty for relative
 * addresses; `apiOrigin` is where the API is reached.
 */
export function openApiDocument(operations: readonly Operation[], baseUrl: string, apiOrigin = baseUrl) {
  // Events are described if the operations include creating webhooks.
  const sends = operations.some(({ id }) => id === "webhooks.create");
  const schemas = collectSchemas(operations, sends ? eventSchemas : []);
  const codes = [...new Set(operations.flatMap(errorsOf))];
  const components: Record<string, Json> = {
    ...schemas.components(),
    ...errorSchemas(schemas),
    ...HEADER_SCHEMAS,
  };
  const named = nameSchemas(components);
  const sources = { schemas, components, named, baseUrl };
  const paths: Record<string, Json> = { "/openapi.json": { get: contractItself } };
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method.toLowerCase()] = describeOperation(operation, sources);
  }
  const tags = new Map([
    [RESOURCES.openapi?.name, RESOURCES.openapi],
    ...operations.map((operation) => [resourceOf(operation).name, resourceOf(operation)] as const),
  ]);
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Managed services platform",
      version: "v1",
      summary: "Managed services, durable runs, data, wallets and credits behind one API key.",
      description: CONVENTIONS.map(
        ({ title, paragraphs }) => `## ${title}\n\n${paragraphs.join("\n\n")}`,
      ).join("\n\n"),
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    externalDocs: { description: "The reference", url: `${baseUrl}/docs` },
    servers: [{ url: `${apiOrigin}/v1`, description: "The API." }],
    tags: [...tags.values()],
    paths,
    ...(sends && { webhooks: describeWebhooks(sources) }),
    components: {
      schemas: named.components(),
      responses: errorResponses(codes, baseUrl),
      parameters: { ...PARAMETERS, ...WEBHOOK_PARAMETERS },
      headers: HEADERS,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, `svc_live_…`." },
        creditToken: {
          type: "apiKey",
          in: "header",
          name: "X-Service-Credit-Token",
          description: "A credit token, for the first key of an account only.",
        },
      },
    },
  };
  return withoutUnused(document);
}

const contractItself: Json = {
  operationId: "openapi.read",
  tags: ["OpenAPI"],
  summary: "Read this contract",
  description:
    "The OpenAPI 3.1 document, also served at `/openapi.json`. Send its `ETag` as `If-None-Match` to poll for changes. Needs no key.",
  parameters: [],
  responses: {
    200: {
      description: "This document.",
      headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
      content: {
        "application/json": {
          schema: { type: "object", description: "An OpenAPI 3.1 document." },
          ...exampleIn({ openapi: "3.1.0", info: { title: "Managed services platform", version: "v1" } }),
        },
      },
    },
    304: { description: "Not modified: the document still has the `ETag` sent as `If-None-Match`." },
    ...errorRanges(["credential_in_url"]),
  },
  security: [],
  "x-limit-operations": [],
  "x-error-codes": ["credential_in_url"],
};

/** Drops parameters and headers that no operation refers to. */
function withoutUnused<Document extends { components: Record<string, Record<string, Json>> }>(
  document: Document,
): Document {
  const text = JSON.stringify(document);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, all]) => [
      kind,
      Object.fromEntries(
        Object.entries(all).filter(
          ([name]) => kind === "securitySchemes" || text.includes(`"#/components/${kind}/${name}"`),
        ),
      ),
    ]),
  );
  return { ...document, components };
}
