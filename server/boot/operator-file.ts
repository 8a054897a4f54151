import { statSync } from "node:fs";

/**
 * Returns the path of a file that an operator has named; throws an error with a message for them if it does not exist.
 */
export function operatorFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file ${path}.`);
  if (found.isDirectory()) throw new Error(`${path} is a folder, not a file.`);
  return path;
}
