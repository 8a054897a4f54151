import { createApproval } from "#server/approvals/create-approval.ts";
import { decideApproval } from "#server/approvals/decide-approval.ts";
import { listApprovals } from "#server/approvals/list-approvals.ts";
import { readApproval } from "#server/approvals/read-approval.ts";
import { listArtifacts } from "#server/artifacts/list-artifacts.ts";
import { readArtifactContent } from "#server/artifacts/read-artifact-content.ts";
import { listAuditEvents } from "#server/audit/list-audit-events.ts";
import { listActions } from "#server/catalogue/list-actions.ts";
import { listCapabilities } from "#server/catalogue/list-capabilities.ts";
import { listServices } from "#server/catalogue/list-services.ts";
import { readCapabilities } from "#server/catalogue/read-capabilities.ts";
import { readPricing } from "#server/catalogue/read-pricing.ts";
import { createConnection } from "#server/connections/create-connection.ts";
import { deleteConnection } from "#server/connections/delete-connection.ts";
import { listConnections } from "#server/connections/list-connections.ts";
import { readConnection } from "#server/connections/read-connection.ts";
import { updateConnection } from "#server/connections/update-connection.ts";
import { listLedger } from "#server/credits/list-ledger.ts";
import { readBalance } from "#server/credits/read-balance.ts";
import { updateThreshold } from "#server/credits/update-threshold.ts";
import { topUpCredits } from "#server/credits/x402/top-up-credits.ts";
import { applyActions } from "#server/databases/apply-actions.ts";
import { deprovisionDatabase } from "#server/databases/deprovision-database.ts";
import { provisionDatabase } from "#server/databases/provision-database.ts";
import { queryDatabase } from "#server/databases/query-database.ts";
import { readDatabase } from "#server/databases/read-database.ts";
import { cancelTransfer } from "#server/databases/transfers/cancel-transfer.ts";
import { completeTransfer } from "#server/databases/transfers/complete-transfer.ts";
import { createTransfer } from "#server/databases/transfers/create-transfer.ts";
import { readTransferArchive } from "#server/databases/transfers/read-archive.ts";
import { readTransfer } from "#server/databases/transfers/read-transfer.ts";
import { uploadPart } from "#server/databases/transfers/upload-part.ts";
import { createFile } from "#server/files/create-file.ts";
import { deleteFile } from "#server/files/delete-file.ts";
import { listFiles } from "#server/files/list-files.ts";
import { readFile } from "#server/files/read-file.ts";
import { readHealth } from "#server/health/read-health.ts";
import { createApiKey } from "#server/keys/create-api-key.ts";
import { listApiKeys } from "#server/keys/list-api-keys.ts";
import { readApiKey } from "#server/keys/read-api-key.ts";
import { readCurrentKey } from "#server/keys/read-current-key.ts";
import { revokeApiKey } from "#server/keys/revoke-api-key.ts";
import type { Operation } from "#server/operation/operation.ts";
import { archiveProject } from "#server/projects/archive-project.ts";
import { createProject } from "#server/projects/create-project.ts";
import { listProjects } from "#server/projects/list-projects.ts";
import { readProject } from "#server/projects/read-project.ts";
import { restoreProject } from "#server/projects/restore-project.ts";
import { updateProject } from "#server/projects/update-project.ts";
import { cancelRun } from "#server/runs/cancel-run.ts";
import { changeRuns } from "#server/runs/change-runs.ts";
import { createRun } from "#server/runs/create-run.ts";
import { createRuns } from "#server/runs/create-runs.ts";
import { followRun } from "#server/runs/follow-run.ts";
import { forgetRun } from "#server/runs/forget-run.ts";
import { listRuns } from "#server/runs/list-runs.ts";
import { readRun } from "#server/runs/read-run.ts";
import { retryRun } from "#server/runs/retry-run.ts";
import { invokeService } from "#server/services/invoke-service.ts";
import { executeSwap } from "#server/swaps/execute-swap.ts";
import { listSwaps } from "#server/swaps/list-swaps.ts";
import { listTokens } from "#server/swaps/list-tokens.ts";
import { prepareSwap } from "#server/swaps/prepare-swap.ts";
import { quoteSwap } from "#server/swaps/quote-swap.ts";
import { readRoute } from "#server/swaps/read-route.ts";
import { readSwap } from "#server/swaps/read-swap.ts";
import { cancelOrder } from "#server/trading/cancel-order.ts";
import { createOrder } from "#server/trading/create-order.ts";
import { createTradingQuote } from "#server/trading/create-quote.ts";
import { listMarkets } from "#server/trading/list-markets.ts";
import { listOrders } from "#server/trading/list-orders.ts";
import { listPositions } from "#server/trading/list-positions.ts";
import { listPrices } from "#server/trading/list-prices.ts";
import { readDepth } from "#server/trading/read-depth.ts";
import { readOrder } from "#server/trading/read-order.ts";
import { readUsage } from "#server/usage/read-usage.ts";
import { createWallet } from "#server/wallets/create-wallet.ts";
import { listWallets } from "#server/wallets/list-wallets.ts";
import { simulatePolicy } from "#server/wallets/policy/simulate-policy.ts";
import { updatePolicy } from "#server/wallets/policy/update-policy.ts";
import { readBalances } from "#server/wallets/read-balances.ts";
import { readWallet } from "#server/wallets/read-wallet.ts";
import { createSignature } from "#server/wallets/signatures/create-signature.ts";
import { quoteSignature } from "#server/wallets/signatures/quote-signature.ts";
import { createTransaction } from "#server/wallets/transactions/create-transaction.ts";
import { listTransactions } from "#server/wallets/transactions/list-transactions.ts";
import { quoteTransaction } from "#server/wallets/transactions/quote-transaction.ts";
import { readTransaction } from "#server/wallets/transactions/read-transaction.ts";
import { createWebhook } from "#server/webhooks/create-webhook.ts";
import { disableWebhookByHand } from "#server/webhooks/disable-webhook.ts";
import { followEvents } from "#server/webhooks/follow-events.ts";
import { listDeliveries } from "#server/webhooks/list-deliveries.ts";
import { listWebhooks } from "#server/webhooks/list-webhooks.ts";
import { readDelivery } from "#server/webhooks/read-delivery.ts";
import { readMissedEvents } from "#server/webhooks/read-missed-events.ts";
import { readWebhook } from "#server/webhooks/read-webhook.ts";
import { recoverEvents } from "#server/webhooks/recover-events.ts";
import { replayDelivery } from "#server/webhooks/replay-delivery.ts";
import { rotateWebhookSecret } from "#server/webhooks/rotate-webhook-secret.ts";
import { testWebhook } from "#server/webhooks/test-webhook.ts";
import { updateWebhook } from "#server/webhooks/update-webhook.ts";
import { testStep } from "#server/workflows/test-step.ts";
import { consoleOperations } from "./console-operations.ts";

