import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the TypeScript files in these folders of the project, tests included. */
export function filesIn(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"));
}

/** The product's own files, without tests. */
export const sourceFiles = filesIn("app", "clients", "components", "db", "server").filter(
  (file) => !/\.test\.tsx?$|\.d\.ts$/.test(file),
);
