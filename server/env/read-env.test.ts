import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnv } from "./read-env.ts";
import { secretNames } from "./secrets.ts";
import { Variables } from "./variables.ts";

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
    chains: [],
    sandboxChainIds: [31_337, 31_338],
    networkFees: { maxNetworkFeeUsd: "25", dailyNetworkFeeUsd: "100" },
    sandboxMnemonic: expect.stringMatching(/^([a-z]+ ){11}[a-z]+$/),
  });
});

test("identifies a cluster for accounts' databases by its name, whatever its address", () => {
  const { managedDatabases } = Variables.pick({ MANAGED_DATABASE_URLS: true })
    .transform(({ MANAGED_DATABASE_URLS: managedDatabases }) => ({ managedDatabases }))
    .parse({
      MANAGED_DATABASE_URLS:
        "eu=postgres://a.test/x,old.test:5432=postgres://b.test:6000/x,postgres://c.test/x",
    });
  expect(managedDatabases).toEqual([
    { name: "eu", url: "postgres://a.test/x" },
    { name: "old.test:5432", url: "postgres://b.test:6000/x" },
    { name: "c.test:5432", url: "postgres://c.test/x" },
  ]);
  const read = (MANAGED_DATABASE_URLS: string) => () => readEnv({ MANAGED_DATABASE_URLS });
  expect(read("eu=http://a.test")).toThrow("MANAGED_DATABASE_URLS must be clusters by commas");
  expect(read("eu=postgres://a.test/x,eu=postgres://b.test/x")).toThrow(
    "MANAGED_DATABASE_URLS names a cluster twice.",
  );
});

test("names every fault at once", () => {
  const read = () =>
    readEnv({
      NODE_ENV: "production",
      PORT: "eighty",
      BASE_URL: "https://example.com/platform",
      API_ORIGIN: "https://api.example.com/v1",
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
      "The settings have 16 faults:",
      "- PORT must be a number.",
      "- BASE_URL must be an origin only: no path, query or user.",
      "- API_ORIGIN must be an origin only: no path, query or user.",
      "- DATABASE_URL must begin with postgres://.",
      "- ROLE must be web, worker, relayer or all.",
      "- TRUSTED_PROXIES must be addresses or networks by commas, like 10.0.0.0/8,::1.",
      "- SIGNUP_CREDITS must be a whole number of credits.",
      "- MODEL_BASE_URL must begin with http:// or https://, like https://api.openai.com/v1.",
      "- AUTH_SECRET is too short; it must have at least 32 characters.",
      "- SEALING_KEY is 3 bytes of base64; it must be 32, as `openssl rand -base64 32` makes.",
      "- MODEL_BASE_URL needs MODEL_NAME beside it.",
      "- BLOBS_URL is missing; with DATABASE_URL every process needs the same files. Set it, or BLOBS_SHARED_FOLDER=yes where the folder blobs of DATA_DIR is one for all of them.",
      "- VAULT_KEYS is missing; with DATABASE_URL every process needs the same one.",
      "- AUDIT_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
      "- ARCHIVE_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
      "- RECEIPT_SIGNING_KEY is missing; with DATABASE_URL every process needs the same one.",
    ].join("\n"),
  );
});

test("takes a shared folder for a bucket in production, and needs neither beside the embedded database", () => {
  const secret = Buffer.alloc(32, 1).toString("base64");
  const given = {
    ...Object.fromEntries(secretNames.map((name) => [name, secret])),
    NODE_ENV: "production",
    SANDBOX_MNEMONIC: "",
    DATA_DIR: join(folder, "shared"),
  };
  const databaseUrl = "postgres://localhost/app";
  expect(() => readEnv({ ...given, DATABASE_URL: databaseUrl })).toThrow(
    /^The settings have a fault:\n- BLOBS_URL is missing;/,
  );
  const env = readEnv({ ...given, DATABASE_URL: databaseUrl, BLOBS_SHARED_FOLDER: "yes", COMMIT: "0123abc" });
  expect(env.blobs).toEqual({ folder: join(folder, "shared", "blobs") });
  expect(env.release).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), commit: "0123abc" });
  expect(readEnv(given).sandbox).toBe(true);
});

test("keeps the secrets that it made at first start in a file of its own", () => {
  const dataDir = join(folder, "kept");
  const first = readEnv({ DATA_DIR: dataDir });
  const second = readEnv({ DATA_DIR: dataDir });
  expect(second.authSecrets).toEqual(first.authSecrets);
  expect(second.sealingKeys).toEqual(first.sealingKeys);
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
  expect(second.authSecrets).toEqual(first.authSecrets);
  expect(Buffer.from(second.sealingKeys[0]).toString("base64")).not.toBe(SEALING_KEY);
});

test("reads real networks, in the embedded ones' place", () => {
  const usd = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  const env = readEnv({
    DATA_DIR: join(folder, "chains"),
    CHAINS: JSON.stringify([
      {
        chainId: 84532,
        name: "Base Sepolia",
        rpcUrl: "https://node.example/key",
        usd,
        wrappedNative: "0x4200000000000000000000000000000000000006",
        tokens: [{ asset: usd.toLowerCase(), symbol: "USDC", name: "USD Coin", decimals: 6 }],
      },
    ]),
  });
  expect(env).toMatchObject({ sandboxChainIds: [], sandboxMnemonic: null });
  expect(env.chains).toEqual([
    {
      chainId: 84532,
      name: "Base Sepolia",
      rpcUrl: "https://node.example/key",
      sandbox: false,
      confirmations: 2,
      finality: 64,
      contracts: {
        multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
        wrappedNative: "0x4200000000000000000000000000000000000006",
        usd,
        venue: null,
        bridge: null,
      },
      tokens: [
        { asset: "native", symbol: "ETH", name: "Ether", decimals: 18 },
        { asset: usd, symbol: "USDC", name: "USD Coin", decimals: 6 },
      ],
    },
  ]);
});

test("names every fault of the chains", () => {
  const faultsOf = (chains: string) => () => readEnv({ DATA_DIR: join(folder, "faulty"), CHAINS: chains });
  expect(faultsOf("[{")).toThrow(/^The settings have a fault:\n- CHAINS is not JSON: /);
  const usd = "0x036CBD53842c5426634e7929541eC2318f3dCF7e";
  const chain = { chainId: 0, name: "", rpcUrl: "wss://node.example", usd, token: [], finality: 1 };
  expect(faultsOf(JSON.stringify([chain]))).toThrow(
    [
      "The settings have 6 faults:",
      "- CHAINS.0.chainId Too small: expected number to be >=1",
      "- CHAINS.0.name Too small: expected string to have >=1 characters",
      "- CHAINS.0.rpcUrl must begin with http:// or https://.",
      "- CHAINS.0.wrappedNative Invalid input: expected string, received undefined",
      "- CHAINS.0.usd must be an address: 0x and 40 hexadecimal digits, its checksum right.",
      '- CHAINS.0 Unrecognized key: "token"',
    ].join("\n"),
  );
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

test("lists every setting in .env.example, each empty and with an explanation", () => {
  const lines = readFileSync(new URL("../../.env.example", import.meta.url), "utf8").split("\n");
  const listed = lines.flatMap((line, index) =>
    line.endsWith("=") && lines[index - 1]?.startsWith("# ") ? [line.slice(0, -1)] : [],
  );
  expect(listed).toEqual(Object.keys(Variables.shape));
});

test("lists every setting in the README", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(Object.keys(Variables.shape).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
