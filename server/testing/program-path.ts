import { join } from "node:path";

/** Returns a program's source, or its bundle in a run of all tests. */
const pathOf = (folder: string, name: string): string =>
  process.env.TEST_PROGRAMS
    ? join(process.env.TEST_PROGRAMS, `${name}.mjs`)
    : join(import.meta.dirname, folder, `${name}.ts`);

/** Returns the path of a program of `processes/`. */
export const processPath = (name: string): string => pathOf("processes", name);

/** Returns the path of an operators' command, which `npm run` starts. */
export const commandPath = (name: string): string => pathOf("../boot/commands", name);
