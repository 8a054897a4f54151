import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnv, variables } from "./env.ts";

const folder = mkdtempSync(join(tmpdir(), "env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seed = Buffer.alloc(32, 7).toString("base64");

test("runs on the embedded defaults when nothing is set", () => {
  const env = readEnv({ DATA_DIR: join(folder, "defaults") });
  expect(env).toMatchObject({
    port: 3000,
    baseUrl: "http://localhost:3000",
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    role: "all",
    trustedProxies: [],
    signupCredits: 10_000,
    sandbox: true,
  });
});

test("names every fault at once", () => {
  const read = () =>
    readEnv({
      NODE_ENV: "production",
      PORT: "eighty",
      BASE_URL: "https://example.com/platform",
      DATABASE_URL: "mysql://localhost/app",
      ROLE: "cron",
      TRUSTED_PROXIES: "10.0.0.0/8,proxy.internal",
      SIGNUP_CREDITS: "-1",
      MODEL_BASE_URL: "localhost:11434",
      AUTH_SECRET: "short",
      FINGERPRINT_SECRET: "x".repeat(32),
      SEALING_KEY: "YWJj",
    });
  expect(read).toThrow(
    [
      "The settings have 14 faults:",
      "- PORT must be a number.",
      "- BASE_URL must be an origin only: no path, query or user.",
      "- DATABASE_URL must begin with postgres://.",
      "- ROLE must be web, worker or all.",
      "- TRUSTED_PROXIES must be addresses or networks by commas, like 10.0.0.0/8,::1.",
      "- SIGNUP_CREDITS must be a whole number of credits.",
      "- MODEL_BASE_URL must begin with http:// or https://, like https://api.openai.com/v1.",
      "- AUTH_SECRET is too short; it must have at least 32 characters.",
      "- SEALING_KEY is 3 bytes of base64; it must be 32, as `openssl rand -base64 32` makes.",
      "- MODEL_BASE_URL needs MODEL_NAME beside it.",
      "- VAULT_KEYS is missing; with DATABASE_URL every process needs the same one.",
      "- AUDIT_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
      "- ARCHIVE_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
      "- RECEIPT_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
    ].join("\n"),
  );
});

test("keeps the secrets that it made at first start in a file of its own", () => {
  const dataDir = join(folder, "kept");
  const first = readEnv({ DATA_DIR: dataDir });
  const second = readEnv({ DATA_DIR: dataDir });
  expect(second.authSecret).toBe(first.authSecret);
  expect(second.sealingKey).toEqual(first.sealingKey);
  expect(second.auditSigningKey.equals(first.auditSigningKey)).toBe(true);
  expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("adds a missing secret and keeps the others", () => {
  const dataDir = join(folder, "added");
  const first = readEnv({ DATA_DIR: dataDir });
  const file = join(dataDir, "secrets.json");
  const { SEALING_KEY, ...others } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(others));
  const second = readEnv({ DATA_DIR: dataDir });
  expect(second.authSecret).toBe(first.authSecret);
  expect(second.sealingKey.toString("base64")).not.toBe(SEALING_KEY);
});

test("takes the audit key as a seed and as PKCS #8", () => {
  const bySeed = readEnv({ DATA_DIR: join(folder, "seed"), AUDIT_SIGNING_KEY: seed }).auditSigningKey;
  const der = bySeed.export({ format: "der", type: "pkcs8" }).toString("base64");
  const byDer = readEnv({ DATA_DIR: join(folder, "seed"), AUDIT_SIGNING_KEY: der }).auditSigningKey;
  expect(byDer.equals(bySeed)).toBe(true);
});

test("reads the endpoint of managed agents", () => {
  const env = readEnv({
    DATA_DIR: join(folder, "model"),
    MODEL_BASE_URL: "http://localhost:11434/v1/",
    MODEL_NAME: "small, large",
  });
  expect(env.model).toEqual({ baseUrl: "http://localhost:11434/v1", names: ["small", "large"] });
  expect(env.modelTimeoutSeconds).toBe(120);
  expect(readEnv({ DATA_DIR: join(folder, "model") }).model).toBeNull();
});

test("lists every setting in .env.example, each empty and with a line that says what it is", () => {
  const lines = readFileSync(new URL("../.env.example", import.meta.url), "utf8").split("\n");
  const listed = lines.flatMap((line, index) =>
    line.endsWith("=") && lines[index - 1]?.startsWith("# ") ? [line.slice(0, -1)] : [],
  );
  expect(listed).toEqual(variables);
});
