import { apiOperations } from "#server/operations.ts";

let document: string | undefined;

/** The OpenAPI 3.1 document of the whole API, as JSON. */
export function openApiJson(): string {
  document ??= JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Managed services platform", version: "1" },
    paths: Object.fromEntries(apiOperations.map((operation) => [operation.path, {}])),
  });
  return document;
}
