import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { readEnv } from "../env/read-env.ts";
import { hasSecretForm } from "./secrets.ts";

const api = await startApi({ settings: { cell: "K7" } });

test("puts its cell into the first two characters of its secrets, and accepts those of other cells", async () => {
  // With a credit token that names the first cell.
  const { key } = await api.createRootKey();
  expect(key).toMatch(/^svc_live_K7[0-9A-Za-z]{47}$/);
  expect(hasSecretForm("svc_live_", key)).toBe(true);
  expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
});

test.each(["0", "000", "0-", "ä0"])("does not start as the cell %s", (cell) => {
  expect(() => readEnv({ CELL: cell, DATABASE_URL: "postgres://h/d" })).toThrow(
    "CELL must be two letters or digits.",
  );
});
