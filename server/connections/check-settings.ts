import { currentMs } from "#server/base/clock.ts";
import type { Issue } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { platform } from "#server/platform.ts";
import { addressFault, isAllowedUrl, readAllowedHost, writeAllowedHost } from "./hosts.ts";
import type { NewConnection } from "./schema.ts";

type AuthType = NewConnection["authType"];
type Field = "headerName" | "username" | "clientId" | "tokenUrl" | "tokenScopes";

/** The fields specific to each authType, and whether they are required. */
const FIELDS: Record<AuthType, Partial<Record<Field, "required" | "optional">>> = {
  api_key: { headerName: "optional" },
  bearer: {},
  basic: { username: "required" },
  oauth2_client: { clientId: "required", tokenUrl: "required", tokenScopes: "optional" },
};

/** Headers that control the request or that the platform sets; none of them can carry the secret. */
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|cookie|date|via|idempotency-key|x-request-id|webhook-.*)$/i;

const isReservedHeader = (name: string): boolean => RESERVED.test(name);

/** A connection's settings; for an update, the settings after it. */
export interface Wanted extends Partial<Pick<NewConnection, Field | "secret" | "expiresAt">> {
  authType: AuthType;
  allowedHosts: readonly string[];
}

/** Refuses contradictory settings and names every fault; returns the hosts in their stored form. */
export function checkSettings(wanted: Wanted): string[] {
  const hosts = wanted.allowedHosts.map(readAllowedHost);
  const issues = [
    ...fieldIssues(wanted),
    ...hosts.flatMap((host, nth) =>
      typeof host === "string" ? [{ path: `body.allowedHosts.${nth}`, message: host }] : [],
    ),
    ...tokenUrlIssues(wanted),
    ...secretIssues(wanted),
  ];
  if (wanted.expiresAt !== undefined && Date.parse(wanted.expiresAt) <= currentMs())
    issues.push({
      path: "body.expiresAt",
      message: `${wanted.expiresAt} has passed. Send a moment to come.`,
    });
  if (issues.length > 0) throw invalidRequest(issues);
  return [...new Set(hosts.flatMap((host) => (typeof host === "string" ? [] : writeAllowedHost(host))))];
}

function fieldIssues(wanted: Wanted): Issue[] {
  const own = FIELDS[wanted.authType];
  const names = ["headerName", "username", "clientId", "tokenUrl", "tokenScopes"] as const;
  return names.flatMap((name) => {
    const path = `body.${name}`;
    if (wanted[name] === undefined)
      return own[name] === "required" ? [{ path, message: `Required with ${wanted.authType}.` }] : [];
    if (!own[name]) return [{ path, message: `Not with ${wanted.authType}. Leave it out.` }];
    if (name === "headerName" && isReservedHeader(String(wanted.headerName)))
      return [{ path, message: `${wanted.headerName} can't carry a secret. Send another header's name.` }];
    return [];
  });
}

function tokenUrlIssues({ tokenUrl, allowedHosts }: Wanted): Issue[] {
  if (tokenUrl === undefined) return [];
  const url = new URL(tokenUrl);
  const fault = addressFault(url, platform().settings.sandbox);
  if (fault) return [{ path: "body.tokenUrl", message: `The address ${fault}` }];
  if (isAllowedUrl(allowedHosts, url)) return [];
  return [
    { path: "body.tokenUrl", message: `Its host ${url.host} is not among allowedHosts. Add it there.` },
  ];
}

/**
 * Returns faults of a secret that is sent unencoded and so must be valid in a header; the other auth types encode it.
 */
function secretIssues({ authType, secret }: Wanted): Issue[] {
  const plain = authType === "api_key" || authType === "bearer";
  if (secret === undefined || !plain || /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret)) return [];
  return [
    {
      path: "body.secret",
      message: "A header can't carry it: send printable ASCII, without spaces at its ends.",
    },
  ];
}
