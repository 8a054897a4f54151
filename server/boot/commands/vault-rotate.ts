import { random } from "../../base/ids.ts";
import { changeVaultKeys } from "../../env/vault-keys.ts";
import { localKeyId } from "../../providers/vault/local-keys.ts";
import { openVault } from "../../providers/vault/vault.ts";
import { rotateKeys } from "../../wallets/rotate-keys.ts";
import { Refusal, sayFailure } from "../refusal.ts";
import { withDatabase } from "../with-database.ts";

// If the keys are in the data folder, inserts a new one before them and removes those that are not needed any more. A
// running process sees the new key before it wraps again, and the previous key stays: values that it wrapped meanwhile
// still open.
try {
  const unknown = process.argv.slice(2).join(" ");
  if (unknown) throw new Refusal(`npm run vault:rotate takes no argument ${unknown}.`);
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
      `${count} ${count === 1 ? "key was" : "keys were"} rewrapped; all are wrapped by ${vault.current()}.`,
    );
  });
} catch (error) {
  sayFailure(error);
}
