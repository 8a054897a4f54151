import { expect } from "vitest";
import type { Operation } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import type { Answered, SendOptions, startApi } from "./api.ts";
import { exampleSent } from "./example-bodies.ts";
import { pathOf } from "./resources.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Returns a function that sends operations' examples with this key, except for given parts. */
export function callerOf(api: Api, key: string) {
  return (
    operation: Operation,
    { path = pathOf(operation), ...options }: SendOptions & { path?: string } = {},
  ): Promise<Answered> => {
    const sent = exampleSent(operation);
    const headers = { ...sent.headers, ...options.headers };
    return api.send(operation.method, path, { key, ...sent, ...options, headers });
  };
}

/** Expects the complete error envelope of a declared refusal. */
export function expectRefusal(
  operation: Operation,
  answer: Answered,
  status: number,
  code: string,
  more = {},
): void {
  expect(answer.body).toMatchObject({
    ok: false,
    error: {
      code,
      status,
      message: expect.stringMatching(/\.$/),
      requestId: answer.headers.get("x-request-id"),
      docUrl: `http://platform.test/docs/errors/${code}`,
      operationState: "not_started",
      ...more,
    },
  });
  expect(answer.status).toBe(status);
  expect(errorsOf(operation)).toContain(code);
}

/** Returns a refusal as text, without the parts that may differ between two of them: the request, and the sent id. */
export function comparable({ status, headers, body }: Answered, id: string): string {
  const compared = [...headers].filter(
    ([name]) => !["content-length", "date", "x-request-id"].includes(name),
  );
  const text = JSON.stringify({ status, headers: compared, body });
  return text.replaceAll(body.error.requestId, "<request>").replaceAll(id, "<id>");
}
