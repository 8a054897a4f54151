import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { pageRoutes } from "./page-routes.ts";
import { signUp } from "./people.ts";
import { scriptBytes } from "./script-bytes.ts";

const MAX_BYTES = 200_000;
const root = fileURLToPath(new URL("..", import.meta.url));

/** The scripts that each page's document loads, by the build's report. */
const built: { route: string; firstLoadChunkPaths: string[] }[] = JSON.parse(
  readFileSync(`${root}.next/diagnostics/route-bundle-stats.json`, "utf8"),
);

const compressedBytes = (chunks: string[]) =>
  chunks.reduce((bytes, chunk) => bytes + gzipSync(readFileSync(root + chunk)).length, 0);

test("every page loads little script first, by the build", () => {
  const bytes = new Map(
    built.map(({ route, firstLoadChunkPaths }) => [route, compressedBytes(firstLoadChunkPaths)]),
  );
  expect(pageRoutes.length).toBeGreaterThan(60);
  expect(pageRoutes.filter((route) => (bytes.get(route) ?? Number.POSITIVE_INFINITY) > MAX_BYTES)).toEqual(
    [],
  );
});

test("a document asks for no more than that, with a side modal open too", async ({ page }) => {
  await signUp(page, "/projects");
  for (const path of ["/projects/new", "/api-keys/new", "/usage", "/workflows/new", "/wallets/new"])
    expect(await scriptBytes(page, path), path).toBeLessThanOrEqual(MAX_BYTES);
});
