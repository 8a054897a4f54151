import { statusChoices } from "#app/(console)/audit/response-statuses.ts";
import {
  counted,
  defineList,
  endUser,
  given,
  linked,
  oneOf,
  onOff,
  period,
  search,
  wordsOf,
} from "#components/table/list.ts";
import { OUTCOMES } from "#server/audit/outcomes.ts";

const PAGE = 50;

/** Lists requests. Reads made by the console itself are left out unless they are asked for. */
export const auditList = defineList(
  "audit",
  {
    search: { ...search, label: "Operation or request id" },
    requestId: linked("Request id"),
    operation: given("Operation"),
    outcome: oneOf("Outcome", wordsOf(OUTCOMES)),
    status: oneOf("Response", statusChoices),
    keyId: { kind: "key", label: "Key" },
    memberId: { kind: "member", label: "Person", all: "Any person" },
    endUser,
    ...period,
    consoleReads: onOff("Console reads"),
  },
  ["createdAt"],
).asking(({ consoleReads, status, ...query }) =>
  counted({
    limit: PAGE,
    ...query,
    ...(status && { status: Number(status) }),
    consoleReads:
      consoleReads || query.search || query.requestId || query.operation
        ? ("include" as const)
        : ("exclude" as const),
  }),
);
