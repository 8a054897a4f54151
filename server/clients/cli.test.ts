import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { installCli } from "#server/testing/cli.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startRuns } from "#server/testing/runs.ts";
import { startSpoiledProxy } from "#server/testing/spoiled-proxy.ts";

const api = await startApi();
const { key } = await createPayingKey(api, 1000);
const proxy = await startSpoiledProxy(api.origin);
await startRuns(api);
const cli = await installCli(api.origin);
const computerOf = (secret: string, baseUrl = api.origin) =>
  cli.computer({ PLATFORM_API_KEY: secret, PLATFORM_URL: baseUrl });
const mine = computerOf(key);

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr).error;

test("calls any operation: first ids, then fields, which are texts, numbers, lists, JSON or null", async () => {
  const made = await mine.json(
    "projects",
    "create",
    "--name",
    "Web shop",
    "--description",
    "Shoes",
    "--metadata",
    '{"team":"a"}',
  );
  expect(made).toMatchObject({ name: "Web shop", description: "Shoes", metadata: { team: "a" } });
  expect(await mine.json("projects", "read", made.id)).toEqual(made);
  const changed = await mine.json("projects", "update", made.id, "--description", "null");
  expect(changed.description).toBeNull();
  const body = JSON.stringify({ name: "From a file", metadata: { a: 1 } });
  writeFileSync(join(mine.config, "project.json"), body);
  const fromFile = await mine.json("projects", "create", "--json", "project.json", "--slug", "of-a-field");
  expect(fromFile).toMatchObject({ name: "From a file", slug: "of-a-field", metadata: { a: 1 } });
  // `--body` is the former name of `--json`.
  for (const option of ["--json", "--body"]) {
    const piped = await mine.run(["projects", "create", option, "-"], { input: '{"name":"Piped"}' });
    expect(JSON.parse(piped.stdout).name).toBe("Piped");
  }
  expect((await mine.json("projects", "archive", made.id)).status).toBe("archived");
  const listed = await mine.json("projects", "list", "--limit", "1", "--status", "archived");
  expect(listed.id).toBe(made.id);
});

test("prints lists as lines of JSON, as tables and as CSV, one page or all", async () => {
  const { key: own } = await api.createRootKey();
  const one = computerOf(own);
  for (const name of ['Quote " and, comma', "Bell \u0007\u001b[31m", "Three"])
    await one.json("projects", "create", "--name", name, "--slug", unique("slug"));
  const page = await one.run(["projects", "list", "--limit", "2"]);
  expect(
    page.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).name),
  ).toEqual(["Three", "Bell \u0007\u001b[31m"]);
  expect(page.stderr).toContain("--all, or --cursor ");
  const all = await one.run(["projects", "list", "--limit", "1", "--all"]);
  expect(all.stdout.trim().split("\n")).toHaveLength(3);
  const table = await one.run(["projects", "list", "-o", "table"]);
  expect(table.stdout).toMatch(/^ID +NAME +STATUS/);
  expect(table.stdout).not.toContain("\u001b");
  const csv = await one.run(["projects", "list", "-o", "csv"]);
  expect(csv.stdout).toContain('"Quote "" and, comma"');
});

test("distinguishes kinds of failures by its exit code", async () => {
  const { key: root } = await api.createRootKey();
  const narrow = computerOf((await api.createChild(root, { scopes: ["services:read"] })).key);
  const limits = { "*": { requestsPerMinute: 1 } };
  const limited = computerOf((await api.createChild(root, { limits })).key);
  await limited.run(["projects", "list"]);
  const nobody = cli.computer();
  const cases: [ran: Promise<{ code: number | null; stderr: string }>, code: number, text: string][] = [
    [mine.run(["projects", "read", "proj_none"]), 1, "No project proj_none."],
    [mine.run(["projects", "list", "--nope"]), 2, "Unknown option '--nope'"],
    [mine.run(["projects", "lst"]), 2, "projects has no lst."],
    [mine.run(["nothing"]), 2, "There is no command nothing."],
    [mine.run(["projects", "create"]), 2, "Missing: --name."],
    [mine.run(["projects", "read"]), 2, "Missing: PROJECT-ID."],
    [mine.run(["projects", "read", "a", "b"]), 2, "b is one argument too many."],
    [mine.run(["projects", "list", "--limit", "few"]), 2, "--limit few is no number."],
    [mine.run(["projects", "create", "--name", "A", "--metadata", "{"]), 2, "--metadata is no JSON."],
    [mine.run(["projects", "create", "--name", ""]), 2, "body.name"],
    [mine.run(["projects", "create", "--json"]), 2, "--json takes a file"],
    [mine.run(["projects", "list", "--json"]), 2, "--output json writes JSON."],
    [mine.run(["projects", "create", "--json", "none.json"]), 2, "none.json can't be read"],
    [mine.run(["projects", "list", "-o", "xml"]), 2, "none of table, json, csv"],
    [nobody.run(["projects", "list"]), 3, "msp login"],
    [nobody.run(["projects", "list", "--base-url", "http://platform.example"]), 2, "Use https."],
    [computerOf("svc_live_wrong").run(["projects", "list"]), 3, "PLATFORM_API_KEY"],
    [narrow.run(["projects", "list"]), 4, "scope_missing (403)"],
    [limited.run(["projects", "list"]), 5, "Wait "],
    [computerOf(key, "http://127.0.0.1:1").run(["projects", "list"]), 1, "the connection failed"],
  ];
  for (const [running, code, text] of cases) {
    const ran = await running;
    expect(ran.stderr).toContain(text);
    expect(ran.code, ran.stderr).toBe(code);
  }
});

