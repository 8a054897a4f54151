import { selectorPatterns } from "#server/operation/access.ts";
import { ERRORS } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import type { StreamOutput } from "#server/operation/stream-result.ts";
import type { Examples } from "#server/transports/openapi/example.ts";
import type { Json } from "#server/transports/openapi/schemas.ts";
import { curlOf, exampleCall, pythonOf } from "./call-examples.ts";
import { type Components, descriptionOf, fieldRows, typeOf } from "./fields.ts";
import { type Block, beside, heading, json, list, type Page, paragraph, samples, table } from "./page.ts";
import { sdkExample } from "./sdk-example.ts";

interface Media {
  description?: string;
  content: { "application/json"?: { schema: Json; examples: Examples } };
}

/** The parts of the OpenAPI document's operation that its page shows. */
export interface Described {
  parameters: { name?: string; in?: string; required?: boolean; description?: string; schema?: Json }[];
  requestBody?: Media;
  responses: Record<string, Media>;
}

/** Returns the page of an operation, from the OpenAPI document. */
export function operationPage(
  operation: Operation,
  described: Described,
  components: Components,
  baseUrl: string,
): Page {
  const { operationId, method, path, summary, description, deprecation } = operation;
  return {
    path: `/docs/${operationId}`,
    title: summary,
    note: `${method} /v1${path}`,
    lead: description ?? `${summary}.`,
    blocks: [
      ...(deprecation
        ? [
            paragraph(
              `Deprecated: it stops on ${deprecation.sunset}. Use [${deprecation.successor}](/docs/${deprecation.successor}). ${deprecation.note}`,
            ),
          ]
        : []),
      ...accessOf(operation),
      ...inputOf(described, components),
      beside([heading("Call"), callIn(operation, described, baseUrl)]),
      ...answerOf(operation, described, components),
      heading("Errors"),
      table(
        ["Status", "Code", "Meaning"],
        errorsOf(operation)
          .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
          .map((code) => [
            String(ERRORS[code].status),
            `[${code}](/docs/errors/${code})`,
            ERRORS[code].meaning,
          ]),
      ),
    ],
  };
}

function accessOf(operation: Operation): Block[] {
  const { scope, service, idempotent } = operation;
  if (scope === null) return [heading("Access"), paragraph("Needs no key.")];
  const needed =
    scope === "any" ? "Any active key, whatever its scopes and boundaries" : `Scope \`${scope}\``;
  const named =
    typeof service === "string" ? `the service \`${service}\`` : "the service that the request names";
  return [
    heading("Access"),
    list([
      `${needed}${service === undefined ? "" : `, and access to ${named}`}.`,
      `Limited under ${selectorPatterns(operation)
        .map((selector) => `\`${selector}\``)
        .join(", ")} and \`*\`.`,
      idempotent
        ? "Needs an [Idempotency-Key](/docs#idempotency): the same key with the same input never acts twice."
        : "Changes nothing; needs no Idempotency-Key.",
    ]),
  ];
}

function callIn(operation: Operation, { requestBody }: Described, baseUrl: string): Block {
  const body = requestBody?.content["application/json"]?.examples.default.value;
  const call = exampleCall(operation, body, baseUrl);
  return samples({ sh: curlOf(call), ts: sdkExample(operation, body, baseUrl), py: pythonOf(call) });
}

const typed = (type: string, required: boolean | undefined) => (required ? `${type}, required` : type);

function inputOf({ parameters, requestBody }: Described, components: Components): Block[] {
  const named = parameters.filter((parameter) => parameter.name !== undefined);
  const sent = requestBody?.content["application/json"];
  const body = sent ? fieldRows(sent.schema, components) : [];
  const rows = [
    ...named.map(({ name, in: where, required, description, schema }) => [
      `\`${name}\``,
      where ?? "",
      typed(typeOf(schema ?? {}, components), required),
      description ?? descriptionOf(schema ?? {}, components),
    ]),
    ...body.map(([name, type, required, meaning]) => [`\`${name}\``, "body", typed(type, required), meaning]),
    ...(requestBody && !sent ? [["", "body", typed("bytes", true), requestBody.description ?? ""]] : []),
  ];
  return rows.length === 0 ? [] : [heading("Input"), table(["Field", "In", "Type", "Meaning"], rows)];
}

function streamOf({ description, id, events }: StreamOutput): Block[] {
  return [
    heading("Response"),
    paragraph(
      `Status 200 and server-sent events, or 204 where nothing is left. ${description} [Streams](/docs/streams) says how they are read.`,
    ),
    table(
      ["Event", "Its data"],
      Object.entries(events).map(([name, event]) => [`\`${name}\``, event.description]),
    ),
    paragraph(`Ids: ${id.description}`),
  ];
}

function answerOf(
  { status, otherStatuses = {}, bytes, stream }: Operation,
  { responses }: Described,
  components: Components,
): Block[] {
  if (stream) return streamOf(stream);
  const answer = responses[status]?.content["application/json"];
  if (!answer)
    return bytes
      ? [heading("Response"), paragraph(`Status ${status}, 206 for a range, or 304. ${bytes.description}`)]
      : [];
  const rows = fieldRows(answer.schema, components).map(([name, type, , meaning]) => [
    `\`${name}\``,
    type,
    meaning,
  ]);
  return [
    heading("Response"),
    paragraph(
      [
        `Status ${status}.`,
        ...Object.entries(otherStatuses).map(([other, when]) => `${other}: ${when}`),
      ].join(" "),
    ),
    json(answer.examples.default.value),
    table(["Field", "Type", "Meaning"], rows),
    ...(bytes
      ? [
          paragraph(
            `Where \`Accept\` asks for bytes: status ${status}, 206 for a range, or 304. ${bytes.description}`,
          ),
        ]
      : []),
  ];
}
