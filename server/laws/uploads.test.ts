import { describe, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { exampleSent } from "#server/testing/example-bodies.ts";
import { callerOf, expectRefusal } from "#server/testing/operation-calls.ts";
import { operationsToTry } from "#server/testing/operations-to-try.ts";
import { sendRaw } from "#server/testing/raw.ts";
import { ownedParams, pathOf } from "#server/testing/resources.ts";

const api = await startApi();
const mine = await api.createRootKey();

const call = callerOf(api, mine.key);

const uploads = operationsToTry().filter(({ raw, scope }) => raw && scope !== null);

describe.for(uploads)("$operationId", (operation) => {
  const { bytes, headers = {} } = exampleSent(operation);
  const raw = (extra: [string, string][], options = {}) =>
    sendRaw(`${api.origin}${pathOf(operation)}`, {
      method: operation.method,
      headers: [
        ...Object.entries({
          authorization: `Bearer ${mine.key}`,
          "idempotency-key": unique("raw"),
          ...headers,
        }),
        ...extra,
      ],
      ...options,
    });

  test("refuses bytes without a length", async () => {
    const answer = await raw([], { body: bytes, chunked: true });
    expectRefusal(operation, answer, 411, "length_required");
  });

  test("refuses too many bytes before any of them is sent", async () => {
    const length = String((operation.raw?.maximumBytes ?? 0) + 1);
    const answer = await raw([
      ["expect", "100-continue"],
      ["content-length", length],
    ]);
    expectRefusal(operation, answer, 413, "payload_too_large");
    expect(answer.body.error.message).toContain(String(operation.raw?.maximumBytes));
  });

  test("refuses bytes of no media type, and encoded ones", async () => {
    const faulty: Record<string, string>[] = [{ "content-type": "nonsense" }, { "content-encoding": "gzip" }];
    for (const header of faulty)
      expectRefusal(operation, await call(operation, { headers: header }), 415, "unsupported_media_type");
  });

  test.for(Object.keys(operation.raw?.headers.shape ?? {}))(
    "refuses the header %s sent twice",
    async (name) => {
      const answer = await raw(
        [
          [name, "one"],
          [name, "two"],
        ],
        { body: bytes },
      );
      expectRefusal(operation, answer, 400, "invalid_request", {
        issues: [{ path: `header.${name.toLowerCase()}`, message: "Sent more than once. Send it once." }],
      });
    },
  );
});

// An upload for a missing resource is refused before its bytes are read.
describe.for(uploads.filter((operation) => ownedParams(operation).length === 0))(
  "$operationId",
  (operation) => {
    test("refuses bytes that differ from their checksum", async () => {
      const answer = await call(operation, { headers: { "x-content-sha256": "0".repeat(64) } });
      expectRefusal(operation, answer, 422, "checksum_mismatch");
    });
  },
);
