import { ApiError, type Issue } from "./errors.ts";
import { isWrittenNumber } from "./exact-numbers.ts";
import { JSON_LIMITS, tooDeep } from "./json-text.ts";

/** The maximum number of faults that one error lists. */
export const MAX_ISSUES = 100;
/** Matches secrets of the platform, and of other systems that sign webhooks. */
export const SECRET = /svc_(?:live|credit|oat|ort|ocs)_[0-9A-Za-z]{40,}|whsec_[0-9A-Za-z+/]{30,}/;
const CREDENTIAL = /svc_(?:live|credit|oat|ort|ocs)_[0-9A-Za-z]{40,}/;
/** Webhook secrets of other systems have the same prefix and are shorter. */
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/]{43}=/;
/** The length of the shortest text that either pattern matches. */
const SHORTEST_SECRET = 48;
const PROTO = "Is __proto__, which no field may be called.";

/**
 * Returns faults that no operation accepts although JSON allows them: text that PostgreSQL cannot store,
 * numbers beyond a double, nesting that would exhaust the stack, secrets that belong in a header.
 * `secretFields` are the paths, within the body, of fields that may hold secrets.
 */
export function unstorable(root: unknown, secretFields: readonly string[] = []): Issue[] {
  const issues: Issue[] = [];
  // The path is joined only for a fault: building it for each value costs more than checking the value.
  const path = ["body"];
  const fault = (message: string) => issues.push({ path: path.join("."), message });
  const mayBeSecret = (text: string) =>
    text.length >= SHORTEST_SECRET && secretFields.includes(path.slice(1).join("."));
  look(root);
  return issues;

  function look(value: unknown): void {
    if (typeof value === "string") {
      const found = textFault(value, mayBeSecret(value));
      if (found) fault(found);
    } else if (typeof value === "number" && !Number.isFinite(value)) {
      fault("The number is beyond the range of a double.");
    } else if (typeof value === "object" && value !== null && !isWrittenNumber(value)) {
      lookInto(value as Record<string, unknown>);
    }
  }

  function lookInto(fields: Record<string, unknown>): void {
    const { maximumDepth } = JSON_LIMITS;
    if (path.length > maximumDepth) return void issues.push(tooDeep(path.join("."), maximumDepth));
    const isList = Array.isArray(fields);
    for (const name of Object.keys(fields)) {
      if (issues.length >= MAX_ISSUES) return;
      const found = isList ? null : name === "__proto__" ? PROTO : textFault(name);
      if (found) fault(`A field's name: ${found}`);
      path.push(name);
      look(fields[name]);
      path.pop();
    }
  }
}

/** Returns the fault of a text; null if it can be stored. Throws if it contains a secret of the platform. */
export function textFault(text: string, mayBeSecret = false): string | null {
  if (text.includes("\u0000")) return "Contains a NUL character.";
  if (!text.isWellFormed()) return "Contains a lone surrogate.";
  if (text.length < SHORTEST_SECRET) return null;
  if (!mayBeSecret && WEBHOOK_SECRET.test(text)) throw credentialInBody();
  if (CREDENTIAL.test(text)) throw credentialInBody();
  return null;
}

/** Returns a text of unknown origin in a form that can be stored with an event. */
export function storable(text: string, length = 200): string {
  return text.replaceAll("\u0000", "").slice(0, length).toWellFormed();
}

function credentialInBody(): ApiError {
  return new ApiError(
    "credential_in_body",
    "The body contains a secret. Revoke it, and never send secrets in a body.",
  );
}
