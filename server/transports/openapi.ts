import { etagOf } from "#server/etag.ts";
import type { Operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { openApiDocument } from "./openapi/document.ts";

export interface Served {
  json: string;
  etag: string;
}

/** The document as it is served, built when first asked for. */
export function createOpenApi(operations: readonly Operation[]): () => Served {
  let served: Served | undefined;
  return () => {
    if (!served) {
      const json = JSON.stringify(openApiDocument(operations, platform().settings.baseUrl));
      served = { json, etag: etagOf(json) };
    }
    return served;
  };
}
