import { request } from "node:http";
import type { Answered } from "./api.ts";

interface RawOptions {
  method: string;
  /** Headers in the order in which they are sent; names may repeat. */
  headers: [name: string, value: string][];
  body?: Uint8Array;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
}

const isJson = (type: string | undefined) => /^application\/(\w+\+)?json/.test(type ?? "");

/** Sends a request unchanged that `fetch` would correct or refuse. */
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
      // If the announced body is never sent, the connection would take the next request for it.
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
    // After the response to a body that is too large, sending the rest may fail.
    sent.on("error", reject);
    sent.end(body);
  });
}
