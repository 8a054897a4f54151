import { eq } from "drizzle-orm";
import { z } from "zod";
import type { RequestingApp } from "#db/schema/oauth.ts";
import { oauthDocuments } from "#db/schema/oauth.ts";
import { currentTime } from "#server/base/clock.ts";
import { ApiError } from "#server/operation/errors.ts";
import { parseBody } from "#server/operation/json-body.ts";
import { takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { OutboundError } from "#server/providers/http/outbound-error.ts";
import { safeFetch } from "#server/providers/http/safe-fetch.ts";
import { redirectUriFault } from "./redirect-uris.ts";
import { shownName } from "./shown-name.ts";

/** An app that may request access, with its redirect addresses. */
export interface Client {
  app: RequestingApp;
  redirectUris: readonly string[];
}

const MAX_URL = 1024;
const MAX_BYTES = 5 * 1024;
const DEPTH = 16;
const TIMEOUT_MS = 5000;
const MINUTES = 60;
const DAY = 86_400;
/** How long the last good copy is used while the document cannot be read. */
const KEPT_MS = 7 * DAY * 1000;

/** The fields that are read of a document (OAuth Client ID Metadata Document, draft-00); others are ignored. */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()).min(1),
  client_secret: z.never().optional(),
  token_endpoint_auth_method: z.string().default("none"),
  token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
});

/** True if a `client_id` is the address of a document. */
export function isDocumentUrl(id: string): boolean {
  if (id.length > MAX_URL || !/^https:\/\/[^/?#@\\]+\/[\x21-\x7e]+$/.test(id) || /[#\\]/.test(id))
    return false;
  if (!URL.canParse(id)) return false;
  const segments = id.replace(/\?.*$/s, "").split("/").slice(3);
  return new URL(id).pathname !== "/" && !segments.some((each) => /^(?:\.|%2e){1,2}$/i.test(each));
}

/**
 * Returns the app that a document describes: the cached copy while fresh, else a new one; null without a good copy.
 */
export async function readClientDocument(
  url: string,
  ip: string,
  at = currentTime(),
): Promise<Client | null> {
  const { db } = platform().database;
  const [known] = await db.select().from(oauthDocuments).where(eq(oauthDocuments.url, url));
  if (known && known.freshUntil > at) return clientOf(known);
  await takeTry("document", ip);
  const read = await fetchDocument(url, at);
  if (!read) return known && known.readAt.getTime() + KEPT_MS > at.getTime() ? clientOf(known) : null;
  await db
    .insert(oauthDocuments)
    .values({ url, readAt: at, ...read })
    .onConflictDoUpdate({ target: oauthDocuments.url, set: { readAt: at, ...read } });
  return clientOf({ url, ...read });
}

function clientOf({
  url,
  name,
  redirectUris,
}: Pick<typeof oauthDocuments.$inferSelect, "url" | "name" | "redirectUris">): Client {
  return { app: { id: url, name, host: new URL(url).host }, redirectUris };
}

/** Fetches a document; null if it cannot be read or does not describe this address. */
async function fetchDocument(url: string, at: Date) {
  try {
    const answer = await safeFetch(url, {
      headers: { accept: "application/json" },
      timeoutMs: TIMEOUT_MS,
      maximumBytes: MAX_BYTES,
      allowLoopback: platform().settings.sandbox,
    });
    const bytes = await answer.bytes();
    const read = Document.safeParse(answer.status === 200 ? parseBody(bytes, DEPTH) : null);
    if (!read.success) return null;
    const { client_id, client_name, redirect_uris, ...auth } = read.data;
    const methods = [auth.token_endpoint_auth_method, ...auth.token_endpoint_auth_methods_supported];
    if (client_id !== url || !methods.includes("none")) return null;
    return {
      name: shownName(client_name) ?? "Unnamed app",
      redirectUris: redirect_uris.filter((uri) => redirectUriFault(uri) === null),
      freshUntil: new Date(at.getTime() + freshSeconds(answer.headers["cache-control"]) * 1000),
    };
  } catch (reason) {
    if (reason instanceof OutboundError || (reason instanceof ApiError && reason.status < 500)) return null;
    throw reason;
  }
}

/** Returns how long a document stays fresh, in seconds: as its cache headers say, from five minutes to a day. */
function freshSeconds(cacheControl = ""): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 5 * MINUTES;
  const said = Number(/\bmax-age="?(\d{1,10})/i.exec(cacheControl)?.[1] ?? 0);
  return Math.min(DAY, Math.max(5 * MINUTES, said));
}