/**
 * Every operation of the platform, one line each: the specified ones in the specification's order, with additions
 * beside them; then those that only the console offers.
 */
export const operations = [
  readHealth,
  readPricing,
  listApiKeys,
  createApiKey,
  readCurrentKey,
  readApiKey,
  revokeApiKey,
  listServices,
  listCapabilities,
  readCapabilities,
  listActions,
  invokeService,
  readBalance,
  listLedger,
  topUpCredits,
  updateThreshold,
  listProjects,
  createProject,
  readProject,
  updateProject,
  archiveProject,
  restoreProject,
  readUsage,
  listAuditEvents,
  listFiles,
  createFile,
  readFile,
  deleteFile,
  listConnections,
  createConnection,
  readConnection,
  updateConnection,
  deleteConnection,
  readDatabase,
  provisionDatabase,
  deprovisionDatabase,
  queryDatabase,
  applyActions,
  createTransfer,
  uploadPart,
  completeTransfer,
  readTransferArchive,
  readTransfer,
  cancelTransfer,
  createTradingQuote,
  createOrder,
  listOrders,
  readOrder,
  cancelOrder,
  listPositions,
  listMarkets,
  listPrices,
  readDepth,
  listTokens,
  quoteSwap,
  executeSwap,
  listSwaps,
  readSwap,
  prepareSwap,
  readRoute,
  listWallets,
  createWallet,
  readWallet,
  readBalances,
  updatePolicy,
  simulatePolicy,
  quoteTransaction,
  createTransaction,
  listTransactions,
  readTransaction,
  quoteSignature,
  createSignature,
  listRuns,
  createRun,
  createRuns,
  readRun,
  followRun,
  cancelRun,
  forgetRun,
  retryRun,
  testStep,
  changeRuns,
  listApprovals,
  createApproval,
  readApproval,
  decideApproval,
  listArtifacts,
  readArtifactContent,
  followEvents,
  listWebhooks,
  createWebhook,
  readWebhook,
  updateWebhook,
  rotateWebhookSecret,
  disableWebhookByHand,
  testWebhook,
  readMissedEvents,
  recoverEvents,
  listDeliveries,
  readDelivery,
  replayDelivery,
  ...consoleOperations,
] as const;

/** The operations that `/v1` serves and `openapi.json` describes. */
export const apiOperations = operations.filter((operation) => operation.surfaces.includes("api"));

/** The same operations without their individual types, for iteration. */
export const everyOperation: readonly Operation[] = operations;
/** The operations of `/v1`, likewise. */
export const everyApiOperation: readonly Operation[] = apiOperations;
