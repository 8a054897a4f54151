import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packClient } from "#server/clients/pack-client.ts";
import { type Block, codeOf } from "#server/docs/page.ts";
import { onCleanup } from "./cleanup.ts";

const run = promisify(execFile);

/** Returns the texts of a page's examples in a language. */
export function examplesIn(language: string, blocks: readonly Block[] = []): string[] {
  return codeOf(blocks).flatMap((code) => (code.language === language ? [code.text] : []));
}

/** Creates a reader's folder with the SDK in it, until the test file ends. `bin` has folders of additional commands. */
export async function createShell(origin: string, bin: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  // Not every machine has the command that generates UUIDs.
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "uuidgen"), "#!/bin/sh\ncat /proc/sys/kernel/random/uuid\n");
  chmodSync(join(folder, "bin", "uuidgen"), 0o755);
  const sdk = join(folder, "node_modules/@managed-services/sdk");
  mkdirSync(sdk, { recursive: true });
  writeFileSync(join(folder, "sdk.tgz"), await packClient("sdk"));
  await run("tar", ["-xzf", join(folder, "sdk.tgz"), "--strip-components=1", "-C", sdk]);

  /** Writes a file whose examples call the API of this origin; returns its path. */
  function written(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text.replaceAll("http://platform.test", origin));
    return path;
  }

  function execute(command: string, args: string[], env: Record<string, string>) {
    const PATH = [join(folder, "bin"), ...bin, process.env.PATH].join(":");
    return run(command, args, { cwd: folder, env: { NODE_ENV: "test", PATH, ...env } });
  }

  return { folder, written, execute };
}
