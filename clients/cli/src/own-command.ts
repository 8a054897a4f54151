import type { ParseArgsConfig } from "node:util";
import type { Arguments } from "./arguments.ts";

/** A command that is no operation, or more than one. */
export interface OwnCommand {
  /** What it is called, word by word; the first is the one that help shows. */
  words: readonly (readonly string[])[];
  /** What stands after its words, e.g. `RUN [--follow]`. */
  usage: string;
  summary: string;
  /** The operation that it is made of, where its help is that of the operation. */
  operation?: string;
  /** Each option with what it does, where it is not the operation's. */
  about?: Readonly<Record<string, string>>;
  options(): NonNullable<ParseArgsConfig["options"]>;
  /** Carries it out; `given` has the positional arguments after its words. */
  run(given: Arguments): Promise<void>;
}
