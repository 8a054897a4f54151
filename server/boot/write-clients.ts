import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtClient } from "../clients/handle-clients.ts";
import { CLIENTS, type ClientName, packClient } from "../clients/pack-client.ts";
import { sourceFolder } from "../source-folder.ts";

for (const name of Object.keys(CLIENTS) as ClientName[]) {
  const file = join(sourceFolder(), builtClient(name));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await packClient(name));
}
