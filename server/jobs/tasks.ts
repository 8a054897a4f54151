import { sql } from "drizzle-orm";
import type { TaskList } from "graphile-worker";
import type { Db } from "#db/client.ts";
import { expireApprovals } from "../approvals/expire-approvals.ts";
import { mailApprovals, mailApprovalsJob } from "../approvals/mail-approvals.ts";
import { purgeArtifacts } from "../artifacts/purge-artifacts.ts";
import { moveOldMonths } from "../audit/archive/move-old-months.ts";
import { dropOldEvents } from "../audit/drop-old-events.ts";
import { eraseRequestDetails } from "../audit/erase-request-details.ts";
import { signHeads } from "../audit/sign-heads.ts";
import { sweepBlobs } from "../blobs/sweep-blobs.ts";
import { releaseExpiredHolds } from "../credits/release-expired-holds.ts";
import { sweepCredits } from "../credits/sweep-credits.ts";
import { recoverPayment } from "../credits/x402/recover-payment.ts";
import { sweepCommits } from "../databases/commits.ts";
import { removeEmptyDatabase } from "../databases/remove-database.ts";
import { sweepResults } from "../databases/result-spool.ts";
import { carryTransfer, endAbandonedTransfers } from "../databases/transfers/carry-transfer.ts";
import { expireTransfers } from "../databases/transfers/expire-transfers.ts";
import { sweepScratch } from "../databases/transfers/scratch.ts";
import { emitExpiringKeyEvents } from "../keys/emit-expiring-key-events.ts";
import { mailInvitation } from "../members/mail-invitation.ts";
import { mailPasswordChanged, mailPasswordReset } from "../members/mail-password.ts";
import { mailAppConnected } from "../oauth/mail-connected.ts";
import { sweepOAuth } from "../oauth/sweep-oauth.ts";
import { sweepIdempotency } from "../operation/sweep-idempotency.ts";
import type { Platform } from "../platform.ts";
import { forgetAllSteps } from "../runs/forget-run.ts";
import { dropOldRuns, purgePayloads } from "../runs/purge-runs.ts";
import { sweepOutput } from "../runs/write-output.ts";
import { advanceSwap, keepFollowing, keepWatching, resumeSwaps } from "../swaps/swap-jobs.ts";
import { advanceOrder } from "../trading/advance-order.ts";
import { wakeEndedTriggers } from "../triggers/wake-ended-triggers.ts";
import { resumeExecution } from "../wallets/executions/execution.ts";
import { signatureExecution } from "../wallets/signatures/signature-execution.ts";
import { sendExecution } from "../wallets/transactions/send-execution.ts";
import { disableExpiredWebhooks } from "../webhooks/disable-expired-webhooks.ts";
import {
  dropOldCallbacks,
  dropOldDeliveries,
  dropOldTicks,
  dropSentEvents,
  sweepCaps,
  sweepQuotes,
  sweepServiceCalls,
  sweepSignIns,
} from "./drop-old-rows.ts";
import { eraseAccount, resumeErasures } from "./erase-account.ts";
import { exceptFrozen } from "./except-frozen.ts";
import { resumeJobs } from "./resume-jobs.ts";

