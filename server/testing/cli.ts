import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unique } from "./api.ts";
import { endWithTest } from "./children.ts";
import { onCleanup } from "./cleanup.ts";

/** The outcome of a command. */
interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Downloads the command line from an installation, into a folder for one test file. */
async function downloadCli(origin: string) {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const answer = await fetch(`${origin}/clients/cli.tgz`);
  const tarball = join(folder, "cli.tgz");
  writeFileSync(tarball, Buffer.from(await answer.arrayBuffer()));
  return { folder, tarball };
}

function mustRun(program: string, args: readonly string[]) {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

/** Installs an installation's command line with npm, as a person does. */
export async function installByNpm(origin: string) {
  const { folder, tarball } = await downloadCli(origin);
  mustRun("npm", [
    "install",
    `--prefix=${folder}`,
    `--cache=${join(folder, "cache")}`,
    "--offline",
    "--no-audit",
    "--no-fund",
    tarball,
  ]);
  return installedIn(folder);
}

/** Unpacks an installation's command line to where npm puts it, for tests of its behaviour. */
export async function installCli(origin: string) {
  const { folder, tarball } = await downloadCli(origin);
  const installed = installedIn(folder);
  mkdirSync(installed.package, { recursive: true });
  mustRun("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed.package]);
  const { bin } = JSON.parse(readFileSync(join(installed.package, "package.json"), "utf8"));
  const program = join(installed.package, bin.msp);
  chmodSync(program, 0o755);
  mkdirSync(installed.bin);
  symlinkSync(program, join(installed.bin, "msp"));
  return installed;
}

function installedIn(folder: string) {
  const bin = join(folder, "node_modules/.bin");

  /** Returns a person's computer with a configuration of its own. */
  function computer(environment: Record<string, string> = {}) {
    const config = join(folder, unique("config"));
    mkdirSync(config);

    /** Starts a command; `lines` gets the lines that it prints for its person while it runs. */
    function start(
      args: readonly string[],
      { input = "", more = {} }: { input?: string; more?: Record<string, string> } = {},
    ) {
      const child = spawn(join(bin, "msp"), [...args], {
        cwd: config,
        env: {
          NODE_ENV: "test",
          PATH: process.env.PATH ?? "",
          XDG_CONFIG_HOME: config,
          ...environment,
          ...more,
        },
      });
      endWithTest(child);
      const ran: CommandResult = { code: null, stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text) => {
        ran.stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        ran.stderr += text;
      });
      child.stdin.end(input);
      const ended = new Promise<CommandResult>((resolve) =>
        child.on("close", (code) => {
          ran.code = code;
          resolve(ran);
        }),
      );
      return { child, ran, ended };
    }
    const run = (args: readonly string[], options?: Parameters<typeof start>[1]) =>
      start(args, options).ended;
    /** Runs a command that has to succeed; returns its output parsed as JSON. */
    async function json(...args: string[]) {
      const { code, stdout, stderr } = await run([...args, "--output", "json"]);
      if (code !== 0) throw new Error(`msp ${args.join(" ")}: ${code} ${stderr}`);
      return JSON.parse(stdout);
    }
    return { config, credentials: join(config, "managed-services/credentials.json"), start, run, json };
  }
  return {
    package: join(folder, "node_modules/@managed-services/cli"),
    bin,
    computer,
  };
}
