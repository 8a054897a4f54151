import type { ErrorCode } from "#server/operation/errors.ts";

/** A failure of 500 or more that no request to the fuzz's installation could avoid. */
interface PermittedFailure {
  code: ErrorCode;
  message: RegExp;
  /** The only operations that may answer it. */
  operations: readonly string[];
  reason: string;
}

const PERMITTED: readonly PermittedFailure[] = [
  {
    code: "service_unavailable",
    message: /^No model is configured: set MODEL_BASE_URL and MODEL_NAME, /,
    operations: ["runs.create", "runs.batch", "runs.retry"],
    reason: "The installation has no model.",
  },
  {
    code: "service_unavailable",
    message: /^Credits can't be bought here: \w+ is not set\.$/,
    operations: ["credits.x402.topUp"],
    reason: "The installation names nobody whom payments go to.",
  },
  {
    code: "service_unavailable",
    message: /is busy with other work on its databases\. Send the call again\.$/,
    operations: ["databases.account.provision", "databases.account.deprovision"],
    reason: "Another caller provisions or removes the account's only database at this moment.",
  },
];

/** True if an operation may answer this failure. */
export const isPermitted = (
  operationId: string,
  { code, message = "" }: { code?: string; message?: string },
) =>
  PERMITTED.some(
    (one) => one.code === code && one.message.test(message) && one.operations.includes(operationId),
  );
