import { statSync } from "node:fs";

/** The path of a file that an operator has named; where there is none, throws an error with the message for them. */
export function operatorFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file ${path}.`);
  if (found.isDirectory()) throw new Error(`${path} is a folder, not a file.`);
  return path;
}
