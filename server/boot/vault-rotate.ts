import { changeVaultKeys } from "../env/vault-keys.ts";
import { random } from "../ids.ts";
import { localKeyId } from "../providers/vault/local-keys.ts";
import { openVault } from "../providers/vault/vault.ts";
import { rotateKeys } from "../wallets/rotate-keys.ts";
import { Refusal, sayFailure } from "./refusal.ts";
import { withDatabase } from "./with-database.ts";

// Where the keys are kept in the data folder, a new one goes in front of them, and those that nothing needs any more go. A
// process that runs sees that before it wraps again, and the key before stays: what it has wrapped meanwhile still opens.
try {
  const unknown = process.argv.slice(2).join(" ");
  if (unknown) throw new Refusal(`Use npm run vault:rotate alone; it takes no ${unknown}.`);
  await withDatabase(async ({ db }, { vault: settings, vaultKeysFile }) => {
    const vault = openVault(settings);
    const begin = (inUse: readonly string[]) => {
      if (!vaultKeysFile || settings.kms) return;
      changeVaultKeys(vaultKeysFile, ([current, ...others]) => [
        random(32),
        ...(current ? [current] : []),
        ...others.filter((key) => inUse.includes(localKeyId(key))),
      ]);
    };
    const count = await rotateKeys(db, vault, begin);
    console.log(
      `${count} ${count === 1 ? "key was" : "keys were"} wrapped anew; all are under ${vault.current()}.`,
    );
  });
} catch (error) {
  sayFailure(error);
}
