import { defined } from "#server/defined.ts";
import { ApiError, type Issue } from "./errors.ts";
import { isWrittenNumber } from "./exact-numbers.ts";
import { JSON_LIMITS, tooDeep } from "./json-text.ts";

/** An error names at most so many faults. */
export const MAX_ISSUES = 100;
/** What looks like a secret of the platform's, or of another system that signs webhooks. */
export const SECRET = /svc_(?:live|credit|oat|ort|ocs)_[0-9A-Za-z]{40,}|whsec_[0-9A-Za-z+/]{30,}/;
const CREDENTIAL = /svc_(?:live|credit|oat|ort|ocs)_[0-9A-Za-z]{40,}/;
/** Secrets of other systems that sign webhooks begin alike, and are shorter. */
const WEBHOOK_SECRET = /whsec_[0-9A-Za-z+/]{43}=/;
/** The shortest text in which one of the two is found. */
const SHORTEST_SECRET = 48;
const PROTO = "Is __proto__, which no field may be called.";

/**
 * Finds what JSON lets through and no operation takes: text that PostgreSQL can't store, numbers beyond a double,
 * nesting that would exhaust the stack, secrets that belong in a header. Fields that hold secrets stand at the top.
 */
export function unstorable(root: unknown, secretFields: readonly string[] = []): Issue[] {
  const issues: Issue[] = [];
  // Joined only for a fault: most have none, and building a path for each value costs more than looking at it.
  const path = ["body"];
  const fault = (message: string) => issues.push({ path: path.join("."), message });
  look(root);
  return issues;

  function look(value: unknown): void {
    if (typeof value === "string") {
      const found = textFault(value, path.length === 2 && secretFields.includes(defined(path[1])));
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

/** What is wrong with a text; null where it can be stored. Throws for a secret of the platform's. */
export function textFault(text: string, mayBeSecret = false): string | null {
  if (text.includes("\u0000")) return "Contains a NUL character.";
  if (!text.isWellFormed()) return "Contains a lone surrogate.";
  if (text.length < SHORTEST_SECRET) return null;
  if (!mayBeSecret && WEBHOOK_SECRET.test(text)) throw credentialInBody();
  if (CREDENTIAL.test(text)) throw credentialInBody();
  return null;
}

/** What of a text of unknown origin can be kept beside an event. */
export function storable(text: string, length = 200): string {
  return text.replaceAll("\u0000", "").slice(0, length).toWellFormed();
}

function credentialInBody(): ApiError {
  return new ApiError(
    "credential_in_body",
    "The body contains a secret. Revoke it, and never send secrets in a body.",
  );
}
