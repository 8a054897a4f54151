import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "#server/base/thrown.ts";
import { onCleanup } from "./cleanup.ts";

/** True if this process can mount a file system of its own, which other processes can fill too. */
export const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "none", folder], { stdio: "ignore" }).status === 0;
  if (mounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
})();

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;

/**
 * Returns a disk that a test can fill: a file system of its own if this process may mount one, otherwise a folder and a
 * limit on the size of every file that the process writes, which fails writes in the same way.
 */
export function smallDisk(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  const filler = join(folder, "filler");
  const mounted = canMount && run("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "none", folder);
  const data = join(folder, "data");
  mkdirSync(data);
  const ignore = () => undefined;
  const bound = (limit: string) => run("prlimit", "--pid", String(process.pid), `--fsize=${limit}:unlimited`);
  // The signal's default action ends the process.
  if (!mounted) process.on("SIGXFSZ", ignore);

  function free() {
    rmSync(filler, { force: true });
    if (!mounted) bound("unlimited");
  }

  onCleanup(() => {
    free();
    if (mounted) run("umount", "--lazy", folder);
    else process.off("SIGXFSZ", ignore);
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    /** A folder on it. */
    folder: data,
    free,
    /** Uses up all free space. */
    fill() {
      if (!mounted) return void bound("4096");
      const file = openSync(filler, "w");
      const block = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, block);
      } catch (reason) {
        if (codeOf(reason) !== "ENOSPC") throw reason;
      } finally {
        closeSync(file);
      }
    },
  };
}
