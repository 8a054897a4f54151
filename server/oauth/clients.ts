import { timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { oauthClients } from "#db/schema/oauth.ts";
import type { HttpRequest } from "#server/base/http-message.ts";
import { uuidOf } from "#server/base/ids.ts";
import { hasSecretForm, secretHash } from "#server/keys/secrets.ts";
import { CLI } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { type Client, isDocumentUrl, readClientDocument } from "./client-documents.ts";
import type { Parameters } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";

async function registered(id: string) {
  if (!uuidOf("app", id)) return undefined;
  const [row] = await platform().database.db.select().from(oauthClients).where(eq(oauthClients.id, id));
  return row;
}

/** Returns the app with this `client_id`; null if there is none. */
export async function findClient(id: string, ip: string): Promise<Client | null> {
  if (isDocumentUrl(id)) return platform().settings.oauth.documents ? readClientDocument(id, ip) : null;
  const row = await registered(id);
  return row ? { app: { id, name: row.name, host: null }, redirectUris: row.redirectUris } : null;
}

/** Returns the `client_id` of a call of the token endpoint after verifying its secret; a public app has none. */
export async function authenticateClient(request: HttpRequest, parameters: Parameters): Promise<string> {
  const basic = basicOf(request.headers.authorization);
  const id = basic?.id ?? parameters.get("client_id");
  const secret = basic?.secret ?? parameters.get("client_secret");
  const refuse = (description: string) =>
    new OAuthError("invalid_client", description, {
      status: 401,
      headers: basic ? { "www-authenticate": "Basic" } : {},
    });
  if (basic && parameters.has("client_secret"))
    throw new OAuthError("invalid_request", "Send the client secret by one way alone.");
  if (basic && parameters.has("client_id") && parameters.get("client_id") !== basic.id)
    throw new OAuthError("invalid_request", "Two client_ids were sent.");
  if (id === undefined) throw refuse("The parameter client_id is missing.");
  // The document was read with the request for access; codes and refresh tokens are bound to its address.
  if (isDocumentUrl(id) || id === CLI) {
    if (secret) throw refuse("This app has no client secret.");
    return id;
  }
  const row = await registered(id);
  if (!row) throw refuse("No app has this client_id.");
  const right = row.secretHash
    ? secret !== undefined &&
      hasSecretForm("svc_ocs_", secret) &&
      timingSafeEqual(secretHash(secret), row.secretHash)
    : secret === undefined || secret === "";
  if (!right) throw refuse("The client secret is wrong, or this app has none.");
  return id;
}

function basicOf(authorization: string | undefined): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return null;
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(/:(.*)/s);
  return { id: unescaped(id), secret: unescaped(secret) };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
