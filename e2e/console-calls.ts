import { expect, type Page } from "@playwright/test";
import { newAct } from "./keys.ts";

/** Calls an operation as the page's person, and returns its result; `projectId` selects a project. */
export async function mutate(page: Page, name: string, data: object, projectId?: string) {
  const headers = {
    origin: new URL(page.url()).origin,
    "idempotency-key": newAct(),
    ...(projectId && { "x-service-project": projectId }),
  };
  const answer = await page.request.post(`/api/trpc/${name}`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).result.data;
}

/** Reads by an operation as the page's person. */
export async function read(page: Page, name: string, input: object = {}) {
  const query = encodeURIComponent(JSON.stringify(input));
  return (await (await page.request.get(`/api/trpc/${name}?input=${query}`)).json()).result.data;
}
