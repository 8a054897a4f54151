import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { StreamOutput } from "#server/operation/stream-result.ts";
import { exampleIn, exampleOf } from "./example.ts";
import { successHeaders } from "./headers.ts";
import { operationName, pascal } from "./names.ts";
import type { Json } from "./schemas.ts";
import type { Sources } from "./sources.ts";

/**
 * Returns the content of a response with server-sent events. OpenAPI 3.1 cannot describe single events, so `x-events`
 * does.
 */
export function eventStream(
  operation: Operation,
  { description, id, events }: StreamOutput,
  sources: Sources,
): Json {
  const { schemas, components, named } = sources;
  const described = Object.entries(events).map(([name, { description, data }]) => {
    // Converted as a field of an object, a named schema becomes a reference.
    const { properties } = schemas.convert(z.object({ data }), "output");
    const schema = defined(properties?.data);
    return { name, description, schema, example: exampleOf(schema, components) };
  });
  const [first] = described;
  const text = [
    "retry: 2000",
    "",
    `id: ${id.example}`,
    `event: ${first?.name}`,
    `data: ${JSON.stringify(first?.example)}`,
    "",
    "",
  ].join("\n");
  return {
    "text/event-stream": {
      schema: { type: "string", description: `${description} Server-sent events (WHATWG HTML, 9.2).` },
      "x-events": Object.fromEntries(
        described.map(({ name, description, schema }) => [
          name,
          { description, data: named.within(schema, `${operationName(operation)}${pascal(name)}`) },
        ]),
      ),
      ...exampleIn(text),
    },
  };
}

/** Returns the responses other than the stream. */
export function streamResponses(operation: Operation): Json {
  return {
    204: {
      description: "The client has received everything; an `EventSource` does not reconnect.",
      headers: successHeaders(operation),
    },
  };
}
