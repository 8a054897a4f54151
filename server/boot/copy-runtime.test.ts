import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { unique } from "#server/testing/api.ts";
import { SECRETS } from "#server/testing/next-process.ts";
import { freePort } from "./processes.ts";

/** The rest of the image's 400 MB after the base image of docs/operating/Dockerfile. */
const MAX_BYTES = 150_000_000;

/** Long enough for a busy machine to make two calls. */
const DRAIN_SECONDS = 10;

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
afterAll(async () => {
  await admin.unsafe(`drop database ${database} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script of the copy with Node.js to its end; returns its output. */
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, ["--no-warnings", join(copied, "server/boot", script), ...args], {
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

/** Copies the tree with as few open files as a build in a container may have. */
function copyRuntime(): string {
  const script = join(root, "server/boot/copy-runtime.mjs");
  const limited = ["-c", 'ulimit -n 1024; exec "$0" "$@"', process.execPath, "--no-warnings", script, copied];
  return execFileSync("sh", limited, { encoding: "utf8", env });
}

const said = copyRuntime();

/** The command that starts the copied server. */
const COMMAND: readonly string[] = [process.execPath, join(copied, "server/boot/main.ts")];

/** Starts the copied server, until the test ends. */
async function start(settings: Record<string, string> = {}, [program = "", ...args] = COMMAND) {
  const server = spawn(program, args, {
    env: { ...env, ...settings },
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGTERM");
    await exited;
  });
  await expect
    .poll(() =>
      fetch(`${origin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  return { server, exited };
}

/** Creates an account by the copied command, and a key by the API; returns the header that sends it. */
async function createKey(...scopes: string[]) {
  const person = ["--email", `${unique("runtime")}@example.test`, "--password", "seven quiet otters"];
  const made = run("commands/account.ts", "create", ...person, "--credits", "500");
  const { creditToken } = JSON.parse(made);
  const body = { label: "Runtime", scopes };
  const { secret } = await send("POST", "/api-keys", { "x-service-credit-token": creditToken }, body);
  return { authorization: `Bearer ${secret}` };
}

test("copies only the files that serve pages, the API, the reference and the clients, and execute runs", async () => {
  expect(Number(said.match(/^(\d+) MB/)?.[1]) * 1e6).toBeLessThan(MAX_BYTES);
  await start();
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

  const authorization = await createKey("services:invoke", "runs:write", "runs:read", "projects:write");
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

test("a web process that drains is out of service by its health, ends connections with its answers, and stops at its time", async () => {
  const { server, exited } = await start({ ROLE: "web", DRAIN_SECONDS: String(DRAIN_SECONDS) });
  const health = async () => (await fetch(`${origin}/health`)).status;
  expect(await health()).toBe(200);
  const headers = await createKey("projects:read");
  const since = performance.now();
  server.kill("SIGTERM");
  await expect.poll(health).toBe(503);
  const answer = await fetch(`${origin}/v1/projects`, { headers });
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - since).toBeGreaterThan(1000 * DRAIN_SECONDS);
});

const USER = 10_001;
const AS_USER = ["setpriv", "--no-new-privs", "--bounding-set=-all", "--clear-groups"];
AS_USER.push(`--reuid=${USER}`, `--regid=${USER}`);

/** True if this process may start others as another user, who can reach its Node.js, and mount for them alone. */
const canConfine = [
  [...AS_USER, process.execPath, "--version"],
  ["unshare", "--mount", "true"],
].every(([program = "", ...args]) => spawnSync(program, args, { stdio: "ignore" }).status === 0);

test.runIf(canConfine)(
  "serves calls and runs as an unprivileged user on a read-only file system but for its data and temporary folders",
  async () => {
    const [data, temporary] = [join(folder, "own-data"), join(folder, "tmp")];
    chmodSync(folder, 0o755);
    for (const writable of [data, temporary]) {
      mkdirSync(writable);
      chownSync(writable, USER, USER);
    }
    const mounts = [
      "mount --make-rprivate /",
      ...[data, temporary].map((writable) => `mount --bind ${writable} ${writable}`),
      "mount -o remount,bind,ro /",
      'exec "$@"',
    ];
    const confined = ["unshare", "--mount", "sh", "-ec", mounts.join("\n"), "sh", ...AS_USER, ...COMMAND];
    const { server } = await start({ DATA_DIR: data, TMPDIR: temporary, HOME: data }, confined);
    expect(() => writeFileSync(`/proc/${server.pid}/root${folder}/written`, "")).toThrow(/EROFS/);

    const authorization = await createKey("services:invoke", "runs:write", "runs:read");
    const steps = [
      { id: "note", type: "artifact", name: "Note", mediaType: "text/plain", content: "A note." },
    ];
    const started = await send("POST", "/runs", authorization, {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow: { name: "Confined", steps, output: "{% 1 + 2 %}" } },
    });
    expect(started).toMatchObject({ ok: true });
    const result = async () =>
      (await send("GET", `/runs/${started.run.id}`, authorization)).run.result?.output;
    await expect.poll(result).toBe(3);
    expect((await fetch(`${origin}/sign-in`)).status).toBe(200);
  },
);
