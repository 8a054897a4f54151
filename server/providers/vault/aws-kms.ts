import { AwsClient } from "aws4fetch";
import { defined } from "#server/base/defined.ts";
import { span, telemetry } from "#server/base/telemetry.ts";
import { type KeyEncryption, kmsKeyId, VaultError, VaultUnavailable } from "./key-encryption.ts";

/** A key in AWS KMS, which never leaves it. */
export interface KmsSettings {
  /** Its ARN. */
  key: string;
  /** Its address; by default AWS itself. */
  url?: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}

type Action = "Encrypt" | "Decrypt";

const ANSWER_MS = 5000;

/** Wraps under a key of AWS KMS; the context is its encryption context, which AWS logs. */
export function awsKms(settings: KmsSettings): KeyEncryption {
  const { key, accessKeyId, secretAccessKey } = settings;
  const region = defined(key.split(":")[3]);
  const url = settings.url ?? `https://kms.${region}.amazonaws.com/`;
  const client = new AwsClient({ service: "kms", region, accessKeyId, secretAccessKey, retries: 2 });
  const kekId = kmsKeyId(key);

  const ask = (action: Action, field: string, asked: object): Promise<Uint8Array> =>
    span(
      `KMS ${action}`,
      () => ({ kind: "client", attributes: { "server.address": new URL(url).hostname } }),
      () => exchange(action, field, asked),
    );

  async function exchange(action: Action, field: string, asked: object): Promise<Uint8Array> {
    const headers = {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `TrentService.${action}`,
    };
    const body = JSON.stringify({ KeyId: key, ...asked });
    let response: Response;
    let answer: Record<string, string>;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      response = await client.fetch(url, {
        method: "POST",
        headers,
        body,
        signal,
        aws: { allHeaders: true },
      });
      telemetry.tracing?.set({ "http.response.status_code": response.status });
      answer = (await response.json()) as Record<string, string>;
    } catch (cause) {
      throw new VaultUnavailable(UNAVAILABLE, { cause });
    }
    if (response.ok && typeof answer[field] === "string")
      return new Uint8Array(Buffer.from(answer[field], "base64"));
    if (answer.__type?.endsWith("InvalidCiphertextException"))
      throw new VaultError("The sealed value belongs to something else, or was altered.");
    throw new VaultUnavailable(UNAVAILABLE, {
      cause: new Error(`${action}: ${response.status} ${answer.__type}`),
    });
  }

  return {
    current: () => kekId,
    async wrap(dataKey, context) {
      const wrapped = await ask("Encrypt", "CiphertextBlob", {
        Plaintext: Buffer.from(dataKey).toString("base64"),
        EncryptionContext: { context },
      });
      return { kekId, wrapped };
    },
    unwrap: ({ wrapped }, context) =>
      ask("Decrypt", "Plaintext", {
        CiphertextBlob: Buffer.from(wrapped).toString("base64"),
        EncryptionContext: { context },
      }),
  };
}

const UNAVAILABLE = "The key management service (VAULT_KMS_KEY) is not available.";
