import type { HttpRequest } from "#server/base/http-message.ts";
import { readBytes } from "#server/operation/json-body.ts";
import { OAuthError } from "./oauth-error.ts";

const MAX_BYTES = 64 * 1024;

/** Parameters by name; each may be sent once (OAuth 2.1, 3.1 and 3.2.2). An empty one counts as missing. */
export type Parameters = ReadonlyMap<string, string>;

/** Returns the parameters, and the names of repeated ones. */
export function parametersOf(sent: URLSearchParams): { parameters: Parameters; repeated: string[] } {
  const parameters = new Map<string, string>();
  const repeated: string[] = [];
  const seen = new Set<string>();
  for (const [name, value] of sent) {
    if (seen.has(name)) repeated.push(name);
    seen.add(name);
    if (value !== "") parameters.set(name, value);
  }
  return { parameters, repeated };
}

/** Reads the parameters of a form. */
export async function readForm(request: HttpRequest): Promise<Parameters> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "Send application/x-www-form-urlencoded.");
  const bytes = await readBytes(request, MAX_BYTES);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OAuthError("invalid_request", "The body is not UTF-8.");
  }
  const { parameters, repeated } = parametersOf(new URLSearchParams(text));
  if (repeated[0] !== undefined)
    throw new OAuthError("invalid_request", `The parameter ${repeated[0]} was sent more than once.`);
  return parameters;
}

/** Returns a required parameter; throws if it is missing. */
export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  return value;
}
