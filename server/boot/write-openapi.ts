import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generateCli } from "../clients/cli-commands.ts";
import { type Document, generateSdk } from "../clients/typescript-sdk.ts";
import { apiOperations } from "../operations.ts";
import { openApiDocument } from "../transports/openapi/document.ts";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Addresses are relative to the document's own, since the document is the same for every installation.
const document = openApiDocument(apiOperations, "");
const file = pathOf("../transports/openapi.json");
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
console.log(`Wrote ${file}: ${Object.keys(document.paths).length} paths.`);
for (const [name, text] of Object.entries(generateSdk(document as unknown as Document)))
  writeFileSync(pathOf(`../../clients/typescript/src/generated/${name}`), text);
const commands = generateCli(document as unknown as Document, apiOperations);
writeFileSync(pathOf("../../clients/cli/src/generated/commands.ts"), commands);
