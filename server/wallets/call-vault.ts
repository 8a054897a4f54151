import { log } from "#server/base/log.ts";
import { onceAMinute } from "#server/base/pace.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { VaultUnavailable } from "#server/providers/vault/key-encryption.ts";
import type { Vault } from "#server/providers/vault/vault.ts";

const RETRY_AFTER_SECONDS = 5;
const isDue = onceAMinute();

/** Calls the vault; responds 503 if the key management service is unavailable. */
export async function callVault<Result>(work: (vault: Vault) => Promise<Result>): Promise<Result> {
  try {
    return await work(platform().vault);
  } catch (reason) {
    if (!(reason instanceof VaultUnavailable)) throw reason;
    if (isDue("use")) log.warn("The vault failed.", { error: reason });
    throw new ApiError(
      "service_unavailable",
      reason.message,
      { operationState: "not_started", retryAfterSeconds: RETRY_AFTER_SECONDS },
      { cause: reason },
    );
  }
}
