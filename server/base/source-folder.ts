import { join } from "node:path";

// Next.js bundles its own copy of every module, and a bundle does not know its folder; the copy that Node has
// loaded does.
const KEY = Symbol.for("managed-services.source-folder");
const holder = globalThis as { [KEY]?: string };
const here: string | undefined = import.meta.dirname;
if (here) holder[KEY] ??= join(here, "../..");

/**
 * Returns the folder of the platform's sources, independent of the working directory; "" before Node has
 * loaded this module.
 */
export const sourceFolder = (): string => holder[KEY] ?? "";
