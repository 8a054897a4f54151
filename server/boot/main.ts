import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
// Two steps, since this changes only how later imports are found.
import "./quick-imports.mjs";

// Compiling its modules is a third of what a start costs the processor. A folder that can't be written costs nothing else.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));
await import(process.argv[2] === "part" ? "./part.ts" : "./start.ts");
