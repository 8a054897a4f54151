import type { Operation } from "#server/operation/operation.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import type { Examples } from "#server/transports/openapi/example.ts";
import type { SendOptions } from "./api.ts";

/** Returns the body of the operation's example: JSON, raw bytes with their headers, or nothing. */
export function exampleSent(operation: Operation): Pick<SendOptions, "body" | "bytes" | "headers"> {
  const mediaType = operation.raw?.mediaTypes?.[0] ?? "text/plain";
  const headers = { "content-type": mediaType, ...operation.examples?.headers };
  return operation.raw ? { bytes: Buffer.from("hello"), headers } : { body: exampleBody(operation) };
}

const exampleBodies = new Map<Operation, Record<string, unknown> | undefined>();

/** Returns the document's example body, which is valid; undefined if the operation takes none. */
export function exampleBody(operation: Operation): Record<string, unknown> | undefined {
  if (!exampleBodies.has(operation)) {
    const item = openApiDocument([operation], "").paths[operation.path]?.[operation.method.toLowerCase()];
    const { requestBody } = item as {
      requestBody?: { content: { "application/json": { examples: Examples } } };
    };
    const example = requestBody?.content["application/json"].examples.default.value;
    exampleBodies.set(operation, example as Record<string, unknown> | undefined);
  }
  return structuredClone(exampleBodies.get(operation));
}
