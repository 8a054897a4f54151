import { type APIRequestContext, expect, type Page } from "@playwright/test";

let acts = 0;
/** Returns an `Idempotency-Key` that is unique in this run. */
export const newAct = () => `e2e-${process.pid}-${++acts}-${Date.now()}`;

/** Creates a key in the signed-in person's account, as the console does; returns its secret. */
export async function createKey(
  page: Page,
  body: { label: string; scopes: string[]; limits?: object; privacyTier?: string },
) {
  const origin = new URL(page.url()).origin;
  const answer = await page.request.post("/api/trpc/apiKeys.create", {
    headers: { origin, "idempotency-key": newAct() },
    data: body,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const { apiKey, secret } = (await answer.json()).result.data;
  return { id: apiKey.id as string, secret: secret as string };
}

/** Calls `/v1` with a key; returns status, body and the request's id. */
export async function callApi(
  request: APIRequestContext,
  secret: string,
  method: string,
  path: string,
  data?: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await request.fetch(`/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "idempotency-key": newAct(), ...headers },
    ...(data !== undefined && { data }),
  });
  return {
    status: answer.status(),
    body: await answer.json(),
    requestId: answer.headers()["x-request-id"] ?? "",
  };
}
