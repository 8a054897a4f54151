/**
 * Returns the hash of a payload as this browser computes it; null if it cannot, because browsers hash only over TLS.
 */
export async function payloadHashOf(payload: unknown): Promise<string | null> {
  const text = JSON.stringify(payload);
  if (text === undefined || text === "null" || !globalThis.crypto?.subtle) return null;
  const { default: canonicalize } = await import("canonicalize");
  const bytes = new TextEncoder().encode(canonicalize(JSON.parse(text)));
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