/** Returns the worker's tasks, by the names under which jobs are added. */
export function makeTasks({
  database: { db },
  settings,
  blobs,
  mailer,
  chains,
}: Pick<Platform, "settings" | "blobs" | "mailer" | "chains"> & { database: { db: Db } }): TaskList {
  const { auditSigningKey, auditRetentionMonths, auditArchiveMonths } = settings;
  return exceptFrozen(db, {
    mailInvitation: (payload, { job }) =>
      mailInvitation(db, mailer, payload, job.attempts >= job.max_attempts),
    mailPasswordReset: (payload) => mailPasswordReset(db, mailer, payload),
    mailPasswordChanged: (payload, { job }) => mailPasswordChanged(db, mailer, payload, job.id),
    mailAppConnected: (payload) => mailAppConnected(db, mailer, payload),
    mailApprovals: async (payload, { addJob }) => {
      const next = await mailApprovals(db, mailer, payload);
      const { key, queue, maxAttempts } = mailApprovalsJob(payload);
      // An approval that was asked for meanwhile has a job of its own, which must not be put off.
      const jobKeyMode = "preserve_run_at";
      if (next)
        await addJob("mailApprovals", payload, {
          runAt: next,
          jobKey: key,
          jobKeyMode,
          queueName: queue,
          maxAttempts,
        });
    },
    eraseAccount: ({ accountId }) => eraseAccount(db, accountId),
    resumeErasures: () => resumeErasures(db),
    sweepOAuth: () => sweepOAuth(db),
    sweepSignIns: () => sweepSignIns(db),
    releaseExpiredHolds: async () => void (await releaseExpiredHolds(db)),
    sweepCredits: async () => void (await sweepCredits(db)),
    recoverPayment: async (payment, { addJob }) => {
      const again = await recoverPayment(db, chains, payment);
      if (again) await addJob("recoverPayment", payment, { runAt: again, jobKey: `payment/${payment.id}` });
    },
    expireApprovals: async (_, { addJob }) => {
      const next = await expireApprovals(db);
      if (next) await addJob("expireApprovals", {}, { runAt: next, jobKey: "expireApprovals" });
    },
    advanceSignature: async (payload) => void (await resumeExecution(db, signatureExecution, payload)),
    advanceTransaction: async (payload) => void (await resumeExecution(db, sendExecution, payload)),
    advanceOrder: (payload) => advanceOrder(db, payload),
    resumeJobs: () => resumeJobs(db),
    emitExpiringKeyEvents: () => emitExpiringKeyEvents(db),
    sweepIdempotency: async () => void (await sweepIdempotency(db)),
    purgeArtifacts: async () => void (await purgeArtifacts(db)),
    sweepBlobs: async () => void (await sweepBlobs(db, blobs)),
    carryTransfer: (payload, { job }) => carryTransfer(db, payload, job.attempts >= job.max_attempts),
    removeEmptyDatabase: (payload) => removeEmptyDatabase(db, payload.accountId),
    expireTransfers: () => expireTransfers(db),
    endAbandonedTransfers: () => endAbandonedTransfers(db),
    sweepScratch: () => sweepScratch(db),
    sweepDatabaseResults: () => sweepResults(db),
    sweepDatabaseCommits: () => sweepCommits(db),
    sweepServiceCalls: () => sweepServiceCalls(db),
    advanceSwap: (payload) => advanceSwap(db, payload),
    watchRoutes: (payload) => keepWatching(db, payload.network),
    followRoute: (payload) => keepFollowing(db, payload),
    resumeSwaps: () => resumeSwaps(db),
    sweepQuotes: async () => void (await sweepQuotes(db)),
    sweepCaps: () => sweepCaps(db),
    signAuditHeads: async () => void (await signHeads(db, auditSigningKey)),
    eraseRequestDetails: () => eraseRequestDetails(db),
    disableExpiredWebhooks: () => disableExpiredWebhooks(db),
    wakeEndedTriggers: () => wakeEndedTriggers(db),
    forgetSteps: (payload) => forgetAllSteps(db, payload),
    purgeRunPayloads: async () => void (await purgePayloads(db)),
    sweepOutput: () => sweepOutput(db),
    dropOldRuns: () => dropOldRuns(db, auditRetentionMonths),
    sweepSlots: async () => void (await db.execute(sql`select sweep_slots()`)),
    dropOldTicks: () => dropOldTicks(db),
    dropSentEvents: () => dropSentEvents(db),
    dropOldCallbacks: () => dropOldCallbacks(db),
    dropOldDeliveries: async () => void (await dropOldDeliveries(db)),
    ensurePartitions: async () => void (await db.execute(sql`select ensure_partitions()`)),
    moveOldMonths: async () =>
      void (await moveOldMonths({ db, blobs, key: auditSigningKey }, auditArchiveMonths)),
    dropOldEvents: async () => void (await dropOldEvents(db, auditSigningKey, auditRetentionMonths)),
  });
}

/** Returns the schedule of recurring tasks: lines of a crontab, in UTC. */
export function makeSchedule(): string {
  return [
    "* * * * * releaseExpiredHolds",
    "* * * * * sweepBlobs",
    "* * * * * expireApprovals",
    "* * * * * resumeSwaps",
    "* * * * * resumeJobs",
    "*/5 * * * * purgeArtifacts",
    "*/10 * * * * sweepIdempotency",
    "* * * * * disableExpiredWebhooks",
    "* * * * * wakeEndedTriggers",
    "5 * * * * emitExpiringKeyEvents",
    "*/5 * * * * sweepDatabaseResults",
    "*/10 * * * * expireTransfers",
    "* * * * * endAbandonedTransfers",
    "*/10 * * * * sweepScratch",
    "27 3 * * * sweepDatabaseCommits",
    "20 * * * * sweepServiceCalls",
    "35 * * * * sweepQuotes",
    "32 3 * * * sweepCaps",
    // Runs that were missed while no worker ran are made up for.
    "0 * * * * signAuditHeads ?fill=2h",
    "30 * * * * eraseRequestDetails",
    "12 * * * * sweepOAuth",
    "31 4 * * * resumeErasures",
    "17 3 * * * sweepSignIns",
    "22 3 * * * sweepCredits",
    "40 3 * * * ensurePartitions ?fill=2d",
    "43 * * * * moveOldMonths",
    "50 3 * * * dropOldEvents ?fill=2d",
    "25 * * * * purgeRunPayloads",
    "*/10 * * * * sweepOutput",
    "45 3 * * * dropOldRuns ?fill=2d",
    "48 3 * * * dropOldTicks",
    "*/10 * * * * sweepSlots",
    "52 3 * * * dropSentEvents",
    "53 3 * * * dropOldCallbacks",
    "55 3 * * * dropOldDeliveries ?fill=2d",
  ].join("\n");
}
