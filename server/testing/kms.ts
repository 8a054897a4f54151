import { createServer } from "node:http";
import { decrypt, encrypt } from "#server/base/aes-gcm.ts";
import type { KmsSettings } from "#server/providers/vault/aws-kms.ts";
import { AWS_CREDENTIALS, isSigned } from "./aws-signature.ts";
import { startStoppable } from "./stoppable.ts";

const KEY = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

/** Starts a server with the protocol of AWS KMS and one key; it refuses unsigned requests. */
export async function startKms() {
  const secret = new Uint8Array(32).fill(7);
  const seen: string[] = [];

  function answer(
    action: string,
    { KeyId, Plaintext, CiphertextBlob, EncryptionContext }: Record<string, string>,
  ) {
    const context = JSON.stringify(EncryptionContext);
    if (KeyId !== KEY) return [400, { __type: "NotFoundException" }] as const;
    const bytes = Buffer.from(Plaintext ?? CiphertextBlob ?? "", "base64");
    if (action === "TrentService.Encrypt")
      return [200, { KeyId, CiphertextBlob: base64(encrypt(secret, context, bytes)) }] as const;
    const plain = decrypt(secret, context, bytes);
    if (!plain) return [400, { __type: "InvalidCiphertextException" }] as const;
    return [200, { KeyId, Plaintext: base64(plain) }] as const;
  }

  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const action = String(message.headers["x-amz-target"]);
    seen.push(action);
    const signed = isSigned(message, body);
    const [status, content] = signed
      ? answer(action, JSON.parse(body.toString()))
      : ([400, { __type: "InvalidSignatureException" }] as const);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(content));
  });
  const { origin, stop, start } = await startStoppable(server);
  const settings: KmsSettings = { key: KEY, url: `${origin}/`, ...AWS_CREDENTIALS };
  return { settings, seen, stop, start };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
