import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import "./quick-imports.mjs";

// Compiling its modules is a third of what a start costs the processor. A folder that can't be written costs nothing else.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));
