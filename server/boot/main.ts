// Imported in two steps, since the first changes how later imports are resolved.
import "./quick-start.mjs";

await import(process.argv[2] === "part" ? "./part.ts" : "./start.ts");