test("reports failures to programs as JSON, and never shows the key", async () => {
  const ran = await mine.run(["projects", "read", "proj_none", "--output=json"]);
  expect(errorOf(ran)).toMatchObject({ code: "not_found", status: 404, requestId: expect.any(String) });
  const usage = await mine.run(["projects", "-o", "json", "create"]);
  expect(errorOf(usage)).toEqual({ code: "usage", message: "Missing: --name." });
  expect(ran.stdout + ran.stderr + usage.stderr).not.toContain(key);
});

test("names the idempotency key of a write with an unknown outcome, and repeats the write with that key", async () => {
  const behind = computerOf(key, proxy.origin);
  proxy.spoil("reset after", "reset after", "reset after");
  const name = unique("Lost");
  const ran = await behind.run(["projects", "create", "--name", name]);
  expect(ran.code).toBe(6);
  const [, again] = /--idempotency-key (\S+):/.exec(ran.stderr) ?? [];
  const made = await behind.json("projects", "create", "--name", name, "--idempotency-key", String(again));
  const { stdout } = await mine.run(["projects", "list", "--search", name]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual([made.id]);
});

test("prints a new key's secret once, alone", async () => {
  const args = ["--label", "Night jobs", "--scopes", "projects:read", "--scopes", "runs:read"];
  const ran = await mine.run(["keys", "create", ...args]);
  const secret = ran.stdout.trim();
  expect(secret).toMatch(/^svc_live_[0-9A-Za-z]+$/);
  expect(ran.stderr).not.toContain(secret);
  const { apiKey } = await computerOf(secret).json("whoami");
  expect(apiKey).toMatchObject({ label: "Night jobs", scopes: ["projects:read", "runs:read"] });
  const revoked = await mine.json("keys", "revoke", apiKey.id);
  expect(revoked).toMatchObject({ apiKey: { status: "revoked" } });
  expect((await computerOf(secret).run(["whoami"])).code).toBe(3);
});

test("creates a run, waits for it, and shows its progress meanwhile", async () => {
  const of = ["--service-id", "managed-memory", "--operation-id", "list", "--input", "{}"];
  const run = await mine.json("runs", "create", ...of, "--wait");
  expect(run.status).toBe("succeeded");
  const logs = await mine.run(["runs", "logs", run.id]);
  const entries = logs.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ seq }) => seq)).toEqual(run.timeline.map(({ seq }: { seq: number }) => seq));
  const created = await mine.json("runs", "create", ...of);
  const followed = await mine.run(["runs", "logs", created.id, "--follow", "-o", "table"]);
  expect(followed.code).toBe(0);
  expect(followed.stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} The run is queued\./);
  const failing = ["--service-id", "managed-memory", "--operation-id", "get", "--input", '{"id":"mem_none"}'];
  const failed = await mine.run(["runs", "create", ...failing, "--wait"]);
  expect([failed.code, failed.stderr]).toEqual([expect.any(Number), expect.stringContaining("error: ")]);
  expect(failed.code).not.toBe(0);
});

