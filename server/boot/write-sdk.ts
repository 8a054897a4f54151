import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILT_SDK } from "../clients/handle-clients.ts";
import { packSdk } from "../clients/pack-sdk.ts";
import { sourceFolder } from "../source-folder.ts";

const file = join(sourceFolder(), BUILT_SDK);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await packSdk());
