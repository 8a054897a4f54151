import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The version and commit that a process was built from. */
export interface Release {
  version: string;
  /** Null if unknown. */
  commit: string | null;
}

const Manifest = z.object({ version: z.string() });
const root = new URL("../../", import.meta.url);

/** Returns the commit of the sources' own repository, never that of an enclosing folder. */
function checkedOut(): string | null {
  const gitDir = fileURLToPath(new URL(".git", root));
  try {
    return execFileSync("git", [`--git-dir=${gitDir}`, "rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2000,
    }).trim();
  } catch {
    return null;
  }
}

/** Returns the version in `package.json` and the commit: COMMIT, else that of the repository. */
export function releaseOf(commit: string | undefined): Release {
  const { version } = Manifest.parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));
  return { version, commit: commit ?? checkedOut() };
}
