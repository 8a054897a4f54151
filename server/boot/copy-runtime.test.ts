import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { unique } from "#server/testing/api.ts";
import { SECRETS } from "#server/testing/next-process.ts";
import { freePort } from "./processes.ts";

/** The rest of the image's 400 MB after the base image of docs/operating/Dockerfile. */
const MOST_BYTES = 150_000_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "runtime-"));
const copied = join(folder, "app");
const clusterUrl = inject("nextServer")?.databaseUrl ?? "";
const database = `runtime_${process.pid}`;
const admin = postgres(clusterUrl, { max: 1, onnotice: () => undefined });
await admin.unsafe(`create database ${database}`);
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const env: NodeJS.ProcessEnv = {
  ...SECRETS,
  PATH: process.env.PATH,
  NODE_ENV: "production",
  DATABASE_URL: clusterUrl.replace(/[^/]*$/, database),
  DATA_DIR: join(folder, "data"),
  BLOBS_SHARED_FOLDER: "yes",
  PORT: String(port),
  BASE_URL: origin,
};
let server: ChildProcess | undefined;
afterAll(async () => {
  if (server?.kill("SIGTERM")) await once(server, "exit");
  await admin.unsafe(`drop database ${database} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script of a tree with Node.js to its end; returns its output. */
const run = (tree: string, script: string, ...args: string[]) =>
  execFileSync(process.execPath, ["--no-warnings", join(tree, "server/boot", script), ...args], {
    encoding: "utf8",
    env,
  });

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const answer = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { "content-type": "application/json", "idempotency-key": unique("runtime"), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

test("copies only the files that serve pages, the API, the reference and the clients, and execute runs", async () => {
  const said = run(root, "copy-runtime.mjs", copied);
  expect(Number(said.match(/^(\d+) MB/)?.[1]) * 1e6).toBeLessThan(MOST_BYTES);

  server = spawn(process.execPath, [join(copied, "server/boot/main.ts")], {
    env,
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await expect
    .poll(() =>
      fetch(`${origin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  const paths = [
    "/sign-in",
    "/docs",
    "/docs/geist.woff2",
    "/openapi.json",
    "/clients/sdk.tgz",
    "/clients/cli.tgz",
  ];
  const pages = await Promise.all(paths.map(async (path) => [path, (await fetch(origin + path)).status]));
  expect(pages).toEqual(paths.map((path) => [path, 200]));

  const person = ["--email", "runtime@example.test", "--password", "seven quiet otters", "--credits", "500"];
  const { creditToken } = JSON.parse(run(copied, "commands/account.ts", "create", ...person));
  const label = {
    label: "Runtime",
    scopes: ["services:invoke", "runs:write", "runs:read", "projects:write"],
  };
  const { secret } = await send("POST", "/api-keys", { "x-service-credit-token": creditToken }, label);
  const authorization = { authorization: `Bearer ${secret}` };
  const steps = [
    { id: "made", type: "operation", operation: "projects.create", body: { name: "{% 'By ' & 'a run' %}" } },
  ];
  const started = await send("POST", "/runs", authorization, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Runtime", steps, output: "{% steps.made.project.name %}" } },
  });
  const result = async () => (await send("GET", `/runs/${started.run.id}`, authorization)).run.result?.output;
  await expect.poll(result).toBe("By a run");
});
