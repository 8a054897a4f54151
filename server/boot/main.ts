// Two steps, since this changes only how later imports are found.
import "./quick-start.mjs";

await import(process.argv[2] === "part" ? "./part.ts" : "./start.ts");
