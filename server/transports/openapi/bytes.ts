import { defined } from "#server/base/defined.ts";
import type { ByteOutput } from "#server/operation/bytes.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { RawBody } from "#server/operation/upload.ts";
import { exampleIn, exampleOf } from "./example.ts";
import { byteHeaders, successHeaders } from "./headers.ts";
import type { Json } from "./schemas.ts";
import type { Sources } from "./sources.ts";

const bytes = { type: "string", format: "binary" };

/** Returns the content of a response with bytes. */
export function binary({ mediaType, description }: ByteOutput): Json {
  return { [mediaType]: { schema: { ...bytes, description } } };
}

/** Returns the responses other than all of the bytes: a range, not modified, range not satisfiable. */
export function byteResponses(operation: Operation): Json {
  return {
    206: {
      description: "The requested range of the bytes.",
      headers: byteHeaders(operation, true),
      content: binary(defined(operation.bytes)),
    },
    304: {
      description: "Not modified: the bytes still have the `ETag` sent as `If-None-Match`.",
      headers: successHeaders(operation),
    },
  };
}

/** Returns the parameters for the headers that describe raw bytes. */
export function rawParameters({ headers }: RawBody, { schemas, components }: Sources): Json[] {
  const { properties = {}, required = [] } = schemas.convert(headers, "input");
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "header",
    required: required.includes(name),
    description,
    schema,
    ...exampleIn(exampleOf(schema, components, name)),
  }));
}

/** Returns the request body of raw bytes, whose length must be declared. */
export function rawBodyOf({ description, maximumBytes, mediaTypes }: RawBody): Json {
  const withLimit = `${description} At most ${maximumBytes} bytes, with their \`Content-Length\`.`;
  const content = (mediaTypes ?? ["*/*"]).map((type) => [type, { schema: bytes }]);
  return { required: true, description: withLimit, content: Object.fromEntries(content) };
}
