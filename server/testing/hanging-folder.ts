import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onCleanup } from "./cleanup.ts";

/** Mounts a file system (FUSE) that nobody serves over the folder, until its input ends: whatever is asked of it hangs. */
const MOUNT = `exec 3<>/dev/fuse
mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none "$1" || exit 1
echo mounted
cat > /dev/null
exec 3>&-
umount --lazy "$1"`;

/** Whether this process may mount a file system that hangs. */
export const canHang = (() => {
  if (!existsSync("/dev/fuse")) return false;
  const folder = mkdtempSync(join(tmpdir(), "hanging-folder-"));
  const mounted = spawnSync("sh", ["-c", MOUNT, "sh", folder], { input: "", stdio: "pipe" }).status === 0;
  rmSync(folder, { recursive: true });
  return mounted;
})();

/** Has a folder hang, as that of a file server which is gone does, until the answer is called. */
export async function hangFolder(folder: string): Promise<() => Promise<void>> {
  const child = spawn("sh", ["-c", MOUNT, "sh", folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit");
  await once(child.stdout, "data");
  async function free() {
    child.stdin.end();
    await gone;
  }
  onCleanup(free);
  return free;
}
