import { statSync } from "node:fs";

/** The path of a file that an operator has named; throws what he is told where there is none. */
export function operatorFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file ${path}.`);
  if (found.isDirectory()) throw new Error(`${path} is a folder, not a file.`);
  return path;
}
