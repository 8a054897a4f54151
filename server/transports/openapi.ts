import { etagOf } from "#server/base/etag.ts";
import type { Operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { openApiDocument } from "./openapi/document.ts";

export interface Served {
  json: string;
  etag: string;
}

/** Returns a function that serves the document; it is built at the first request. */
export function createOpenApi(operations: readonly Operation[]): () => Served {
  let served: Served | undefined;
  return () => {
    if (!served) {
      const { baseUrl, apiOrigin } = platform().settings;
      const json = JSON.stringify(openApiDocument(operations, baseUrl, apiOrigin));
      served = { json, etag: etagOf(json) };
    }
    return served;
  };
}
