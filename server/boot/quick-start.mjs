import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import "./quick-imports.mjs";

// Compiling its modules is a third of a start's processor time. If the folder can't be written, only that is lost.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));
