import { join } from "node:path";
import { processWide } from "./process-wide.ts";

// Next.js bundles its own copy of every module, and a bundle does not know its folder; the copy that Node has
// loaded does.
const holder = processWide<string>("source-folder");
const here: string | undefined = import.meta.dirname;
if (here) holder.state ??= join(here, "../..");

/**
 * Returns the folder of the platform's sources, independent of the working directory; "" before Node has
 * loaded this module.
 */
export const sourceFolder = (): string => holder.state ?? "";
