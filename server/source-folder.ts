import { join } from "node:path";

// Next.js bundles its own copy of every module, and a bundle has no folder: the copy that Node has loaded knows it.
const KEY = Symbol.for("managed-services.source-folder");
const holder = globalThis as { [KEY]?: string };
const here: string | undefined = import.meta.dirname;
if (here) holder[KEY] ??= join(here, "..");

/** Where the platform's own files lie, whatever folder it was started in; "" before Node has loaded this module. */
export const sourceFolder = (): string => holder[KEY] ?? "";
