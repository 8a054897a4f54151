import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keysOf } from "#server/base/keys-of.ts";
import { sourceFolder } from "../base/source-folder.ts";
import { builtClient } from "../clients/handle-clients.ts";
import { CLIENTS, packClient } from "../clients/pack-client.ts";

for (const name of keysOf(CLIENTS)) {
  const file = join(sourceFolder(), builtClient(name));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await packClient(name));
}
