import { keysOf } from "#server/base/keys-of.ts";
import { ApiError, ERRORS, type ErrorCode } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { errorsOf } from "#server/operation/operation-errors.ts";
import { errorExample } from "#server/transports/openapi/errors.ts";
import { heading, json, list, type Page, paragraph, table } from "./page.ts";

export const ERROR_CODES = keysOf(ERRORS);

const STATES = {
  not_started: "Nothing happened: the same call may be sent again.",
  in_progress: "The call is under way: repeat it with the same Idempotency-Key for its outcome.",
  completed: "The effect took place: a repeat with the same Idempotency-Key answers it.",
  unknown: "Whether anything happened is not known: repeat it with the same Idempotency-Key.",
};

/** Returns the page that lists every error code. */
export function errorIndex(): Page {
  const codes = ERROR_CODES.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status);
  return {
    path: "/docs/errors",
    title: "Errors",
    lead: "Every failure has one of these codes; `error.docUrl` leads to its page.",
    blocks: [
      table(
        ["Status", "Code", "Meaning"],
        codes.map((code) => [
          String(ERRORS[code].status),
          `[${code}](/docs/errors/${code})`,
          ERRORS[code].meaning,
        ]),
      ),
    ],
  };
}

/** Returns the page of an error code: its meaning, the remedy, and the operations that respond with it. */
export function errorPage(code: ErrorCode, operations: readonly Operation[], baseUrl: string): Page {
  const { status, meaning, retryable } = ERRORS[code];
  const answering = operations.filter((operation) => errorsOf(operation).includes(code));
  const everywhere = answering.length === operations.length;
  return {
    path: `/docs/errors/${code}`,
    title: code,
    note: `HTTP ${status}`,
    lead: meaning,
    blocks: [
      list([
        STATES[new ApiError(code, meaning).operationState],
        retryable
          ? "The same call can succeed later; where `Retry-After` is sent, wait as long as it says."
          : "Repeating the call without a change leads to the same answer.",
      ]),
      heading("What it looks like"),
      json(errorExample(code, baseUrl)),
      heading("Where it occurs"),
      everywhere
        ? paragraph("Any operation can answer it.")
        : answering.length === 0
          ? paragraph("No operation of this version answers it on its own; the path or the service does.")
          : list(
              answering.map(
                ({ operationId, summary }) => `[${operationId}](/docs/${operationId}): ${summary}`,
              ),
            ),
    ],
  };
}
