import { createServer, type IncomingMessage } from "node:http";
import { defined } from "#server/base/defined.ts";
import type { S3Settings } from "#server/providers/blobs/blob-store.ts";
import { AWS_CREDENTIALS, isSigned, sha256 } from "./aws-signature.ts";
import { startStoppable } from "./stoppable.ts";

/**
 * Starts a server with the S3 protocol that holds one bucket in memory, and refuses requests that are unsigned or out
 * of order.
 */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  /**
   * `failing` refuses requests and counts them in `refused`, `silent` accepts requests without responding, `stalling` sends half of an object, `losing` confirms uploads without
   * storing them.
   */
  const state = {
    objects,
    uploads,
    failing: false,
    refused: 0,
    silent: false,
    stalling: false,
    losing: false,
  };

  function answer(
    message: IncomingMessage,
    body: Buffer,
  ): [status: number, content: string | Buffer, etag?: string] {
    const url = new URL(defined(message.url), "http://s3");
    const { searchParams: query } = url;
    const key = url.pathname.replace("/bucket/", "");
    const upload = uploads.get(query.get("uploadId") ?? "");
    if (state.failing) state.refused += 1;
    if (state.failing) return [503, "<Error><Code>SlowDown</Code></Error>"];
    if (!isSigned(message, body)) return [403, "<Error><Code>SignatureDoesNotMatch</Code></Error>"];
    switch (
      `${message.method}${query.has("uploads") ? " uploads" : query.has("uploadId") ? " upload" : ""}`
    ) {
      case "PUT":
        if (!state.losing) objects.set(key, body);
        return [200, ""];
      case "POST uploads": {
        const uploadId = `upload-${uploads.size + 1}`;
        uploads.set(uploadId, { key, parts: new Map() });
        return [200, `<R><UploadId>${uploadId}</UploadId></R>`];
      }
      case "PUT upload":
        upload?.parts.set(Number(query.get("partNumber")), body);
        return upload ? [200, "", `"${sha256(body)}"`] : [404, ""];
      case "POST upload": {
        const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)];
        const parts = named.map(([, number, etag]) => {
          const part = upload?.parts.get(Number(number));
          return part && sha256(part) === etag ? part : undefined;
        });
        if (parts.some((part) => !part)) return [200, "<Error><Code>InvalidPart</Code></Error>"];
        objects.set(key, Buffer.concat(parts as Buffer[]));
        uploads.delete(defined(query.get("uploadId")));
        return [200, "<R/>"];
      }
      case "DELETE upload":
        return [uploads.delete(defined(query.get("uploadId"))) ? 204 : 404, ""];
      case "GET uploads": {
        const begun = [...uploads].filter(([, { key }]) => key.startsWith(defined(query.get("prefix"))));
        return [200, begun.map(([id]) => `<Upload><UploadId>${id}</UploadId></Upload>`).join("")];
      }
      case "DELETE":
        objects.delete(key);
        return [204, ""];
      default: {
        const object = objects.get(key);
        if (!object) return [404, "<Error><Code>NoSuchKey</Code></Error>"];
        const [, start, end] = /bytes=(\d+)-(\d+)/.exec(message.headers.range ?? "") ?? [];
        return start === undefined ? [200, object] : [206, object.subarray(Number(start), Number(end) + 1)];
      }
    }
  }

  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    if (state.silent) return;
    const [status, content, etag] = answer(message, Buffer.concat(chunks));
    if (state.stalling) return void response.writeHead(status).write(content.slice(0, content.length / 2));
    response.writeHead(status, { ...(etag && { etag }) }).end(message.method === "HEAD" ? "" : content);
  });
  const { origin, stop, start } = await startStoppable(server);
  const settings: S3Settings = {
    url: `${origin}/bucket/some/prefix`,
    region: "eu-central-1",
    ...AWS_CREDENTIALS,
  };
  return { ...state, state, settings, stop, start };
}
