import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { apiOperations } from "../operations.ts";
import { openApiDocument } from "../transports/openapi/document.ts";

// Addresses relative to the document's own, since it is the same for every installation.
const document = openApiDocument(apiOperations, "");
const file = fileURLToPath(new URL("../transports/openapi.json", import.meta.url));
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`Wrote ${file}: ${Object.keys(document.paths).length} paths.`);