test("uploads files and downloads them completely, never outside the named folder", async () => {
  const bytes = randomBytes(200_000);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(mine.config, "one.bin"), bytes);
  writeFileSync(join(mine.config, "two.txt"), "two");
  const up = await mine.run(["files", "up", "one.bin", "two.txt", "--purpose", "tests"]);
  const [one] = up.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(one).toMatchObject({ name: "one.bin", sha256, purpose: "tests" });
  expect(up.stderr).toContain(`one.bin: 200000 bytes, SHA-256 ${sha256}`);
  const down = await mine.run(["files", "down", one.id, "copy.bin"]);
  expect(down.code).toBe(0);
  expect(readFileSync(join(mine.config, "copy.bin")).equals(bytes)).toBe(true);
  const again = await mine.run(["files", "down", one.id, "copy.bin"]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("--force")]);
  expect((await mine.run(["files", "down", one.id, "-"])).stdout.length).toBeGreaterThan(0);
  const hostile = await mine.json("files", "create", "two.txt", "--name", ".profile");
  const kept = await mine.run(["files", "down", hostile.id]);
  expect(kept.stderr).toMatch(/^_profile: 3 bytes/);
  expect((await mine.run(["files", "up", "missing.bin"])).code).toBe(2);
});

test("shows the number of transferred bytes on a terminal, and nowhere else", async () => {
  const bytes = randomBytes(3_000_000);
  writeFileSync(join(mine.config, "large.bin"), bytes);
  const terminal = { more: { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY%3Dtrue" } };
  const up = await mine.run(["files", "up", "large.bin"], terminal);
  const { id } = JSON.parse(up.stdout);
  const down = await mine.run(["files", "down", id, "copy-of-large.bin"], terminal);
  const steps = ["Hashing 3.0 of 3.0 MB: large.bin", "Uploading 3.0 of 3.0 MB: large.bin"];
  for (const step of steps) expect(up.stderr).toContain(`\r\u001b[K${step}`);
  expect(down.stderr).toContain("\r\u001b[KDownloading 3.0 of 3.0 MB: copy-of-large.bin");
  // The line is cleared before the outcome is printed.
  expect(up.stderr.split("\r\u001b[K").at(-1)).toMatch(/^large\.bin: 3000000 bytes, SHA-256/);
  expect(readFileSync(join(mine.config, "copy-of-large.bin")).equals(bytes)).toBe(true);
  const plain = [
    await mine.run(["files", "up", "large.bin"]),
    await mine.run(["files", "down", id, "again.bin"]),
  ];
  expect(plain.map(({ stderr }) => stderr.trim().split("\n").length)).toEqual([1, 1]);
  expect(plain.map(({ stderr }) => stderr.includes("\r"))).toEqual([false, false]);
});

test("asks a person for confirmation before it destroys data, and never a program", async () => {
  const isTTY = "process.stdin.isTTY%3Dprocess.stderr.isTTY%3Dtrue";
  const more = { NODE_OPTIONS: `--import=data:text/javascript,${isTTY}` };
  writeFileSync(join(mine.config, "short.txt"), "short");
  const remove = async (options: readonly string[], input: string, terminal: boolean) => {
    const { id } = await mine.json("files", "up", "short.txt");
    const ran = await mine.run(["files", "delete", id, ...options], { input, ...(terminal && { more }) });
    const { code } = await mine.run(["files", "read", id]);
    return { code: ran.code, asked: ran.stderr.includes("Type yes: "), isThere: code === 0 };
  };
  expect(await remove([], "no\n", true)).toEqual({ code: 2, asked: true, isThere: true });
  expect(await remove([], "yes\n", true)).toEqual({ code: 0, asked: true, isThere: false });
  expect(await remove(["--yes"], "", true)).toEqual({ code: 0, asked: false, isThere: false });
  expect(await remove([], "", false)).toEqual({ code: 0, asked: false, isThere: false });
});

test("checks all conditions for calls, and says how to fix each", async () => {
  const { version } = JSON.parse(readFileSync(join(cli.package, "package.json"), "utf8"));
  const ran = await mine.run(["doctor"]);
  const checks = Object.fromEntries(linesOf(ran.stdout).map(({ check, ...found }) => [check, found]));
  expect(checks).toMatchObject({
    address: { ok: true },
    health: { ok: true },
    clock: { ok: true },
    // The platform of the tests reports another version than its package.
    version: { ok: false, found: `${version}; the platform has 1.2.3` },
    credential: { ok: true },
    stream: { ok: true, found: "arrives at once" },
    node: { ok: true },
  });
  expect(checks.version.todo).toBe(`npm install --global ${api.origin}/clients/cli.tgz`);
  expect(ran.code).toBe(1);
  const away = await computerOf("svc_live_wrong", "http://127.0.0.1:1").run(["doctor", "-o", "table"]);
  expect([away.code, away.stdout]).toEqual([
    1,
    expect.stringMatching(/address +false[\s\S]*credential +false/),
  ]);
});

test("streams a response to a reader that disconnects", async () => {
  const { child, ended } = mine.start(["help"]);
  child.stdout.destroy();
  expect((await ended).stderr).toBe("");
});
