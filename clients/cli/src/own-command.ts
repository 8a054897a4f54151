import type { ParseArgsConfig } from "node:util";
import type { Arguments } from "./arguments.ts";

/** A command that is not exactly one operation. */
export interface OwnCommand {
  /** Its names, word by word; help shows the first. */
  words: readonly (readonly string[])[];
  /** The parameters after its words, e.g. `RUN [--follow]`. */
  usage: string;
  summary: string;
  /** The operation whose help it extends, if it is based on one. */
  operation?: string;
  /** A description of each option that is not the operation's. */
  about?: Readonly<Record<string, string>>;
  options(): NonNullable<ParseArgsConfig["options"]>;
  /** Executes it; `given` has the positional arguments after its words. */
  run(given: Arguments): Promise<void>;
}
