import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { z } from "zod";

type Keys = readonly Uint8Array[];

const Secrets = z.record(z.string(), z.string());

function readKeys(file: string): Keys {
  const { VAULT_KEYS = "" } = Secrets.parse(JSON.parse(readFileSync(file, "utf8")));
  return VAULT_KEYS.split(",").map((key) => Buffer.from(key, "base64"));
}

/** Returns a function that reads the vault's keys from the secrets file, so that a running process sees changes. */
export function keptVaultKeys(file: string): () => Keys {
  let keys: Keys = [];
  let seen = "";
  return () => {
    const { ino, mtimeMs } = statSync(file);
    const version = `${ino}/${mtimeMs}`;
    if (version !== seen) keys = readKeys(file);
    seen = version;
    return keys;
  };
}

/** Changes the vault's keys in the secrets file, atomically; every other secret stays. */
export function changeVaultKeys(file: string, change: (keys: Keys) => Keys): void {
  const secrets = Secrets.parse(JSON.parse(readFileSync(file, "utf8")));
  const keys = change(readKeys(file)).map((key) => Buffer.from(key).toString("base64"));
  const draft = `${file}.${process.pid}`;
  try {
    const changed = { ...secrets, VAULT_KEYS: keys.join(",") };
    writeFileSync(draft, JSON.stringify(changed, null, 2), { mode: 0o600, flush: true });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
