import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { toUuid } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { trySignIn } from "#server/testing/console.ts";

const api = await startApi();
const script = new URL("account.ts", import.meta.url).pathname;
const dataDir = mkdtempSync(join(tmpdir(), "account-test-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the script as an operator does; beside the test's server, unless told to run without one. */
function account(args: string[], databaseUrl = api.databaseUrl) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, BASE_URL: "" };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [script, ...args], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function creditsOf(accountId: string) {
  const rows = await api.platform.database.db
    .select({ credits: ledgerAccounts.posted })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.accountId, accountId), eq(ledgerAccounts.book, "customer")));
  return rows[0]?.credits;
}

test("creates an account whose person signs in, with a token for its first key", async () => {
  const email = `${unique("operator")}@example.test`;
  const made = await account(["create", "--email", email, "--password", "chosen", "--credits", "1500"]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(
    /^\{"accountId":"acct_[^"]+","memberId":"mbr_[^"]+","creditToken":"svc_credit_[^"]+"\}\n$/,
  );
  const { accountId, creditToken } = JSON.parse(made.stdout);
  expect((await trySignIn(api, { email, password: "chosen" })).error).toBeNull();
  const key = await api.send("POST", "/v1/api-keys", {
    headers: { "x-service-credit-token": creditToken },
    body: { label: "First", scopes: ["projects:read"] },
  });
  expect(key.status).toBe(201);
  expect(await creditsOf(accountId)).toBe(1500);

  const credited = await account(["credit", "--account", accountId, "--credits", "250"]);
  expect(JSON.parse(credited.stdout)).toMatchObject({ accountId, credits: 250 });
  expect(await creditsOf(accountId)).toBe(1750);

  // Queries of the database show this form.
  const uuid = toUuid("account", accountId);
  expect(JSON.parse((await account(["credit", "--account", uuid, "--credits", "50"])).stdout)).toMatchObject({
    accountId,
    credits: 50,
  });
  expect(await creditsOf(accountId)).toBe(1800);

  const token = await account(["token", "--account", accountId]);
  expect(token.stdout).toMatch(/^\{"creditToken":"svc_credit_[^"]+"\}\n$/);
  expect(JSON.parse(token.stdout).creditToken).not.toBe(creditToken);
});

test("reports faults on standard error, and prints nothing on standard output", async () => {
  const missing = await account(["token", "--account", "acct_01jzzzzzzzzzzzzzzzzzzzzzzz"]);
  expect(missing).toEqual({
    code: 1,
    stdout: "",
    stderr: "No account acct_01jzzzzzzzzzzzzzzzzzzzzzzz.\n",
  });
  const faulty = await account(["credit", "--account", "acct_1", "--credits", "1.5"]);
  expect(faulty).toMatchObject({ code: 1, stdout: "" });
  const unknown = await account(["destroy"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("npm run --silent account -- create");
});

test("starts the embedded database where no server runs, and leaves it stopped", async () => {
  const args = ["create", "--email", "ada@example.test", "--password", "chosen", "--credits", "0"];
  const made = await account(args, "");
  expect(made).toMatchObject({ code: 0 });
  const again = await account(args, "");
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain("Somebody has signed up as ada@example.test.");
});

test("makes a link by which a person chooses a new password", async () => {
  const email = `${unique("operator")}@example.test`;
  await account(["create", "--email", email, "--password", "chosen", "--credits", "0"]);
  const { stdout } = await account(["reset-password", "--email", email]);
  expect(JSON.parse(stdout).link).toMatch(/^http:\/\/localhost:\d+\/reset-password\/[\w-]{43}$/);
  const unknown = await account(["reset-password", "--email", "nobody@example.test"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: "Nobody signs in as nobody@example.test.\n" });
});
