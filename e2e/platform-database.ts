import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";

/** Opens the database of the server under test. */
export function openPlatform() {
  const folder = join(process.env.DATA_DIR as string, "postgres/platform");
  const password = readFileSync(`${folder}.password`, "utf8").trim();
  const port = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[3];
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/platform`;
  return postgres(url, { max: 1, onnotice: () => undefined });
}
