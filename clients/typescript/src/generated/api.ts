// Written by `npm run openapi`; edit the platform's schemas instead.

import type { Call, CallOptions, List } from "../call.ts";
import type { Download } from "../download.ts";
import type { CreateRunCall, Invoke } from "../services.ts";
import type { FollowEvents } from "../events.ts";
import type { FollowRun } from "../runs.ts";
import type { Source } from "../upload.ts";
import type * as types from "./types.ts";

/** Every operation by its id. */
export interface Api {
  readonly health: {
    /** Read the health of the platform. */
    read(options?: CallOptions): Call<types.ReadHealthResponse>;
  };
  readonly pricing: {
    /** Read prices. */
    read(input?: { service?: "platform-api" | "managed-wallets" | "managed-trading" | "universal-swaps" | "managed-agents" | "managed-workflows" | undefined }, options?: CallOptions): Call<types.Pricing>;
  };
  readonly apiKeys: {
    /** List API keys. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.ApiKeyStatus | undefined; parentId?: string | undefined; projectId?: string | undefined; endUser?: string | undefined; search?: string | undefined; expiresBefore?: types.Timestamp | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrLabel | undefined }, options?: CallOptions): List<types.ApiKey>;
    /** Create an API key. */
    create(input: types.CreateApiKey, options?: CallOptions): Call<types.CreateApiKeyResponse>;
    /** Read the calling key. */
    current(options?: CallOptions): Call<types.CurrentApiKeyResponse>;
    /** Read an API key. */
    read(id: types.ApiKeyId, options?: CallOptions): Call<types.ReadApiKeyResponse>;
    /** Revoke an API key. */
    revoke(id: types.ApiKeyId, options?: CallOptions): Call<types.RevokeApiKeyResponse>;
  };
  readonly services: {
    /** List services. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.ServiceStatus | undefined; search?: string | undefined }, options?: CallOptions): List<types.Service>;
    /** Invoke a managed service. */
    invoke: Invoke;
  };
  readonly capabilities: {
    /** List capabilities. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; mode?: types.CapabilityMode | undefined; search?: string | undefined }, options?: CallOptions): List<types.Capability>;
    /** List a service's capabilities. */
    read(serviceId: string, input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; mode?: types.CapabilityMode | undefined; search?: string | undefined }, options?: CallOptions): List<types.Capability>;
  };
  readonly actions: {
    /** List actions. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; allowed?: "true" | "false" | undefined; serviceId?: string | undefined }, options?: CallOptions): List<types.Action>;
  };
  readonly credits: {
    readonly balance: {
      /** Read the credit balance. */
      read(input?: { historyDays?: number | undefined }, options?: CallOptions): Call<types.Balance>;
    };
    readonly ledger: {
      /** List ledger entries. */
      list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; kind?: types.LedgerEntryKind | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.LedgerEntry>;
    };
    readonly x402: {
      /** Buy credits by an x402 payment. */
      topUp(input: types.TopUpCredits, options?: CallOptions): Call<types.TopUpCreditsResponse>;
    };
  };
  readonly projects: {
    /** List projects. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.ProjectStatus | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrName | undefined }, options?: CallOptions): List<types.Project>;
    /** Create a project. */
    create(input: types.CreateProject, options?: CallOptions): Call<types.Project>;
    /** Read a project. */
    read(projectId: types.ProjectId, options?: CallOptions): Call<types.Project>;
    /** Update a project. */
    update(projectId: types.ProjectId, input?: types.UpdateProject, options?: CallOptions): Call<types.Project>;
    /** Archive a project. */
    archive(projectId: types.ProjectId, options?: CallOptions): Call<types.Project>;
    /** Restore an archived project. */
    restore(projectId: types.ProjectId, input?: types.RestoreProject, options?: CallOptions): Call<types.Project>;
  };
  readonly usage: {
    /** Read usage. */
    read(input?: { from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; projectId?: string | undefined; endUser?: string | undefined; operation?: string | undefined; keyId?: string | undefined; memberId?: string | undefined; outcome?: types.AuditOutcome | undefined; status?: number | undefined; consoleReads?: types.ConsoleReads | undefined; groupBy?: "minute" | "hour" | "day" | "operation" | "service" | "key" | "project" | "endUser" | "status" | undefined }, options?: CallOptions): Call<types.Usage>;
  };
  readonly auditEvents: {
    /** List audit events. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; operation?: string | undefined; outcome?: types.AuditOutcome | undefined; status?: number | undefined; keyId?: string | undefined; memberId?: string | undefined; projectId?: string | undefined; endUser?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; requestId?: string | undefined; search?: string | undefined; consoleReads?: types.ConsoleReads | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.AuditEvent>;
  };
  readonly files: {
    /** List files. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; purpose?: string | undefined; name?: string | undefined; projectId?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrName | undefined }, options?: CallOptions): List<types.File>;
    /** Upload a file. */
    create(source: Source, input: { name: string; sha256?: string | undefined; purpose?: string | undefined; size?: number | undefined; contentType?: string | undefined }, options?: CallOptions): Call<types.File>;
    /** Read or download a file. */
    read(fileId: types.FileId, options?: CallOptions): Call<types.File>;
    /** Delete a file. */
    delete(fileId: types.FileId, options?: CallOptions): Call<types.File>;
  };
  readonly connections: {
    /** List connections. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.ConnectionStatus | undefined; authType?: types.ConnectionAuthType | undefined; host?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrLabel | undefined }, options?: CallOptions): List<types.Connection>;
    /** Create a connection. */
    create(input: types.CreateConnection, options?: CallOptions): Call<types.Connection>;
    /** Read a connection. */
    read(connectionId: types.ConnectionId, options?: CallOptions): Call<types.Connection>;
    /** Update a connection. */
    update(connectionId: types.ConnectionId, input?: types.UpdateConnection, options?: CallOptions): Call<types.Connection>;
    /** Delete a connection. */
    delete(connectionId: types.ConnectionId, options?: CallOptions): Call<types.Connection>;
  };
  readonly databases: {
    readonly account: {
      /** Read the account's database. */
      read(options?: CallOptions): Call<types.Database>;
      /** Provision the account's database. */
      provision(options?: CallOptions): Call<types.Database>;
      /** Deprovision the account's database. */
      deprovision(input?: { approvalId?: string | undefined }, options?: CallOptions): Call<types.DeprovisionDatabaseResponse>;
    };
    /** Query the account's database. */
    query(input: types.QueryDatabase, options?: CallOptions): Call<types.QueryDatabaseResponse>;
    /** Change the account's database. */
    actions(input: types.ApplyDatabaseActions, options?: CallOptions): Call<types.ApplyDatabaseActionsResponse>;
    readonly transfers: {
      /** Start an export or an import of the account's database. */
      create(input: types.CreateDatabaseTransfer, options?: CallOptions): Call<types.DatabaseTransfer>;
      readonly part: {
        /** Upload a part of an archive. */
        upload(transferId: types.TransferId, partNumber: string, source: Source, input?: { sha256?: string | undefined; size?: number | undefined }, options?: CallOptions): Call<types.DatabaseTransferPart>;
      };
      /** Complete an import's upload. */
      complete(transferId: types.TransferId, input: types.CompleteDatabaseTransfer, options?: CallOptions): Call<types.DatabaseTransfer>;
      /** Download an export's archive. */
      archive(transferId: types.TransferId, options?: CallOptions): Download;
      /** Read an export or an import. */
      read(transferId: types.TransferId, options?: CallOptions): Call<types.DatabaseTransfer>;
      /** Cancel an export or an import. */
      cancel(transferId: types.TransferId, options?: CallOptions): Call<types.DatabaseTransfer>;
    };
  };
  readonly trading: {
    readonly quotes: {
      /** Quote an order. */
      create(input: types.CreateTradingQuote, options?: CallOptions): Call<types.TradingQuote>;
    };
    readonly orders: {
      /** Execute a quoted order. */
      create(input: types.CreateTradingOrder, options?: CallOptions): Call<types.Order>;
      /** List orders. */
      list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.OrderStatus | undefined; symbol?: string | undefined; walletId?: string | undefined; side?: types.OrderSide | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.Order>;
      /** Read an order. */
      read(orderId: types.OrderId, options?: CallOptions): Call<types.Order>;
      /** Cancel an order. */
      cancel(orderId: types.OrderId, input?: types.CancelTradingOrder, options?: CallOptions): Call<types.Order>;
    };
    readonly positions: {
      /** List positions. */
      list(input?: { walletId?: string | undefined; endUser?: string | undefined }, options?: CallOptions): Call<types.Position[]>;
    };
    readonly markets: {
      /** List markets. */
      list(options?: CallOptions): Call<types.ListTradingMarketResponseMarket[]>;
    };
    readonly prices: {
      /** List prices of a market. */
      list(input: { symbol: string }, options?: CallOptions): Call<types.ListTradingPriceResponsePrice[]>;
    };
    readonly depth: {
      /** Read the depth of a market. */
      read(input: { symbol: string }, options?: CallOptions): Call<types.MarketDepth>;
    };
  };
  readonly swaps: {
    readonly tokens: {
      /** List the assets that can be swapped. */
      list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; network?: types.Network | undefined }, options?: CallOptions): List<types.SwapToken>;
    };
    /** Quote a swap. */
    quote(input: types.QuoteSwap, options?: CallOptions): Call<types.Quote>;
    /** Execute a swap that was quoted. */
    execute(input: types.ExecuteSwap, options?: CallOptions): Call<types.Swap>;
    /** List swaps. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.SwapStatus | undefined; walletId?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.Swap>;
    /** Read a swap. */
    read(swapId: types.SwapId, options?: CallOptions): Call<types.Swap>;
    /** Prepare a swap for a wallet of your own. */
    prepare(input: types.PrepareSwap, options?: CallOptions): Call<types.PreparedSwap>;
    readonly routes: {
      /** Read a swap's route. */
      read(routeId: types.RouteId, options?: CallOptions): Call<types.SwapRoute>;
    };
  };
  readonly wallets: {
    /** List wallets. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.WalletStatus | undefined; projectId?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrLabel | undefined }, options?: CallOptions): List<types.Wallet>;
    /** Create a wallet. */
    create(input: types.CreateWallet, options?: CallOptions): Call<types.Wallet>;
    /** Read a wallet. */
    read(walletId: types.WalletId, options?: CallOptions): Call<types.Wallet>;
    readonly balances: {
      /** Read a wallet's balances. */
      read(walletId: types.WalletId, input?: { network?: types.Network | undefined }, options?: CallOptions): Call<types.WalletBalance[]>;
    };
    readonly policy: {
      /** Update a wallet's policy. */
      update(walletId: types.WalletId, input: types.UpdateWalletPolicy & { approvalId?: string | undefined }, options?: CallOptions): Call<types.Wallet>;
      /** Replay transactions against a draft policy. */
      simulate(walletId: types.WalletId, input: types.SimulateWalletPolicy, options?: CallOptions): Call<types.SimulateWalletPolicyResponseSimulation>;
    };
    readonly transactions: {
      /** Quote a send. */
      quote(walletId: types.WalletId, input: types.QuoteWalletTransaction, options?: CallOptions): Call<types.Quote>;
      /** Execute a send quote. */
      create(walletId: types.WalletId, input: types.CreateWalletTransaction, options?: CallOptions): Call<types.WalletTransaction>;
      /** List a wallet's transactions. */
      list(walletId: types.WalletId, input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.WalletTransactionStatus | undefined; to?: string | undefined; direction?: types.TransactionDirection | undefined; network?: string | undefined; search?: string | undefined; createdAfter?: types.Timestamp | undefined; createdBefore?: types.Timestamp | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.WalletTransaction>;
      /** Read a transaction. */
      read(walletId: types.WalletId, transactionId: types.TransactionId, options?: CallOptions): Call<types.WalletTransaction>;
    };
    readonly signatures: {
      /** Quote a signature. */
      quote(walletId: types.WalletId, input: types.QuoteWalletSignature, options?: CallOptions): Call<types.Quote>;
      /** Execute a signature quote. */
      create(walletId: types.WalletId, input: types.CreateWalletSignature, options?: CallOptions): Call<types.Signature>;
    };
  };
  readonly runs: {
    /** List runs. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.RunStatus | undefined; serviceId?: string | undefined; operationId?: string | undefined; projectId?: string | undefined; endUser?: string | undefined; parentId?: string | undefined; retryOf?: string | undefined; triggerId?: string | undefined; workflowId?: string | undefined; workflowVersion?: number | undefined; tag?: string | undefined; createdAfter?: types.Timestamp | undefined; search?: string | undefined; timeline?: "include" | "exclude" | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.Run>;
    /** Run a service's operation durably. */
    create: CreateRunCall;
    /** Create many runs. */
    batch(input: types.BatchRun, options?: CallOptions): Call<types.CreatedRun[]>;
    /** Read a run. */
    read(runId: types.RunId, input?: { waitSeconds?: number | undefined }, options?: CallOptions): Call<types.Run>;
    /** Follow a run. */
    follow: FollowRun;
    /** Cancel a run. */
    cancel(runId: types.RunId, input?: types.CancelRun, options?: CallOptions): Call<types.Run>;
    /** Forget a run. */
    forget(runId: types.RunId, input?: types.ForgetRun, options?: CallOptions): Call<types.Run>;
    /** Retry a run. */
    retry(runId: types.RunId, input?: types.RetryRun, options?: CallOptions): Call<types.Run>;
    readonly steps: {
      /** Check a step on an earlier run. */
      test(runId: types.RunId, input: types.TestRunStep, options?: CallOptions): Call<types.TestedStep>;
    };
    /** Retry, cancel or forget many runs. */
    bulk(input: types.BulkRun, options?: CallOptions): Call<types.BulkResult[]>;
  };
  readonly approvals: {
    /** List approvals. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.ApprovalStatus | undefined; kind?: types.ApprovalKind | undefined; id?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.Approval>;
    /** Create an approval of a service action. */
    create(input: types.CreateApproval, options?: CallOptions): Call<types.Approval>;
    /** Read an approval. */
    read(approvalId: types.ApprovalId, options?: CallOptions): Call<types.Approval>;
    /** Decide an approval. */
    decide(approvalId: types.ApprovalId, input: types.DecideApproval, options?: CallOptions): Call<types.Approval>;
  };
  readonly artifacts: {
    /** List artifacts. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; runId?: string | undefined; serviceId?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAtOrName | undefined }, options?: CallOptions): List<types.Artifact>;
    readonly content: {
      /** Download an artifact. */
      read(artifactId: types.ArtifactId, options?: CallOptions): Download;
    };
  };
  readonly events: {
    /** Follow the account's events. */
    follow: FollowEvents;
  };
  readonly webhooks: {
    /** List webhooks. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; status?: types.WebhookStatus | undefined; disabledManually?: "include" | "exclude" | undefined; event?: string | undefined; endUser?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.Webhook>;
    /** Create a webhook. */
    create(input: types.CreateWebhook, options?: CallOptions): Call<types.CreateWebhookResponse>;
    /** Read a webhook. */
    read(webhookId: types.WebhookId, options?: CallOptions): Call<types.Webhook>;
    /** Update a webhook. */
    update(webhookId: types.WebhookId, input?: types.UpdateWebhook, options?: CallOptions): Call<types.Webhook>;
    /** Disable a webhook. */
    disable(webhookId: types.WebhookId, options?: CallOptions): Call<types.Webhook>;
    /** Rotate a webhook's secret. */
    rotate(webhookId: types.WebhookId, input?: types.RotateWebhookSecret, options?: CallOptions): Call<types.RotateWebhookSecretResponse>;
    /** Send a test event to a webhook. */
    test(webhookId: types.WebhookId, input?: types.TestWebhook, options?: CallOptions): Call<types.WebhookDelivery>;
    readonly missed: {
      /** Read how many events a webhook missed. */
      read(webhookId: types.WebhookId, input: { since: types.Timestamp }, options?: CallOptions): Call<number>;
    };
    /** Recover a webhook's missed events. */
    recover(webhookId: types.WebhookId, input: types.RecoverWebhook, options?: CallOptions): Call<number>;
  };
  readonly webhookDeliveries: {
    /** List webhook deliveries. */
    list(input?: { limit?: types.PageLimit | undefined; cursor?: types.PageCursor | undefined; total?: types.PageTotal | undefined; webhookId?: string | undefined; status?: types.DeliveryStatus | undefined; event?: string | undefined; search?: string | undefined; from?: types.PeriodStart | undefined; to?: types.PeriodEnd | undefined; sort?: types.SortByCreatedAt | undefined }, options?: CallOptions): List<types.WebhookDelivery>;
    /** Read a webhook delivery. */
    read(deliveryId: types.DeliveryId, options?: CallOptions): Call<types.ReadWebhookDeliveryResponse>;
    /** Replay a webhook delivery. */
    replay(deliveryId: types.DeliveryId, input?: types.ReplayWebhookDelivery, options?: CallOptions): Call<types.WebhookDelivery>;
  };
}
