import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unique } from "./api.ts";
import { endWithTest } from "./children.ts";
import { onCleanup } from "./cleanup.ts";

/** What a command has answered. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Installs the command line that an installation serves, as a person does, for one test file. */
export async function installCli(origin: string) {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const answer = await fetch(`${origin}/clients/cli.tgz`);
  writeFileSync(join(folder, "cli.tgz"), Buffer.from(await answer.arrayBuffer()));
  const options = [
    "--prefix",
    folder,
    "--cache",
    join(folder, "cache"),
    "--offline",
    "--no-audit",
    "--no-fund",
  ];
  const installed = spawnSync("npm", ["install", ...options, join(folder, "cli.tgz")], { encoding: "utf8" });
  if (installed.status !== 0) throw new Error(`npm install: ${installed.stderr}`);
  const bin = join(folder, "node_modules/.bin/msp");

  /** A person's computer: a configuration of its own. */
  function computer(environment: Record<string, string> = {}) {
    const config = join(folder, unique("config"));
    mkdirSync(config);

    /** Begins a command; `lines` gets what it tells its person while it runs. */
    function start(args: readonly string[], { input = "", more = {} as Record<string, string> } = {}) {
      const child = spawn(bin, [...args], {
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
      const ran: Ran = { code: null, stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text) => {
        ran.stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        ran.stderr += text;
      });
      child.stdin.end(input);
      const ended = new Promise<Ran>((resolve) =>
        child.on("close", (code) => {
          ran.code = code;
          resolve(ran);
        }),
      );
      return { child, ran, ended };
    }
    const run = (args: readonly string[], options?: Parameters<typeof start>[1]) =>
      start(args, options).ended;
    /** What a command that has to succeed writes, as JSON. */
    async function json(...args: string[]) {
      const { code, stdout, stderr } = await run([...args, "--output", "json"]);
      if (code !== 0) throw new Error(`msp ${args.join(" ")}: ${code} ${stderr}`);
      return JSON.parse(stdout);
    }
    return { config, credentials: join(config, "managed-services/credentials.json"), start, run, json };
  }
  return {
    package: join(folder, "node_modules/@managed-services/cli"),
    bin: join(folder, "node_modules/.bin"),
    computer,
  };
}
