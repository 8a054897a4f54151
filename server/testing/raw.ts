import { request } from "node:http";
import type { Answered } from "./api.ts";

export interface RawOptions {
  method: string;
  /** Names and values as they are sent: repeated ones too, in this order. */
  headers: [name: string, value: string][];
  body?: Uint8Array;
  /** Sends the body in chunks, without telling its length. */
  chunked?: boolean;
}

const isJson = (type: string | undefined) => /^application\/(\w+\+)?json/.test(type ?? "");

/** Sends a request as it is, where `fetch` would mend or refuse it. */
export function sendRaw(
  url: string,
  { method, headers, body, chunked = false }: RawOptions,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const framing: [string, string][] = !body
      ? []
      : chunked
        ? [["transfer-encoding", "chunked"]]
        : [["content-length", String(body.byteLength)]];
    const sent = request(url, {
      method,
      headers: [["host", host], ...framing, ...headers].flat(),
      // A body that was announced and never sent would swallow the next request of its connection.
      agent: false,
    });
    sent.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: isJson(response.headers["content-type"]) ? JSON.parse(text || "null") : text || null,
        });
      });
    });
    // After an answer to a body that is too large, the rest of it may not go through.
    sent.on("error", reject);
    sent.end(body);
  });
}
