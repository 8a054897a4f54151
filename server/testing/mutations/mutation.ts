/**
 * How a fault is found: by torture of some areas under some faults, by requests to some operations, or by the tests of a
 * file whose names begin like this.
 */
export type Proof =
  | { by: "torture"; seconds: number; seed: number; areas?: string[]; faults?: string[] }
  | { by: "fuzz"; requests: number; seed: number; operations?: string[] }
  | { by: "tests"; file: string; named?: string };

export interface Change {
  file: string;
  /** Must occur in the file exactly once. */
  before: string;
  after: string;
}

/** A fault to put into the product, and the proof that finds it. */
export interface Mutation {
  name: string;
  changes: Change[];
  proof: Proof;
}

/** Returns the file's text with the changes applied; fails unless each `before` occurs exactly once. */
export function mutated(file: string, text: string, changes: readonly Change[]): string {
  return changes
    .filter((change) => change.file === file)
    .reduce((changed, { before, after }) => {
      const places = changed.split(before).length - 1;
      if (places !== 1)
        throw new Error(`${file} has ${places} times the text that a mutation replaces: ${before}`);
      return changed.replace(before, () => after);
    }, text);
}
