import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { etagOf, isFresh } from "#server/base/etag.ts";
import { type HttpHandler, reply } from "#server/base/http-message.ts";
import { log } from "#server/base/log.ts";
import { sourceFolder } from "#server/base/source-folder.ts";
import { platform } from "#server/platform.ts";
import { CLIENTS, type ClientName, packClient } from "./pack-client.ts";

/** Returns where the build puts a package, relative to the platform's folder. */
export const builtClient = (name: ClientName) => `.next/clients/${name}.tgz`;

interface Packed {
  bytes: Buffer;
  etag: string;
}

const packed: Partial<Record<ClientName, Promise<Packed>>> = {};

/** Returns the package: in production the one of the build, otherwise packed from the sources on the first request. */
async function load(name: ClientName): Promise<Packed> {
  const { production } = platform().settings;
  const built = production ? await readFile(join(sourceFolder(), builtClient(name))).catch(() => null) : null;
  const bytes = built ?? (await packClient(name));
  return { bytes, etag: etagOf(bytes) };
}

/** Serves the packages of the platform's clients, for `npm install {base}/clients/sdk.tgz`, or `cli.tgz`. */
export const handleClients: HttpHandler = async ({ method, url, headers }) => {
  const text = { "content-type": "text/plain; charset=utf-8" };
  const [, name = ""] = /^\/clients\/(\w+)\.tgz$/.exec(new URL(url).pathname) ?? [];
  if (!isClient(name)) return reply("There is no such client.\n", { status: 404, headers: text });
  if (method !== "GET" && method !== "HEAD")
    return reply("Clients are read by GET.\n", { status: 405, headers: { ...text, allow: "GET, HEAD" } });
  packed[name] ??= load(name);
  const found = await packed[name].catch((error) => {
    delete packed[name];
    log.error("A client can't be packed.", { client: name, error });
    return null;
  });
  if (!found)
    return reply("The client can't be packed here.\n", {
      status: 503,
      headers: { ...text, "retry-after": "60" },
    });
  const shared = {
    etag: found.etag,
    "cache-control": "public, max-age=60",
    "x-content-type-options": "nosniff",
  };
  if (isFresh(headers["if-none-match"] ?? null, found.etag))
    return reply(null, { status: 304, headers: shared });
  return reply(method === "HEAD" ? null : found.bytes, {
    headers: {
      ...shared,
      "content-type": "application/gzip",
      "content-length": String(found.bytes.byteLength),
    },
  });
};

const isClient = (name: string): name is ClientName => Object.hasOwn(CLIENTS, name);
