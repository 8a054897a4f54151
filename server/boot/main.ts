// Two steps, since this changes only how later imports are found.
import "./quick-imports.mjs";

await import("./start.ts");
