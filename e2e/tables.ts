import { readFile } from "node:fs/promises";
import { type Download, expect, type Page } from "@playwright/test";
import { newAct } from "./keys.ts";

export const dialog = (page: Page) => page.getByRole("dialog");

/** Exports the open list; returns the lines of its file. */
export async function exported(page: Page): Promise<string[]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  return linesOf(await download);
}

/** Returns the lines of a saved file. */
export async function linesOf(file: Download): Promise<string[]> {
  const text = await readFile(await file.path(), "utf8");
  return text.replace("\uFEFF", "").trimEnd().split("\r\n");
}

/** Calls an operation as the signed-in person. */
export async function act(page: Page, path: string, data: object) {
  const headers = { origin: new URL(page.url()).origin, "idempotency-key": newAct() };
  const answer = await page.request.post(`/api/trpc/${path}`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Returns the names of the open list's rows. */
export const namesOf = (page: Page) => page.locator("[data-row]").allInnerTexts();

/** Starts a run that fails. */
export async function startRun(page: Page, name: string) {
  const find = {
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name },
  };
  const input = { workflow: { name, steps: [find] } };
  await act(page, "runs.create", { serviceId: "managed-workflows", operationId: "execute", input });
}
