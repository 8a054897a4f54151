// Plain JavaScript for Node 20, without dependencies: set-up uses it before anything is installed.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The package that holds the node of the sandbox's chains for this machine. */
export const ANVIL_PACKAGE = `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
export const ANVIL_FOLDER = join(root, "node_modules", ANVIL_PACKAGE);

/** The packaged binary; where there is none for this machine, Foundry's own on the path; null without either. */
export function findAnvil() {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "anvil"));
  return [join(ANVIL_FOLDER, "bin", "anvil"), ...onPath].find((path) => existsSync(path)) ?? null;
}
