import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onCleanup } from "./cleanup.ts";

/** Mounts a FUSE file system without a server over the folder, until its input ends: every access hangs. */
const MOUNT = `exec 3<>/dev/fuse
mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none "$1" || exit 1
echo mounted
cat > /dev/null
exec 3>&-
umount --lazy "$1"`;

/** True if this process may mount such a file system. */
export const canHang = (() => {
  if (!existsSync("/dev/fuse")) return false;
  const folder = mkdtempSync(join(tmpdir(), "hanging-folder-"));
  const mounted = spawnSync("sh", ["-c", MOUNT, "sh", folder], { input: "", stdio: "pipe" }).status === 0;
  rmSync(folder, { recursive: true });
  return mounted;
})();

/** Makes every access to a folder hang, as if its file server were gone, until the returned function is called. */
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
