import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { rowsOf } from "#server/testing/frozen.ts";
import { commandPath } from "#server/testing/program-path.ts";

const api = await startApi();
const folder = mkdtempSync(join(tmpdir(), "audit-scripts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script like an operator, beside the test's server. */
function run(script: string, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: api.databaseUrl, DATA_DIR: folder, BASE_URL: "" };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [commandPath(script), ...args], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

test("exports an account's audit, verifies it offline, and erases a person from it", async () => {
  const { key, accountId } = await api.createRootKey();
  await api.send("GET", "/v1/projects", { key, headers: { "x-service-end-user": "ada@customer.example" } });
  const file = join(folder, "audit.jsonl");
  const exported = await run("audit-export", "--account", accountId);
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  expect(exported.stdout).toContain('"endUser":"ada@customer.example"');
  expect((await run("audit-export", "--account", toUuid("account", accountId))).stdout).toContain(accountId);
  writeFileSync(file, exported.stdout);
  const verified = await run("audit-verify", file);
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect(verified.stdout).toMatch(
    new RegExp(
      `^2 events of ${accountId}, sequences 1 to 2: complete and unchanged\\.\n1 signed heads; signed by \\S+=\\. 0 `,
    ),
  );

  writeFileSync(file, readFileSync(file, "utf8").replace('"status":200', '"status":201'));
  const changed = await run("audit-verify", file);
  expect(changed).toMatchObject({ code: 1, stdout: "" });
  expect(changed.stderr).toMatch(/^Line 3: Event evt_\w+ \(sequence 2\) was changed/);

  expect(
    await run("audit-erase", "--account", accountId, "--end-user", "ada@customer.example"),
  ).toMatchObject({
    code: 0,
    stderr: "",
  });
  const erased = await run("audit-export", "--account", accountId);
  expect(erased.stdout).not.toContain("ada@customer.example");
  writeFileSync(file, erased.stdout);
  expect((await run("audit-verify", file)).stdout).toMatch(/ 1 personal fields have been erased\.\n$/);
});

test("exports and verifies the audit of a frozen account without changing any of its rows", async () => {
  const { key, accountId } = await api.createRootKey();
  await api.send("GET", "/v1/projects", { key });
  // The account's export chains its events; an account with unchained events can't be frozen.
  expect(await run("audit-export", "--account", accountId)).toMatchObject({ code: 0 });
  await api.send("GET", "/v1/projects", { key });
  const other = await api.createRootKey();
  expect(await run("audit-export", "--account", other.accountId)).toMatchObject({ code: 0 });
  expect(await run("account", "freeze", "--account", accountId)).toMatchObject({ code: 0, stderr: "" });
  const before = await rowsOf(api, accountId);
  const exported = await run("audit-export", "--account", accountId);
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  expect(await rowsOf(api, accountId)).toEqual(before);
  const file = join(folder, "frozen.jsonl");
  writeFileSync(file, exported.stdout);
  expect((await run("audit-verify", file)).stdout).toMatch(
    new RegExp(`^3 events of ${accountId}, sequences 1 to 3: complete and unchanged\\.\n2 signed heads; `),
  );
  expect(await run("account", "thaw", "--account", accountId)).toMatchObject({ code: 0, stderr: "" });
});

test("reports errors on standard error", async () => {
  const unknown = await run("audit-export", "--account", "acct_00000000000000000000000000");
  expect(unknown).toEqual({
    code: 1,
    stdout: "",
    stderr: "Account acct_00000000000000000000000000 has no audit events in this period.\n",
  });
  const period = await run(
    "audit-export",
    "--account",
    "acct_00000000000000000000000000",
    "--from",
    "yesterday",
  );
  expect(period.stderr).toMatch(/^--from yesterday: Send an ISO 8601 timestamp in UTC/);
  expect(await run("audit-verify")).toMatchObject({ code: 1, stdout: "" });
  const missing = join(folder, "missing");
  for (const script of ["audit-verify", "archive-verify"])
    expect(await run(script, missing)).toEqual({
      code: 1,
      stdout: "",
      stderr: `There is no file ${missing}.\n`,
    });
  expect(await run("vault-rotate", "--help")).toEqual({
    code: 1,
    stdout: "",
    stderr: "npm run vault:rotate takes no argument --help.\n",
  });
  const nobody = await run(
    "audit-erase",
    "--account",
    "acct_00000000000000000000000000",
    "--end-user",
    "eve",
  );
  expect(nobody).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has no member, key or end user eve"),
  });
});
