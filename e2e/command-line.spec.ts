import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const folder = mkdtempSync(join(tmpdir(), "e2e-cli-"));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the unpacked command line; `onStderr` gets its standard error so far. */
function msp(args: readonly string[], onStderr: (stderr: string) => void = () => {}) {
  const child = spawn(process.execPath, [join(folder, "package/dist/cli/src/main.js"), ...args], {
    cwd: folder,
    env: { NODE_ENV: "test", PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: folder },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
    onStderr(stderr);
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
}

test("a person installs the command line, signs it in, works with it, and ends it in the console", async ({
  page,
}) => {
  await signUp(page);
  const { origin } = new URL(page.url());
  const served = await page.request.get("/clients/cli.tgz");
  writeFileSync(join(folder, "cli.tgz"), await served.body());
  mkdirSync(join(folder, "package"), { recursive: true });
  expect(spawnSync("tar", ["-xzf", "cli.tgz"], { cwd: folder }).status).toBe(0);

  let link: string | undefined;
  const login = msp(["login", "--base-url", origin, "--no-browser"], (stderr) => {
    link ??= /Open (\S+)\n/.exec(stderr)?.[1];
  });
  await expect.poll(() => link).toBeDefined();
  await page.goto(String(link));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Command line is connected" })).toBeVisible();
  const signedIn = await login;
  expect([signedIn.code, signedIn.stdout]).toEqual([0, expect.stringContaining('"Command line (')]);

  const made = await msp(["projects", "create", "--name", "By the command line"]);
  expect([made.code, JSON.parse(made.stdout).name]).toEqual([0, "By the command line"]);
  await page.goto("/projects");
  await expect(page.getByText("By the command line")).toBeVisible();
  expect((await msp(["doctor"])).stderr).toBe("");

  await page.goto("/api-keys/apps");
  const connected = page.getByRole("table", { name: "Connected apps" });
  await expect(connected.getByRole("row", { name: /Command line/ })).toContainText("Ada Lovelace");
  await expectGoodLooks(page);
  await page.goto("/security");
  const row = page.getByRole("row", { name: /Command line/ });
  await row.getByRole("button", { name: "Row actions" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toBeHidden();
  const ended = await msp(["projects", "list"]);
  expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining("msp login")]);
});
