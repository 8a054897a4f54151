const bytesOf = (text: string) => new TextEncoder().encode(text);
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function sign(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(text)));
}

/** True if a secret made one of the signatures in a delivery's headers; the secret never leaves the page. */
export async function isSignedWith(
  secret: string,
  { headers, body }: { headers: string; body: string },
): Promise<boolean> {
  const value = (name: string) => new RegExp(`^${name}:\\s*(.*?)\\s*$`, "im").exec(headers)?.[1] ?? "";
  const [time = "", ...hex] = value("x-service-signature").split(",");
  const whole = await sign(bytesOf(secret), `${time.slice("t=".length)}.${body}`);
  if (hex.includes(`v1=${[...whole].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`))
    return true;
  const signed = `${value("webhook-id")}.${value("webhook-timestamp")}.${body}`;
  const standard = await sign(fromBase64(secret.slice("whsec_".length)), signed);
  return value("webhook-signature")
    .split(" ")
    .includes(`v1,${btoa(String.fromCharCode(...standard))}`);
}
