import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { members } from "#db/schema/accounts.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { ApprovalMails } from "./schema.ts";

const mine = ({ accountId, id }: { accountId: string; id: string }) =>
  and(eq(members.accountId, accountId), eq(members.id, id));

export const readApprovalMails = operation({
  id: "approvals.mails.read",
  method: "GET",
  path: "/approvals/mails",
  summary: "Read whether the caller is mailed about approvals",
  scope: null,
  people: "members",
  surfaces: ["console"],
  output: z.object({ mails: ApprovalMails }),

  async handler({ caller, db }) {
    const [row] = await db.select({ wanted: members.approvalMails }).from(members).where(mine(caller));
    return { mails: { available: platform().mailer !== null, wanted: row?.wanted ?? false } };
  },
});

export const updateApprovalMails = operation({
  id: "approvals.mails.update",
  method: "PATCH",
  path: "/approvals/mails",
  summary: "Change whether the caller is mailed about approvals",
  scope: null,
  people: "members",
  idempotent: true,
  surfaces: ["console"],
  body: ApprovalMails.pick({ wanted: true }),
  output: z.object({ mails: ApprovalMails }),

  async handler({ body, caller, db }) {
    const { wanted } = body;
    await db.update(members).set({ approvalMails: wanted }).where(mine(caller));
    return { mails: { available: platform().mailer !== null, wanted } };
  },
});
