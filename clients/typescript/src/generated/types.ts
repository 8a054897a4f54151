// Written by `npm run openapi`; edit the platform's schemas instead.

/** Id of the account (TypeID, `acct_…`). */
export type AccountId = string;

/** The access decision on one operation, explained. */
export interface Action {
  /** The operation's id, or the exact selector of a service's operation. */
  operation: string;
  /** Id of the service. */
  serviceId: string;
  /** The HTTP method. */
  method: string;
  /** Relative to `/v1`. */
  path: string;
  /** The scope that it needs; null for none. */
  scope: "services:read" | "services:invoke" | "credits:read" | "credits:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "files:read" | "files:write" | "connections:read" | "connections:write" | "databases:read" | "databases:write" | "wallets:read" | "wallets:create" | "wallets:sign" | "wallets:transact" | "trading:read" | "trading:execute" | "runs:read" | "runs:write" | "approvals:read" | "approvals:write" | "artifacts:read" | "webhooks:read" | "webhooks:write" | "api_keys:manage" | null;
  /** Whether it needs an `Idempotency-Key`. */
  idempotencyRequired: boolean;
  /** The selectors whose limits count it, the most exact first; `*` counts everything. */
  limitSelectors: string[];
  /** Whether this caller would be let through now. */
  allowed: boolean;
  /** What refuses it; null where it is allowed. */
  deniedBy: ActionDeniedBy | null;
}

export interface ActionDeniedBy {
  /** The check that refuses. */
  check: "scope" | "service" | "operation" | "limit";
  /** The highest key of the chain that refuses; null for a member. */
  keyId: string | null;
}

/** A bearer key and its policy, which never changes after it was made. */
export interface ApiKey {
  id: ApiKeyId;
  /** What the key is for. */
  label: string;
  /** The first characters of the secret, to recognise it by. */
  prefix: string;
  /** What the key may do. */
  scopes: Scope[];
  /** The services it reaches, over its whole chain; null: no key of the chain has a boundary. */
  allowedServices: string[] | null;
  /** The exact selectors it reaches, over its whole chain; null: no key of the chain has a boundary, and it reaches those registered when it was made. */
  allowedOperations: string[] | null;
  /** Limits by selector, as they were sent. */
  limits: Record<string, Limit>;
  /** When it expires. */
  expiresAt: Timestamp;
  /** Whether each authenticated request moves the expiry to 30 days from then. */
  expiryMode: "fixed" | "renewed_by_use";
  /** The key's own state; an ancestor's stands in `invalidBecause`. */
  status: "active" | "expired" | "revoked";
  /** Why an active key is refused all the same. */
  invalidBecause: "ancestor_expired" | "ancestor_revoked" | null;
  /** The key that made it; null for a root key. */
  parentId: ApiKeyId | null;
  /** 0 for a root key; eight levels of delegation lie below it. */
  depth: number;
  /** The project that it is bound to for good. */
  projectId: ProjectId | null;
  /** The app that a person has connected, which calls with short-lived tokens of this key. */
  app: ApiKeyApp | null;
  /** The end user that it is bound to for good. */
  endUser: string | null;
  /** How long request data is kept. */
  privacyTier: "standard" | "private" | "strict";
  createdAt: Timestamp;
  /** When a request last authenticated with it. */
  lastUsedAt: Timestamp | null;
  /** When it was revoked. */
  revokedAt: Timestamp | null;
}

export interface ApiKeyApp {
  /** The app's `client_id`. */
  id: string;
  /** What it calls itself. */
  name: string;
  /** The host that vouches for it; null for one that registered itself. */
  host: string | null;
  /** Whether a host vouches for it. */
  verified: boolean;
}

/** A key was made. */
export type ApiKeyCreatedEvent = EventEnvelope & {
  type: "api_key.created";
  data: ApiKeyEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface ApiKeyEventData {
  apiKey: ApiKey;
}

/** A key expires within a week, or within the last quarter of a shorter life. */
export type ApiKeyExpiringEvent = EventEnvelope & {
  type: "api_key.expiring";
  data: ApiKeyEventData;
};

/** Id of the API key (TypeID, `key_…`). */
export type ApiKeyId = string;

/** A key was revoked, and with it every key below it. */
export type ApiKeyRevokedEvent = EventEnvelope & {
  type: "api_key.revoked";
  data: ApiKeyEventData;
};

/** A person has connected an app; `apiKey.app` says which. */
export type AppConnectedEvent = EventEnvelope & {
  type: "app.connected";
  data: AppConnectedEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface AppConnectedEventData {
  apiKey: ApiKey;
}

/** A connected app's access has ended. */
export type AppEndedEvent = EventEnvelope & {
  type: "app.ended";
  data: AppEndedEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface AppEndedEventData {
  apiKey: ApiKey;
  /** Why: somebody or the app itself `revoked` it, it has `expired`, a code or a refresh token came twice (`token_reused`), or who connected it left the account (`membership_ended`). */
  reason: "revoked" | "expired" | "token_reused" | "membership_ended";
}

export interface ApplyDatabaseActions {
  /** The changes, in order: all of them, or none. */
  actions: DatabaseAction[];
  /** Whether to undo them all at the end, and only report what they would have changed. */
  dryRun?: boolean | undefined;
  /** How long the call's statements may take together, 1 to 60000 ms. */
  timeoutMs?: number | undefined;
}

export interface ApplyDatabaseActionsResponse {
  /** What each action did, in order. */
  results: DatabaseActionResult[];
  /** Whether everything was undone. */
  dryRun: boolean;
}

/** A grave action that waits for a decision, and what became of it. */
export interface Approval {
  id: ApprovalId;
  /** What kind of thing is approved. */
  kind: "service_action" | "transaction" | "signature" | "order" | "swap" | "workflow_step";
  subject: ApprovalSubject;
  /** A sentence that a person can judge. */
  summary: string;
  /** Why it was asked for: in the words of who asked, or of the policy that wants it approved. */
  reason: string | null;
  /** What exactly is approved; null once it is settled, for a key whose privacy tier keeps no bodies. */
  payload: unknown;
  /** SHA-256, in hex, over the RFC 8785 form of the payload. */
  payloadHash: string;
  requestedBy: ApprovalRequestedBy;
  /** How many distinct approvers must approve. */
  requiredApprovals: number;
  /** Whether who asked may decide too. */
  initiatorMayApprove: boolean;
  /** Ids of the members and keys that may decide; null for everyone who has the scope. */
  approvers: string[] | null;
  /** What was decided so far, in order. */
  decisions: ApprovalDecision[];
  /** `approved` until the action is done, which makes it `consumed`. A single reject rejects. */
  status: "pending" | "approved" | "rejected" | "expired" | "consumed" | "cancelled";
  /** The run that waits for it. */
  runId: RunId | null;
  projectId: ProjectId | null;
  /** The customer's own id of the end user that it belongs to. */
  endUser: string | null;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  /** When it was approved or rejected. */
  decidedAt: Timestamp | null;
  /** When the action was done. */
  consumedAt: Timestamp | null;
}

/** An approval was approved by as many as it needs, or rejected. */
export type ApprovalDecidedEvent = EventEnvelope & {
  type: "approval.decided";
  data: ApprovalEventData;
};

/** One principal's decision on an approval. */
export interface ApprovalDecision {
  by: ApprovalDecisionBy;
  /** What was decided. */
  decision: "approve" | "reject";
  /** Why, in their words. */
  reason: string | null;
  at: Timestamp;
}

/** Who decided. */
export interface ApprovalDecisionBy {
  /** Whether a key, a person or the platform itself. */
  type: "key" | "member" | "system";
  /** Id of the key or the member; null for the platform. */
  id: string | null;
  /** The key's label, or the person's name, at that time. */
  label: string;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface ApprovalEventData {
  approval: Approval;
}

/** An approval ran out before it was decided, or, approved, before it was used. */
export type ApprovalExpiredEvent = EventEnvelope & {
  type: "approval.expired";
  data: ApprovalEventData;
};

/** Id of the approval (TypeID, `appr_…`). */
export type ApprovalId = string;

/** Who asked. */
export interface ApprovalRequestedBy {
  /** Whether a key, a person or the platform itself. */
  type: "key" | "member" | "system";
  /** Id of the key or the member; null for the platform. */
  id: string | null;
  /** The key's label, or the person's name, at that time. */
  label: string;
}

/** Somebody asked for an approval. */
export type ApprovalRequestedEvent = EventEnvelope & {
  type: "approval.requested";
  data: ApprovalEventData;
};

/** What would be done. */
export interface ApprovalSubject {
  /** Id of the service. */
  serviceId: string;
  /** Names the operation within its service. */
  operationId: string;
  /** The thing that waits for the decision, where there is one. */
  id: string | null;
}

/** What a run has produced. */
export interface Artifact {
  id: ArtifactId;
  /** The run that produced it. */
  runId: RunId;
  /** The run's service. */
  serviceId: string;
  /** Its name, as the run gave it. */
  name: string;
  /** What its bytes are, as the run said. */
  mediaType: string;
  /** How many bytes it has. */
  sizeBytes: number;
  /** SHA-256 of its bytes, in hex. */
  sha256: string;
  projectId: ProjectId | null;
  /** The customer's own id of the end user that it belongs to. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it is deleted. */
  expiresAt: Timestamp;
}

/** A run has produced an artifact. */
export type ArtifactCreatedEvent = EventEnvelope & {
  type: "artifact.created";
  data: ArtifactEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface ArtifactEventData {
  artifact: Artifact;
}

/** Id of the artifact (TypeID, `art_…`). */
export type ArtifactId = string;

/** One authenticated request, or one act of the platform itself. */
export interface AuditEvent {
  id: AuditEventId;
  at: Timestamp;
  actor: AuditEventActor;
  /** The limit operation, e.g. `projects.create`. */
  operation: string;
  /** Id of the thing that the call was about. */
  resource: string | null;
  /** `denied`: refused with a 4xx; `error`: failed with a 5xx. */
  outcome: "allowed" | "denied" | "error";
  /** The answer's HTTP status. */
  status: number;
  /** The answer's error code. */
  errorCode: string | null;
  /** The answer's `X-Request-Id`. */
  requestId: string;
  /** The project that the call was made in. */
  projectId: ProjectId | null;
  /** The end user that the call was made for; null once erased. */
  endUser: string | null;
  /** The client's address, for 30 days. */
  ip: string | null;
  /** The client's `User-Agent`, for 30 days. */
  userAgent: string | null;
  /** How long the platform worked on it. */
  durationMs: number;
  /** What it cost. */
  chargedCredits: number;
  /** The version of the connection's secret in use. */
  secretVersion: number | null;
  /** Its place in the account's hash chain, from 1, without gaps; given within a second. */
  sequence: number | null;
  /** `hash` of the event before it, hex. */
  previousHash: string | null;
  /** SHA-256 of the event without `hash` in its RFC 8785 form, personal fields as salted digests. */
  hash: string | null;
}

/** Who acted. */
export interface AuditEventActor {
  /** What kind of caller acted. */
  type: "key" | "member" | "system";
  /** Id of the key, the member or the credit token. */
  id: string | null;
  /** The caller's label or name; null once it was erased. */
  label: string | null;
}

/** Id of the audit event (TypeID, `evt_…`). */
export type AuditEventId = string;

/** The account's credits; 1,000 are 1 USD. */
export interface Balance {
  /** What can be spent now. */
  availableCredits: number;
  /** What is set aside for calls under way. */
  reservedCredits: number;
  /** Both together. */
  totalCredits: number;
  /** Below this the balance counts as low. */
  lowThreshold: number;
  asOf: Timestamp;
  /** The balance at the end of each day, the oldest first; only where `historyDays` asks for it. */
  history?: BalanceHistoryItem[] | undefined;
}

export interface BalanceHistoryItem {
  /** The UTC day. */
  day: string;
  /** What there was at its end, reserved credits included; today's are those of now. */
  totalCredits: number;
}

/** What has become of one run of many. */
export interface BulkResult {
  /** The run that was named. */
  runId: RunId;
  /** The run that a retry has queued. */
  newRunId: RunId | null;
}

export interface BulkResultError {
  /** Why it was not. */
  code: string;
  /** The same in words. */
  message: string;
  /** After how many seconds another request may succeed, where a limit refused it. */
  retryAfterSeconds: number | null;
}

export interface BulkRun {
  /** What to do with each run. */
  action: "retry" | "cancel";
  /** The runs, 1 to 50, each once. */
  runIds: RunId[];
  /** Whether each is retried as a whole, or from the step that failed, where one did. */
  retryFrom?: "start" | "failedStep" | undefined;
}

export type CancelRun = Record<string, never>;

export type CancelTradingOrder = Record<string, never>;

/** An operation of a managed service. */
export interface Capability {
  /** Id of the service. */
  serviceId: string;
  /** Names the operation within its service. */
  operationId: string;
  /** A short imperative phrase. */
  title: string;
  /** What a caller must know beyond the title. */
  description: string;
  /** JSON Schema of `input`; of all fields together where it has an endpoint. */
  inputSchema: Record<string, unknown>;
  /** JSON Schema of what it answers. */
  outputSchema: Record<string, unknown>;
  /** How it can be used; empty where it has an endpoint of its own. */
  modes: ("invoke" | "run")[];
  /** The endpoint that it has of its own. */
  endpoint: CapabilityEndpoint | null;
  /** The selectors for keys that name exactly it. */
  selectors: string[];
  /** Whether it changes nothing. */
  readOnly: boolean;
  /** Whether it can destroy what can't be brought back. */
  destructive: boolean;
  /** Whether it needs an approved service action with the same input. */
  requiresApproval: boolean;
  /** What a call of it costs. */
  price: Price;
}

export interface CapabilityEndpoint {
  /** The HTTP method. */
  method: string;
  /** Relative to `/v1`. */
  path: string;
}

/** A chain that wallets and swaps use. */
export interface ChainHealth {
  /** The chain (CAIP-2). */
  network: string;
  /** What people call it. */
  name: string;
  /** Its newest block; null where the node did not answer. */
  blockNumber: number | null;
  /** The node's address, in the sandbox only. */
  rpcUrl: string | null;
}

export interface CompleteDatabaseTransfer {
  /** Every part of the archive, in order. */
  parts: CompleteDatabaseTransferPart[];
}

export interface CompleteDatabaseTransferPart {
  /** The part. */
  partNumber: number;
  /** The SHA-256 of its bytes, hex. */
  sha256: string;
}

/** A credential for an outside system, bound to hosts: used, never shown. */
export interface Connection {
  id: ConnectionId;
  /** What people call it. */
  label: string;
  /** Which outside system it is for, in words of your own. */
  provider: string;
  /** How the secret is sent: in a header of its own (`api_key`), as a bearer token, as the password of basic authentication, or as the client secret of OAuth 2.0 client credentials. */
  authType: "api_key" | "bearer" | "basic" | "oauth2_client";
  /** The hosts that the secret may be sent to: `host` (any port), `host:port`, or `*.domain.tld` for every host below a domain. */
  allowedHosts: string[];
  headerName: string | null;
  username: string | null;
  clientId: string | null;
  tokenUrl: string | null;
  tokenScopes: string[] | null;
  /** `broken`: the outside system refuses the secret. Send another one. */
  status: "active" | "disabled" | "broken";
  /** Equal for equal secrets; it does not reveal them. */
  secretFingerprint: string;
  /** 1, and one more with every rotation. */
  secretVersion: number;
  /** When the secret was last replaced. */
  rotatedAt: Timestamp | null;
  /** After this it can't be used. */
  expiresAt: Timestamp | null;
  /** When the secret was last sent. */
  lastUsedAt: Timestamp | null;
  /** Why its last use failed; null after one that worked. */
  lastError: ConnectionLastError | null;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: ProjectId | null;
  /** The end user whose it is, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
}

/** The outside system refuses a connection's secret. */
export type ConnectionBrokenEvent = EventEnvelope & {
  type: "connection.broken";
  data: ConnectionEventData;
};

/** A connection was created. */
export type ConnectionCreatedEvent = EventEnvelope & {
  type: "connection.created";
  data: ConnectionEventData;
};

/** A connection was deleted, and its secret with it. */
export type ConnectionDeletedEvent = EventEnvelope & {
  type: "connection.deleted";
  data: ConnectionEventData;
};

/** A connection was disabled. */
export type ConnectionDisabledEvent = EventEnvelope & {
  type: "connection.disabled";
  data: ConnectionEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface ConnectionEventData {
  connection: Connection;
}

/** Id of the connection (TypeID, `conn_…`). */
export type ConnectionId = string;

export interface ConnectionLastError {
  /** What failed. */
  code: string;
  /** The same for people. */
  message: string;
  at: Timestamp;
}

/** A connection that was broken has worked again. */
export type ConnectionRecoveredEvent = EventEnvelope & {
  type: "connection.recovered";
  data: ConnectionEventData;
};

/** A connection has another secret. */
export type ConnectionRotatedEvent = EventEnvelope & {
  type: "connection.rotated";
  data: ConnectionEventData;
};

export interface CreateApiKey {
  /** What the key is for, 1 to 200 characters. */
  label: string;
  /** What the key may do. */
  scopes: Scope[];
  /** The services it reaches; empty: none. */
  allowedServices?: string[] | undefined;
  /** All services available now but these, stored as an allowlist. */
  excludedServices?: string[] | undefined;
  /** Selectors it reaches; aggregates are expanded now. */
  allowedOperations?: string[] | undefined;
  /** The parent's boundary without these selectors. */
  excludedOperations?: string[] | undefined;
  /** At most 365 days ahead; 90 with wallets:sign, wallets:transact, approvals:write or trading:execute. */
  expiresAt?: Timestamp | undefined;
  /** Limits by selector; `*` matches every authenticated operation. */
  limits?: Record<string, LimitInput> | undefined;
  /** Binds the key, and all its children, to a project. */
  projectId?: ProjectId | null | undefined;
  /** Binds the key, and all its children, to an end user. */
  endUser?: string | null | undefined;
  /** By default the parent's; can't be looser. */
  privacyTier?: "standard" | "private" | "strict" | undefined;
}

export interface CreateApiKeyResponse {
  apiKey: ApiKey;
  /** The bearer key. Shown once; only its hash is stored. */
  secret: string;
}

export interface CreateApproval {
  /** Id of the service. */
  serviceId: string;
  /** The operation that needs an approval; `GET /capabilities/{serviceId}` says which do. */
  operationId: string;
  /** Exactly the input that the operation will be called with. */
  input: unknown;
  /** Why, for those who decide. */
  reason?: string | null | undefined;
  /** How many distinct approvers must approve. */
  requiredApprovals?: number | undefined;
  /** After how many seconds it can neither be decided nor used. One day by default. */
  expiresInSeconds?: number | undefined;
}

export interface CreateConnection {
  /** What people call it, 1 to 200 characters. */
  label: string;
  /** Which outside system it is for, in words of your own. */
  provider: string;
  /** How the secret is sent: in a header of its own (`api_key`), as a bearer token, as the password of basic authentication, or as the client secret of OAuth 2.0 client credentials. */
  authType: "api_key" | "bearer" | "basic" | "oauth2_client";
  /** The key, token, password or client secret. Stored sealed; never shown again. */
  secret: string;
  /** The hosts that the secret may be sent to: `host` (any port), `host:port`, or `*.domain.tld` for every host below a domain. */
  allowedHosts: string[];
  /** With `api_key` only; by default `X-API-Key`. */
  headerName?: string | undefined;
  /** Required with `basic`, which alone has one. */
  username?: string | undefined;
  /** Required with `oauth2_client`, which alone has one. */
  clientId?: string | undefined;
  /** Where access tokens are fetched (RFC 6749, 4.4). Its host stands in `allowedHosts`. */
  tokenUrl?: string | undefined;
  /** The scopes that are asked for. */
  tokenScopes?: string[] | undefined;
  /** After this it can't be used. By default it stays. */
  expiresAt?: Timestamp | undefined;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateDatabaseTransfer {
  /** Whether to copy the database out or in. */
  direction: "export" | "import";
  /** Of an import: whether to check the archive and compare it, and to apply nothing. */
  dryRun?: boolean | undefined;
}

export interface CreateProject {
  /** The project's name, 1 to 200 characters. */
  name: string;
  /** Short name for URLs, unique in the account. By default made of the name. */
  slug?: string | undefined;
  description?: string | null | undefined;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateRun {
  /** The service, e.g. `managed-memory`. */
  serviceId: string;
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input; `GET /capabilities/{serviceId}` has its schema. */
  input: unknown;
  /** The approval of exactly this input, where the operation needs one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, where it uses one. */
  connectionId?: string | undefined;
  /** How many times it is tried at most. */
  maxAttempts?: number | undefined;
  /** After how many seconds it is given up, if it has not ended. */
  expiresInSeconds?: number | undefined;
  /** When it starts, at most a year ahead; by default at once. Until then it is `queued`, holds no credits and is no live run; `expiresInSeconds` count from then. */
  startAt?: Timestamp | undefined;
}

export interface CreateTradingOrder {
  /** The quote to execute, of `POST /trading/quotes`. */
  quoteId: string;
  /** Your own name of it, unique among the wallet's orders. */
  clientReference?: string | undefined;
}

export interface CreateTradingQuote {
  /** The wallet that pays and receives. */
  walletId: string;
  /** What is traded against what, e.g. `ETH-USD`. */
  symbol: string;
  /** Whether the base asset, which the symbol names first, is bought or sold. */
  side: "buy" | "sell";
  /** `market`: at today's price, within the slippage. `limit`: at `limitPrice` or better. */
  type: "market" | "limit";
  /** How much of the base asset, in whole units. */
  quantity: string;
  /** The worst average price, in USD per unit. Limit orders need it; others have none. */
  limitPrice?: string | undefined;
  /** By default `gtc` for limit orders, `ioc` for market orders. */
  timeInForce?: "gtc" | "ioc" | "fok" | "gtd" | undefined;
  /** When a `gtd` order ends; others have none. */
  expiresAt?: Timestamp | undefined;
  /** How much worse than quoted a market order may be filled, in hundredths of a percent; 50 by default. */
  slippageBps?: number | undefined;
}

export interface CreateWallet {
  /** What people call it, 1 to 200 characters. */
  label: string;
  policy?: CreateWalletPolicy | undefined;
  /** The end user whose it is, by your own id; by default the one that the call acts for. */
  endUser?: string | null | undefined;
}

/** What it may do. By default everything, without an approval. */
export interface CreateWalletPolicy {
  /** What one transaction or signature may spend at most; it may be met exactly. */
  maxPerTransactionUsd?: unknown & unknown | null | undefined;
  /** What may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd?: unknown & unknown | null | undefined;
  /** What the network may take for one transaction at most, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** What networks may take in one UTC day, counted at its most until a transaction is in a block and then as what was paid; null: the installation's limit. */
  dailyNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** The chains that may be used; null: all. */
  allowedNetworks?: string[] | null | undefined;
  /** The assets that may be spent; null: all. */
  allowedAssets?: string[] | null | undefined;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients?: string[] | null | undefined;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts?: CreateWalletPolicyAllowedContract[] | null | undefined;
  /** What may be signed beside transactions; merged field by field. */
  signatures?: CreateWalletPolicySignatures | null | undefined;
  /** What people have to approve first; merged field by field. */
  approval?: CreateWalletPolicyApproval | null | undefined;
}

export interface CreateWalletPolicyAllowedContract {
  /** An address, with its EIP-55 checksum. */
  address: string;
  /** The methods that may be called; null: all. */
  methods: string[] | null;
}

export interface CreateWalletPolicyApproval {
  /** What spends more than this needs an approval; null: no amount does. */
  aboveUsd?: unknown & unknown | null | undefined;
  /** Whether everything needs an approval. */
  always?: boolean | undefined;
  /** How many distinct approvers must approve. */
  requiredApprovals?: number | undefined;
  /** Whether who asked may decide too. */
  initiatorMayApprove?: boolean | undefined;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers?: string[] | null | undefined;
  /** Whether loosening this policy needs an approval too. */
  policyChanges?: boolean | undefined;
  /** How long an approval waits for its decision. */
  expiresInSeconds?: number | undefined;
}

export interface CreateWalletPolicySignatures {
  /** Whether messages (EIP-191) may be signed. */
  messages?: boolean | undefined;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts?: string[] | null | undefined;
}

export interface CreateWalletSignature {
  /** The quote to execute, within its 60 seconds, once. */
  quoteId: QuoteId;
}

export interface CreateWalletTransaction {
  /** The quote to execute, within its 60 seconds, once. */
  quoteId: QuoteId;
  /** Your own name of it, unique among the wallet's transactions for ever, over all keys. */
  clientReference?: string | undefined;
}

export interface CreateWebhook {
  /** An `https:` address that the public internet reaches. */
  url: string;
  /** What to send: `*`, names of events, or all below one: `run.*`. */
  events: string[];
  /** What it is for. */
  description?: string | null | undefined;
  /** Send only events whose body fulfils every one of these; null: all that it asks for. */
  filter?: WebhookConditionInput[] | null | undefined;
  /** `thin` sends the id, the resource and its status in place of `data`: your server reads the rest with its key. */
  payload?: "full" | "thin" | undefined;
  /** Headers for each attempt, by name. They are sealed and never shown again. */
  headers?: Record<string, string> | undefined;
  /** Send this project's events only. */
  projectId?: ProjectId | undefined;
}

export interface CreateWebhookResponse {
  webhook: Webhook;
  /** Signs its deliveries. Shown once. */
  secret: string;
}

/** A charge took the last credit. */
export type CreditsExhaustedEvent = EventEnvelope & {
  type: "credits.exhausted";
  data: CreditsExhaustedEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface CreditsExhaustedEventData {
  balance: Balance;
}

/** A charge took the balance below its threshold. */
export type CreditsLowEvent = EventEnvelope & {
  type: "credits.low";
  data: CreditsLowEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface CreditsLowEventData {
  balance: Balance;
}

/** Credits were bought or granted. */
export type CreditsToppedUpEvent = EventEnvelope & {
  type: "credits.topped_up";
  data: CreditsToppedUpEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface CreditsToppedUpEventData {
  balance: Balance;
  /** What was added. */
  creditedCredits: number;
  /** The entry of the ledger. */
  receiptId: ReceiptId;
}

export interface CurrentApiKeyResponse {
  apiKey: ApiKey;
  account: CurrentApiKeyResponseAccount;
}

/** The account that the key acts for. */
export interface CurrentApiKeyResponseAccount {
  id: AccountId;
  /** What the account is called. */
  name: string;
}

/** The account's own PostgreSQL database. */
export interface Database {
  /** `absent` before it is provisioned, and after it was deprovisioned. */
  status: "absent" | "provisioning" | "ready" | "deprovisioning";
  /** What it takes on disk. */
  sizeBytes: number;
  limits: DatabaseLimits;
  /** Its tables, by name. */
  tables: DatabaseTable[];
  /** When it was provisioned; null while it is absent. */
  createdAt: Timestamp | null;
}

/** A change of the account's database. */
export type DatabaseAction = DatabaseActionSql | DatabaseActionTableCreate | DatabaseActionTableDrop | DatabaseActionRowsInsert | DatabaseActionRowsUpsert | DatabaseActionRowsUpdate | DatabaseActionRowsDelete;

/** What an action did. */
export interface DatabaseActionResult {
  /** The action's type. */
  type: string;
  /** How many rows it changed or answered; null where it changed no rows. */
  rowCount: number | null;
  /** The columns of the rows that it answered. */
  columns?: ResultColumn[] | undefined;
  /** The rows that it answered, in column order. */
  rows?: unknown[][] | undefined;
}

export interface DatabaseActionRowsDelete {
  /** Deletes rows. */
  type: "rows.delete";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
  /** Column → value; every row that has all of them. `null` matches NULL. */
  where: Record<string, unknown>;
}

export interface DatabaseActionRowsInsert {
  /** Inserts rows. */
  type: "rows.insert";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
  /** The rows, column → value; a column that is left out gets its default. */
  rows: (Record<string, unknown>)[];
}

export interface DatabaseActionRowsUpdate {
  /** Changes rows. */
  type: "rows.update";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
  /** Column → new value. */
  set: Record<string, unknown>;
  /** Column → value; every row that has all of them. `null` matches NULL. */
  where: Record<string, unknown>;
}

export interface DatabaseActionRowsUpsert {
  /** Inserts rows, or changes those that are there. */
  type: "rows.upsert";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
  /** The rows, column → value. */
  rows: (Record<string, unknown>)[];
  /** The columns whose values say that a row is there. */
  conflictColumns: string[];
}

export interface DatabaseActionSql {
  /** Runs a statement. */
  type: "sql";
  /** One statement, with `$1`, `$2`, … for its parameters. */
  sql: string;
  /** The values of `$1`, `$2`, … in the form in which rows are answered. */
  params?: unknown[] | undefined;
}

export interface DatabaseActionTableCreate {
  /** Creates a table. */
  type: "table.create";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
  /** Its columns, in order. */
  columns: DatabaseActionTableCreateColumn[];
  /** The columns of its primary key. */
  primaryKey?: string[] | undefined;
}

export interface DatabaseActionTableCreateColumn {
  /** A name as it stands in the database, without quotes and without `public.`. */
  name: string;
  /** The column's type, by its name in `pg_type`. */
  type: string;
  /** Whether it takes NULL. */
  nullable?: boolean | undefined;
  /** Its default: an SQL expression such as `now()`, a number or a boolean. */
  default?: string | number | boolean | undefined;
}

export interface DatabaseActionTableDrop {
  /** Drops a table. */
  type: "table.drop";
  /** A name as it stands in the database, without quotes and without `public.`. */
  table: string;
}

/** A column of a table. */
export interface DatabaseColumn {
  /** The column's name. */
  name: string;
  /** Its type with its modifiers, e.g. `numeric(12,2)`. */
  type: string;
  /** Whether it takes NULL. */
  nullable: boolean;
  /** The SQL expression of its default; null without one. */
  default: string | null;
}

/** The account's database was removed. */
export type DatabaseDeprovisionedEvent = EventEnvelope & {
  type: "database.deprovisioned";
  data: DatabaseEventData;
};

/** What an archive holds beside what the database holds. */
export interface DatabaseDifference {
  /** Every table of either. */
  tables: DatabaseDifferenceTable[];
}

export interface DatabaseDifferenceTable {
  /** The table. */
  name: string;
  /** Whether only the archive has it, only the database, or both. */
  change: "added" | "missing" | "kept";
  /** Its rows in the archive; null where that lacks it. */
  archiveRows: number | null;
  /** Its rows in the database; null where that lacks it. */
  databaseRows: number | null;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface DatabaseEventData {
  database: Database;
}

/** An index of a table. */
export interface DatabaseIndex {
  /** The index's name. */
  name: string;
  /** Its columns, or the expressions that stand for one, in order. */
  columns: string[];
  /** Whether it lets every value in once only. */
  unique: boolean;
  /** The statement that makes it. */
  definition: string;
}

/** What the database may take. */
export interface DatabaseLimits {
  /** How large the database may grow. A transaction that would pass it is undone: at its end, or while it writes, when its size is looked at four times a second. */
  maximumBytes: number;
  /** How many statements run at the same time; more wait 5 s, then get 429. */
  connections: number;
  /** Rows of one answer at most. */
  maximumRows: number;
  /** Bytes of one answer at most. */
  maximumAnswerBytes: number;
  /** Bytes of a whole result at most, over all its pages. */
  maximumResultBytes: number;
  /** How long a statement may run at most, in milliseconds. */
  maximumTimeoutMs: number;
}

/** The account got its database. */
export type DatabaseProvisionedEvent = EventEnvelope & {
  type: "database.provisioned";
  data: DatabaseEventData;
};

/** A table of the account's database. */
export interface DatabaseTable {
  /** The table's name, without `public.`. */
  name: string;
  /** Its columns, in order. */
  columns: DatabaseColumn[];
  /** The columns of its primary key; empty without one. */
  primaryKey: string[];
  /** Its indexes, that of the primary key among them. */
  indexes: DatabaseIndex[];
  /** About how many rows it has. */
  rowEstimate: number;
  /** What it takes on disk with its indexes. */
  sizeBytes: number;
}

/** A portable copy of the account's database, on its way out or in. */
export interface DatabaseTransfer {
  id: TransferId;
  /** Whether the database is copied out or in. */
  direction: "export" | "import";
  /** An import goes from `pending` over `uploading`, `validating` and `applying` to `completed`; an export from `building` to `ready`. */
  status: "pending" | "uploading" | "validating" | "applying" | "completed" | "building" | "ready" | "failed" | "cancelled" | "expired";
  /** Whether an import is only checked and compared. */
  dryRun: boolean;
  /** Of a completed dry run; else null. */
  difference: DatabaseDifference | null;
  /** The parts of an import that have arrived, by number. */
  parts: DatabaseTransferPart[];
  /** The archive of an export that is ready; else null. */
  archive: DatabaseTransferArchive | null;
  /** Why it failed; else null. */
  error: DatabaseTransferError | null;
  /** Until when it goes on, or its archive can be read. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
}

export interface DatabaseTransferArchive {
  /** How many bytes it has. */
  sizeBytes: number;
  /** The SHA-256 of its bytes, hex. */
  sha256: string;
}

/** An export is ready, or an import was applied. */
export type DatabaseTransferCompletedEvent = EventEnvelope & {
  type: "database.transfer.completed";
  data: DatabaseTransferEventData;
};

export interface DatabaseTransferError {
  /** Names the kind of fault. */
  code: string;
  /** What was wrong. */
  message: string;
  /** The archive's entry that it was found in. */
  entry: string | null;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface DatabaseTransferEventData {
  transfer: DatabaseTransfer;
}

/** An export or an import failed. */
export type DatabaseTransferFailedEvent = EventEnvelope & {
  type: "database.transfer.failed";
  data: DatabaseTransferEventData;
};

/** A part of an archive that has arrived. */
export interface DatabaseTransferPart {
  /** Its place in the archive, from 1 on. */
  partNumber: number;
  /** How many bytes it has. */
  sizeBytes: number;
  /** The SHA-256 of its bytes, hex. */
  sha256: string;
}

export interface DecideApproval {
  /** Approve what was asked for, or reject it. */
  decision: "approve" | "reject";
  /** Why. */
  reason?: string | null | undefined;
  /** The `payloadHash` of the approval as it was shown: what was not shown is not decided. */
  payloadHash: string;
}

/** Id of the delivery (TypeID, `del_…`). */
export type DeliveryId = string;

export interface DeprovisionDatabaseResponse {
  database: Database;
  /** The export that keeps what it held, for seven days; null where it held nothing. */
  finalTransferId: TransferId | null;
}

/** What went wrong. */
export interface ErrorBody {
  /** What is wrong, for programs. */
  code: string;
  /** What is wrong and what to do, for people. */
  message: string;
  /** The HTTP status. */
  status: number;
  /** The id of this request. */
  requestId: RequestId;
  /** Explains the code; ends in it. */
  docUrl: string;
  /** Whether the same call can succeed later without a change. */
  retryable: boolean;
  /** How long to wait before that. */
  retryAfterSeconds?: number | undefined;
  /** How far the call got. `not_started`: nothing happened, the same call may be sent again. */
  operationState: "not_started" | "in_progress" | "completed" | "unknown";
  /** Every fault of an invalid request. */
  issues?: ErrorIssue[] | undefined;
  /** The access check that refused. */
  check?: "scope" | "service" | "operation" | "limit" | undefined;
  /** The highest key of the chain that refused. */
  keyId?: ApiKeyId | undefined;
  limit?: ErrorLimit | undefined;
  /** PostgreSQL's code of a fault in SQL. */
  sqlState?: string | undefined;
  /** The character of the SQL where the fault is. */
  position?: number | undefined;
}

export interface ErrorIssue {
  /** Where it is: `body.name`, `query.limit`, `header.x-file-name`. */
  path: string;
  /** What is wrong there. */
  message: string;
}

/** The exhausted limit. */
export interface ErrorLimit {
  /** The exhausted selector. */
  operation: string;
  /** What is limited. */
  kind: "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
  /** The key that carries the limit. */
  keyId: ApiKeyId;
  /** How much it allows. */
  limit: number;
  /** When it allows a call again; null for `maxConcurrent`. */
  resetAt: Timestamp | null;
}

/** What every event has beside its `type` and its `data`. */
export interface EventEnvelope {
  /** The event's id, the same in every attempt and replay. */
  id: WebhookEventId;
  /** When it happened. */
  timestamp: Timestamp;
  /** The version of the API that its form follows. */
  apiVersion: "v1";
  /** Rises per thing, over all its events: a lower one is older. */
  sequence: number;
  /** The project that it happened in. */
  projectId: ProjectId | null;
}

export interface ExecuteSwap {
  /** The quote of a swap, at most 60 seconds old and not used before. */
  quoteId: QuoteId;
}

/** Bytes that a customer has uploaded. */
export interface File {
  id: FileId;
  /** Its name, as it was uploaded. */
  name: string;
  /** What its bytes are, as its uploader said; nobody has checked. */
  mediaType: string;
  /** How many bytes it has. */
  sizeBytes: number;
  /** SHA-256 of its bytes, in hex. */
  sha256: string;
  /** What it is for, in the customer's own words. */
  purpose: string | null;
  projectId: ProjectId | null;
  /** The customer's own id of the end user that it belongs to. */
  endUser: string | null;
  createdAt: Timestamp;
  /** Gives the bytes without a key, for a quarter of an hour; null in events and once it is deleted. */
  downloadUrl: string | null;
  /** Until when `downloadUrl` works. */
  downloadUrlExpiresAt: Timestamp | null;
}

/** A file was uploaded. */
export type FileCreatedEvent = EventEnvelope & {
  type: "file.created";
  data: FileEventData;
};

/** A file was deleted. */
export type FileDeletedEvent = EventEnvelope & {
  type: "file.deleted";
  data: FileEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface FileEventData {
  file: File;
}

/** Id of the file (TypeID, `file_…`). */
export type FileId = string;

/** A component that the platform needs. */
export interface HealthCheck {
  /** The component. */
  name: string;
  /** How long it took to answer; null where it did not. */
  durationMs: number | null;
  /** What is wrong with it. */
  message: string | null;
}

export interface InvokeService {
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input; `GET /capabilities/{serviceId}` has its schema. */
  input: unknown;
  /** The approval of exactly this input, where the operation needs one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, where it uses one. */
  connectionId?: string | undefined;
}

export interface InvokeServiceResponse {
  /** The service that was invoked. */
  serviceId: string;
  /** The operation that was invoked. */
  operationId: string;
  /** The status that the service reported. */
  upstreamStatus: number;
  /** What the operation answered; the capability has its schema. */
  result: unknown;
  /** What the call was charged. */
  chargedCredits: number;
}

/** A change of the account's credits. */
export interface LedgerEntry {
  id: ReceiptId;
  at: Timestamp;
  /** Where the credits came from or went. */
  kind: "grant" | "purchase" | "adjustment" | "usage";
  /** What it was for. */
  description: string;
  /** What it added; negative for a charge. */
  amount: number;
  /** The total after it. */
  balanceAfter: number;
  /** The operation that was charged, as its exact selector. */
  operation: string | null;
  /** The request that was charged. */
  requestId: string | null;
  projectId: ProjectId | null;
  /** Where the signed receipt of a purchase stands; null for other changes. */
  receiptUrl: string | null;
}

export interface Limit {
  /** Calls admitted in any 60 seconds. */
  requestsPerMinute?: number | undefined;
  /** Calls under way at a time. */
  maxConcurrent?: number | undefined;
  /** Credits charged on a UTC day; for credit-metered operations only. */
  creditsPerDay?: number | undefined;
}

export interface LimitInput {
  /** Calls admitted in any 60 seconds. */
  requestsPerMinute?: number | undefined;
  /** Calls under way at a time. */
  maxConcurrent?: number | undefined;
  /** Credits charged on a UTC day; for credit-metered operations only. */
  creditsPerDay?: number | undefined;
}

export interface ListTradingMarketResponseMarket {
  /** What is traded against what, e.g. `ETH-USD`. */
  symbol: string;
  /** The chain on which it is traded. */
  network: string;
  /** What one unit is worth now; null without a price that can be relied on. */
  priceUsd: string | null;
  /** The average of the last 30 minutes. */
  averageUsd: string | null;
  /** When that was seen. */
  observedAt: Timestamp | null;
}

export interface ListTradingPriceResponsePrice {
  /** When it was seen. */
  at: Timestamp;
  /** What one unit was worth. */
  priceUsd: string;
}

/** Id of the member (TypeID, `mbr_…`). */
export type MemberId = string;

/** An order to buy or sell from a wallet. */
export interface Order {
  id: OrderId;
  /** The quote that it executes. */
  quoteId: QuoteId;
  /** The customer's own name of it, unique among the wallet's orders. */
  clientReference: string | null;
  /** The wallet that pays and receives. */
  walletId: WalletId;
  /** The chain that it trades on, as CAIP-2. */
  network: string;
  /** What is traded against what, e.g. `ETH-USD`. */
  symbol: string;
  /** Whether the base asset, which the symbol names first, is bought or sold. */
  side: "buy" | "sell";
  /** `market`: at today's price, within the slippage. `limit`: at `limitPrice` or better. */
  type: "market" | "limit";
  /** How much of the base asset, in whole units. */
  quantity: string;
  /** The worst average price of a limit order. */
  limitPrice: string | null;
  /** `gtc`: until it is filled, at most 90 days. `gtd`: until `expiresAt`. `ioc`: what can be filled at once. `fok`: all of it at once, or nothing. */
  timeInForce: "gtc" | "ioc" | "fok" | "gtd";
  /** `pending` (to be executed at once) or `open` (waits for its price), after `awaiting_approval` where people decide; `partially_filled`; then `filled`, `cancelled`, `expired` or `rejected`. A fill that a reorganisation of the chain takes back is gone until the chain has it again, and an order that it had filled is open meanwhile. */
  status: "pending" | "awaiting_approval" | "open" | "partially_filled" | "filled" | "cancelled" | "expired" | "rejected";
  /** How much of the quantity has been filled. */
  filledQuantity: string;
  /** The average price of the fills; null without any. */
  averagePrice: string | null;
  /** What its fills have cost. */
  fees: OrderFee[];
  /** The trades that filled it, the oldest first. */
  fills: OrderFill[];
  /** Why it did not come to what it was made for; null where it did, or still may. */
  failure: OrderFailure | null;
  /** The approval that it waits or waited for. */
  approvalId: ApprovalId | null;
  /** What it was charged; nothing before its first trade. */
  chargedCredits: number;
  /** The project of its wallet. */
  projectId: ProjectId | null;
  /** The end user of its wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When it ends; null for what is executed at once. */
  expiresAt: Timestamp | null;
  /** When it came to its end, of whatever kind. */
  endedAt: Timestamp | null;
}

export interface OrderFailure {
  /** Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The same in words. */
  message: string;
}

export interface OrderFee {
  /** `venue` is inside the price; `network` was paid beside it. */
  type: string;
  /** `native`, or the token's address. */
  asset: string;
  /** A decimal string. */
  amount: string;
}

/** A trade on the chain that filled an order, or a part of it. */
export interface OrderFill {
  /** What a unit really cost or brought, in USD; the venue's fees are inside. */
  price: string;
  /** How much of the base asset was really moved. */
  quantity: string;
  /** When it was noted. */
  at: Timestamp;
  /** The transaction on the chain. */
  transactionHash: string;
}

/** Id of the order (TypeID, `ord_…`). */
export type OrderId = string;

/** What the wallet's policy says now. It is judged again at execution. */
export interface PolicyDecision {
  /** `approval`: people decide first. `deny`: executing it answers 403 `policy_denied`. */
  decision: "allow" | "approval" | "deny";
  /** Why, for people. */
  reasons: string[];
}

/** What a wallet holds by its orders, at average cost. One that was sold off stays listed. */
export interface Position {
  walletId: WalletId;
  /** What is traded against what, e.g. `ETH-USD`. */
  symbol: string;
  /** What orders have bought and not yet sold, in whole units of the base asset. */
  quantity: string;
  /** What a unit of it has cost on average; null when flat. */
  averageEntryPrice: string | null;
  /** What a unit is worth now; null while there is no price that can be relied on. */
  marketPrice: string | null;
  /** What all of it is worth now. */
  marketValueUsd: string | null;
  /** What that is above its cost; negative below. */
  unrealizedPnlUsd: string | null;
  /** What its sales have brought above the cost of what was sold. */
  realizedPnlUsd: string;
  /** When the market price was seen. */
  asOf: Timestamp;
  /** The project of its wallet. */
  projectId: ProjectId | null;
  /** The end user of its wallet, by your own id. */
  endUser: string | null;
}

export interface PrepareSwap {
  /** The wallet, not ours, that will sign and send the steps. */
  sender: string;
  /** Who receives; by default the sender. */
  recipient?: string | undefined;
  from: PrepareSwapFrom;
  to: PrepareSwapTo;
  /** By how many hundredths of a percent less than expected may be received, 0 to 5000. */
  slippageBps?: number | undefined;
}

/** What is given. */
export interface PrepareSwapFrom {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much of it is given, exactly. */
  amount: string;
}

/** What is wanted for it. */
export interface PrepareSwapTo {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
}

/** The steps of a swap for a wallet that is not the platform's. */
export interface PreparedSwap {
  /** Follows what becomes of it: GET /swaps/routes/{routeId}. */
  routeId: RouteId;
  /** To be signed and sent in this order, each once the one before is mined. */
  steps: SwapStep[];
  /** What is received at least, in whole units. */
  minimumReceived: string;
  /** When the last step stops working; before it nothing is lost by waiting. */
  expiresAt: Timestamp;
}

/** What a call costs, in credits. */
export interface Price {
  /** What is counted. `call` is an exact charge; any other unit is charged up to `maximum`. */
  unit: string;
  /** Credits for one unit. */
  credits: number;
  /** The most that one call may be charged; it is set aside while the call runs. */
  maximum: number;
}

/** What every operation costs, and what may be sent. */
export interface Pricing {
  /** When this was said. */
  asOf: Timestamp;
  /** Names this list of prices; every charge in the ledger carries it. */
  version: string;
  /** How many credits one US dollar buys. */
  creditsPerUsd: number;
  limits: PricingLimits;
  /** The services with their prices. */
  services: PricingService[];
}

/** What requests and things may measure at most. */
export interface PricingLimits {
  requests: PricingLimitsRequests;
  memory: PricingLimitsMemory;
  runs: PricingLimitsRuns;
  triggers: PricingLimitsTriggers;
  events: PricingLimitsEvents;
  agents: PricingLimitsAgents;
  workflows: PricingLimitsWorkflows;
  databases: DatabaseLimits;
  transfers: PricingLimitsTransfers;
  files: PricingLimitsFiles;
  artifacts: PricingLimitsArtifacts;
  storage: PricingLimitsStorage;
}

/** Of managed agents. */
export interface PricingLimitsAgents {
  /** Characters of an agent's input. */
  maximumInputCharacters: number;
  /** Characters of its instructions. */
  maximumInstructionsCharacters: number;
  /** Calls of its model. */
  maximumSteps: number;
  /** Tokens of all of them together. */
  maximumTokens: number;
  /** What `maxCredits` may say. */
  maximumCredits: number;
  /** Selectors of tools. */
  maximumSelectors: number;
  /** Tool calls of one answer of the model. */
  maximumToolCallsPerStep: number;
  /** Bytes of a tool's answer that the model is shown. */
  maximumToolResultBytes: number;
}

/** Of artifacts. */
export interface PricingLimitsArtifacts {
  /** Days that an artifact is kept at most. */
  lifetimeDays: number;
}

/** Of managed events. */
export interface PricingLimitsEvents {
  /** Bytes of an event's `data`, as JSON. */
  maximumDataBytes: number;
  /** How long an event counts for steps that begin to wait later. */
  keptSeconds: number;
  /** The events of which a step awaits the first. */
  maximumAwaited: number;
  /** The conditions on one of them. */
  maximumConditions: number;
}

/** Of files. */
export interface PricingLimitsFiles {
  /** Bytes of a file. */
  maximumBytes: number;
  /** Characters of its name. */
  maximumNameCharacters: number;
}

/** Of managed memory. */
export interface PricingLimitsMemory {
  /** Bytes of a memory's content. */
  maximumContentBytes: number;
  /** Tags of a memory. */
  maximumTags: number;
  /** Characters of a tag. */
  maximumTagCharacters: number;
  /** Characters of a search. */
  maximumQueryCharacters: number;
  /** Bytes of content that one answer holds. */
  maximumAnswerBytes: number;
}

/** Of every request. */
export interface PricingLimitsRequests {
  /** Bytes of a JSON body. */
  maximumJsonBytes: number;
  /** Values in it: objects, lists, texts, numbers and the rest. */
  maximumJsonValues: number;
  /** Fields of one object in it. */
  maximumJsonFields: number;
  /** Levels of objects and lists within each other. */
  maximumJsonDepth: number;
}

/** Of runs. */
export interface PricingLimitsRuns {
  /** Entries of a run's timeline; with as many it fails with `timeline_limit_exceeded`. */
  maximumTimelineEntries: number;
}

/** What an account may keep on disk; beyond it: `quota_exceeded`. */
export interface PricingLimitsStorage {
  /** Bytes of all files, those being uploaded included. */
  filesBytes: number;
  /** Bytes of all artifacts, until they expire. */
  artifactsBytes: number;
  /** Bytes of parts and archives of all transfers, until they end or expire. */
  transfersBytes: number;
  /** Bytes of results that are kept for their cursors, 15 minutes each. */
  resultsBytes: number;
  /** Bytes of the managed database. */
  databaseBytes: number;
}

/** Of copies of a managed database. */
export interface PricingLimitsTransfers {
  /** Bytes of a part. */
  maximumPartBytes: number;
  /** Parts of an archive. */
  maximumParts: number;
  /** Bytes of an archive. */
  maximumArchiveBytes: number;
  /** For how many days an import can be gone on with, and an archive be read. */
  lifetimeDays: number;
}

/** Of managed triggers. */
export interface PricingLimitsTriggers {
  /** Triggers of an account. */
  maximumTriggers: number;
  /** Times that one backfill asks for. */
  maximumBackfill: number;
}

/** Of managed workflows. */
export interface PricingLimitsWorkflows {
  /** Steps, those inside others included. */
  maximumSteps: number;
  /** Levels of steps inside steps. */
  maximumDepth: number;
  /** Bytes of a workflow as JSON. */
  maximumBytes: number;
  /** Characters of one expression. */
  maximumExpressionCharacters: number;
  /** Items that a map works on at a time. */
  maximumConcurrency: number;
  /** Items of a map. */
  maximumItems: number;
  /** Bytes of all outputs of a run's steps as JSON. */
  maximumOutputBytes: number;
  /** Stored workflows of a project, without archived ones. */
  maximumStoredWorkflows: number;
  /** Bytes of a stored workflow together with its input schema, as JSON. */
  maximumStoredBytes: number;
  /** Versions of a stored workflow that are kept, beside those of live runs. */
  keptVersions: number;
  /** Runs below one, each waiting for the next. */
  maximumRunDepth: number;
}

export interface PricingService {
  /** Id of the service. */
  id: string;
  /** Whether it can be used now. */
  available: boolean;
  /** Why it is not available. */
  reason: string | null;
  /** What each of its operations costs. */
  operations: PricingServiceOperation[];
}

export interface PricingServiceOperation {
  /** What is counted. `call` is an exact charge; any other unit is charged up to `maximum`. */
  unit: string;
  /** Credits for one unit. */
  credits: number;
  /** The most that one call may be charged; it is set aside while the call runs. */
  maximum: number;
  /** Names the operation within its service. */
  operationId: string;
}

/** A part of the account that keys and things can be bound to. */
export interface Project {
  id: ProjectId;
  /** The project's name. */
  name: string;
  /** Short name for URLs, unique in the account. */
  slug: string;
  /** What the project is for. */
  description: string | null;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  /** An archived project can be read; nothing in it can be changed. */
  status: "active" | "archived";
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When it was archived. */
  archivedAt: Timestamp | null;
}

/** A project was archived. */
export type ProjectArchivedEvent = EventEnvelope & {
  type: "project.archived";
  data: ProjectEventData;
};

/** A project was created. */
export type ProjectCreatedEvent = EventEnvelope & {
  type: "project.created";
  data: ProjectEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface ProjectEventData {
  project: Project;
}

/** Id of the project (TypeID, `proj_…`). */
export type ProjectId = string;

/** A project was changed, or restored. */
export type ProjectUpdatedEvent = EventEnvelope & {
  type: "project.updated";
  data: ProjectEventData;
};

export interface QueryDatabase {
  /** One statement that only reads, with `$1`, `$2`, … for its parameters. */
  sql: string;
  /** The values of `$1`, `$2`, … in the form in which rows are answered. */
  params?: unknown[] | undefined;
  /** Rows of the answer at most, 1 to 10000; the rest is read by `cursor`. */
  maxRows?: number | undefined;
  /** How long the call's statements may take together, 1 to 60000 ms. */
  timeoutMs?: number | undefined;
  /** `nextCursor` of the page before, sent with the same `sql`, `params` and `rowMode`. */
  cursor?: string | undefined;
  /** Rows as arrays in column order, or as objects by column name. */
  rowMode?: "array" | "object" | undefined;
}

export interface QueryDatabaseResponse {
  /** The columns, in order. */
  columns: ResultColumn[];
  /** The rows of this page. */
  rows: (unknown[] | Record<string, unknown>)[];
  /** How many rows this page has. */
  rowCount: number;
  /** Whether rows remain; then `nextCursor` is set. */
  truncated: boolean;
  /** Reads the next rows of the same execution; null at the end. */
  nextCursor: string | null;
  /** How long the database took. */
  durationMs: number;
}

/** What an execution would do now, and whether the policy lets it. It lives 60 seconds. */
export interface Quote {
  id: QuoteId;
  /** What it is a quote for. */
  kind: "transaction" | "signature" | "order" | "swap";
  walletId: WalletId;
  /** What was asked for. */
  input: Record<string, unknown>;
  /** What would be received; null for sends and signatures. */
  expected: string | null;
  /** The least that is received, or it fails. */
  minimum: string | null;
  /** The fees that the execution would pay. */
  fees: QuoteFee[];
  /** What the execution charges, in credits. */
  chargedCredits: number;
  policy: PolicyDecision;
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  /** Until when it can be executed, once. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
}

/** A fee that the execution would pay. */
export interface QuoteFee {
  /** What it is paid for. */
  type: string;
  /** `native`, or the token's address. */
  asset: string;
  /** A decimal string in whole units. */
  amount: string;
  /** What that is worth in USD; null without a price. */
  valueUsd: string | null;
}

/** Id of the quote (TypeID, `quo_…`). */
export type QuoteId = string;

export interface QuoteSwap {
  /** The wallet that gives and receives. */
  walletId: WalletId;
  from: QuoteSwapFrom;
  to: QuoteSwapTo;
  /** By how many hundredths of a percent less than expected may be received, 0 to 5000. */
  slippageBps?: number | undefined;
}

/** What is given. */
export interface QuoteSwapFrom {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much of it is given, exactly. */
  amount: string;
}

/** What is wanted for it. */
export interface QuoteSwapTo {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
}

export interface QuoteWalletSignature {
  /** A message (EIP-191) or typed data (EIP-712). */
  kind: "message" | "typed_data";
  /** The text, for `message`. */
  message?: string | undefined;
  typedData?: QuoteWalletSignatureTypedData | undefined;
}

/** What is signed, for `typed_data`. */
export interface QuoteWalletSignatureTypedData {
  domain: QuoteWalletSignatureTypedDataDomain;
  /** The structs, each with its fields in their order. */
  types: Record<string, QuoteWalletSignatureTypedDataTypeItem[]>;
  /** The struct that is signed. */
  primaryType: string;
  /** Its values. Integers beyond 2^53 are sent as text. */
  message: Record<string, unknown>;
}

/** Whom and what it is for; what is left out does not bind the signature. */
export interface QuoteWalletSignatureTypedDataDomain {
  /** What the contract calls itself. */
  name?: string | undefined;
  /** Which version of it. */
  version?: string | undefined;
  /** The chain that it is for, as EIP-155. */
  chainId?: number | string | undefined;
  /** The contract that will verify the signature. */
  verifyingContract?: string | undefined;
  /** Separates the domain from others. */
  salt?: string | undefined;
}

export interface QuoteWalletSignatureTypedDataTypeItem {
  /** The field. */
  name: string;
  /** Its type. */
  type: string;
}

export interface QuoteWalletTransaction {
  /** The chain (CAIP-2). */
  network: string;
  /** Who receives it, or the contract that is called. */
  to: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much is sent, in whole units of the asset; `0` for a mere call. */
  amount: string;
  /** Calldata, with the native asset only. */
  data?: string | undefined;
}

export interface ReadApiKeyResponse {
  apiKey: ApiKey;
  /** The keys above it, the highest first: of those, a key sees itself and what is below it. */
  ancestors: ApiKey[];
  /** The member who made it, for members; null where a key or a credit token did. */
  createdBy: ReadApiKeyResponseCreatedBy | null;
  branch: ReadApiKeyResponseBranch;
}

/** What revoking the key would take down beside it. */
export interface ReadApiKeyResponseBranch {
  /** How many working keys stand below it. */
  live: number;
  /** The first hundred of them, the nearest first. */
  keys: ReadApiKeyResponseBranchKey[];
}

export interface ReadApiKeyResponseBranchKey {
  id: ApiKeyId;
  /** What the key is for. */
  label: string;
  /** 0 for a root key. */
  depth: number;
}

export interface ReadApiKeyResponseCreatedBy {
  id: MemberId;
  /** The member's name. */
  name: string;
}

export interface ReadHealthResponse {
  /** `ok` when every component answered; `degraded` when every call but some has what it needs. */
  status: "ok" | "degraded" | "unavailable";
  /** The API's version, as in its path. */
  apiVersion: "v1";
  /** The platform's release. */
  version: string;
  /** The commit that it was built from; null where that is not known. */
  commit: string | null;
  /** The latest migration that the database was seen with; null before it has answered. */
  schema: string | null;
  /** The components that calls need: the database, the store of bytes, each cluster of accounts' databases (`databases`), `chains` where the sandbox has none on this machine, and the `worker`, where the same `npm start` keeps it. */
  checks: HealthCheck[];
  /** The chains of this installation. */
  chains: ChainHealth[];
}

export interface ReadWebhookDeliveryResponse {
  delivery: WebhookDelivery;
  /** The body; null where it is older than three months. */
  payload: string | null;
}

/** Id of the receipt (TypeID, `rcpt_…`). */
export type ReceiptId = string;

export interface RecoverWebhook {
  /** From when on, ISO 8601. */
  since: Timestamp;
}

export type ReplayWebhookDelivery = Record<string, never>;

/** Id of the request (TypeID, `req_…`). */
export type RequestId = string;

export type RestoreProject = Record<string, never>;

/** A column of a result. */
export interface ResultColumn {
  /** The column's name. */
  name: string;
  /** Its type, by its name in `pg_type`. */
  type: string;
}

export interface RetryRun {
  /** The step to go on from: what was done before it is kept. By default nothing is. */
  fromStep?: string | undefined;
  /** The operation's input in place of the first run's; not together with `fromStep`. */
  input?: unknown;
  /** A corrected workflow, with the first run's `input`. The steps before `fromStep` keep their id, type and order. */
  workflow?: unknown;
  /** Another version of the stored workflow that the first run is of, with its `input`. The steps before `fromStep` keep their id, type and order. */
  workflowVersion?: number | undefined;
}

export interface RevokeApiKeyResponse {
  apiKey: ApiKey;
  /** The key and every descendant. */
  revokedKeyIds: ApiKeyId[];
}

export interface RotateWebhookSecret {
  /** For how long deliveries are signed with the old secret too; 0 ends it at once. */
  overlapSeconds?: number | undefined;
}

export interface RotateWebhookSecretResponse {
  webhook: Webhook;
  /** Signs its deliveries. Shown once. */
  secret: string;
}

/** Id of the route (TypeID, `route_…`). */
export type RouteId = string;

/** A durable run of a service's operation. */
export interface Run {
  id: RunId;
  /** The service whose operation runs. */
  serviceId: string;
  /** The operation that runs. */
  operationId: string;
  /** What it is about: the workflow's name, the first line of the agent's task. Null for other operations, on the privacy tier `strict` and once a tier has purged it. */
  name: string | null;
  /** The run that it is a retry of. */
  retryOf: RunId | null;
  /** The run whose step created it. */
  parentId: RunId | null;
  /** The stored workflow that it runs; null for any other run. */
  workflow: RunWorkflow | null;
  /** The trigger that started it. */
  triggerId: TriggerId | null;
  /** The time of the trigger's schedule that it is for. */
  scheduledAt: Timestamp | null;
  /** The project that it belongs to. */
  projectId: ProjectId | null;
  /** The end user that it acts for. */
  endUser: string | null;
  /** `queued` → `running` (`awaiting_approval` while people decide) → `succeeded`, `failed`, `cancelled` (by way of `cancelling`) or `expired`. */
  status: "queued" | "running" | "awaiting_approval" | "cancelling" | "cancelled" | "succeeded" | "failed" | "expired";
  /** The input; null once a privacy tier has purged it. */
  input: unknown;
  /** What the operation answered; null before it succeeds. */
  result: unknown;
  /** Why it ended without a result. */
  error: RunError | null;
  /** How much is done, from 0 to 1. */
  progress: number | null;
  /** Which attempt this is; 0 before the first. */
  attempt: number;
  /** How many attempts there are at most. */
  maxAttempts: number;
  /** Everything that happened in it, in order. */
  timeline: RunTimelineEntry[];
  /** What it left behind as files. */
  artifactIds: ArtifactId[];
  /** What it was charged, its steps included. */
  chargedCredits: number;
  createdAt: Timestamp;
  /** When it starts, where it was created with `startAt`. */
  startsAt: Timestamp | null;
  /** When a worker first took it. */
  startedAt: Timestamp | null;
  /** When it ended. */
  finishedAt: Timestamp | null;
  /** Its steps that wait for what others send; null in lists and events. */
  waitsFor: RunWait[] | null;
  /** An address that shows a browser what happens in it, without a key: status, progress and messages as server-sent events. Null in lists and events, and on the privacy tier `strict`. */
  watchUrl: string | null;
  /** Until when `watchUrl` works. */
  watchUrlExpiresAt: Timestamp | null;
}

/** A run waits for people to decide. */
export type RunAwaitingApprovalEvent = EventEnvelope & {
  type: "run.awaiting_approval";
  data: RunEventData;
};

/** A run was cancelled. */
export type RunCancelledEvent = EventEnvelope & {
  type: "run.cancelled";
  data: RunEventData;
};

/** Somebody asked for a run's end. */
export type RunCancellingEvent = EventEnvelope & {
  type: "run.cancelling";
  data: RunEventData;
};

export interface RunError {
  /** Why it ended without a result. */
  code: string;
  /** The same in words. */
  message: string;
  /** The step that failed. */
  step: string | null;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface RunEventData {
  run: Run;
}

/** A run did not end in its time. */
export type RunExpiredEvent = EventEnvelope & {
  type: "run.expired";
  data: RunEventData;
};

/** A run has ended without a result. */
export type RunFailedEvent = EventEnvelope & {
  type: "run.failed";
  data: RunEventData;
};

/** Id of the run (TypeID, `run_…`). */
export type RunId = string;

/** A run was created, or waits for its next attempt. */
export type RunQueuedEvent = EventEnvelope & {
  type: "run.queued";
  data: RunEventData;
};

/** A worker has taken a run. */
export type RunRunningEvent = EventEnvelope & {
  type: "run.running";
  data: RunEventData;
};

/** A run has done what it was created for. */
export type RunSucceededEvent = EventEnvelope & {
  type: "run.succeeded";
  data: RunEventData;
};

/** One thing that happened in a run. */
export interface RunTimelineEntry {
  /** Its place in the run's timeline, from 1, without gaps. */
  seq: number;
  at: Timestamp;
  /** What the entry is about. */
  type: "state" | "step" | "retry" | "log" | "progress";
  /** The step that it is about. */
  step: string | null;
  /** How grave it is. */
  level: "info" | "warn" | "error";
  /** What happened. */
  message: string;
  /** What belongs to it; a state entry has `status`. */
  data: Record<string, unknown> | null;
}

/** A step that waits for what others send. */
export interface RunWait {
  /** The step that waits, as the timeline has it. */
  step: string;
  /** When it began to wait. */
  since: Timestamp;
  /** When it stops waiting. */
  until: Timestamp;
  /** The events of which it takes the first; none for a callback. */
  events: RunWaitEvent[];
  /** Where it waits to be called back. */
  callback: RunWaitCallback | null;
}

export interface RunWaitCallback {
  /** When it was sent, or last had a heartbeat. */
  heartbeatAt: Timestamp | null;
  /** How much is done, as the last heartbeat says, from 0 to 1. */
  progress: number | null;
  /** What the last heartbeat says. */
  message: string | null;
}

export interface RunWaitEvent {
  /** Its name. */
  name: string;
  /** Its key; null where any will do. */
  key: string | null;
}

export interface RunWorkflow {
  id: WorkflowId;
  /** The name it is stored under. */
  name: string;
  /** The version, chosen when the run was made. */
  version: number;
}

export type Scope = "services:read" | "services:invoke" | "credits:read" | "credits:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "files:read" | "files:write" | "connections:read" | "connections:write" | "databases:read" | "databases:write" | "wallets:read" | "wallets:create" | "wallets:sign" | "wallets:transact" | "trading:read" | "trading:execute" | "runs:read" | "runs:write" | "approvals:read" | "approvals:write" | "artifacts:read" | "webhooks:read" | "webhooks:write" | "api_keys:manage";

/** A managed service. */
export interface Service {
  /** Id of the service. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is for. */
  description: string;
  /** Whether it can be used now. */
  status: "available" | "degraded" | "unavailable";
  /** Why it is degraded or unavailable. */
  reason: string | null;
  /** The ids of its operations. */
  operations: string[];
}

/** What a wallet has signed, or will when it is approved. */
export interface Signature {
  id: SignatureId;
  walletId: WalletId;
  quoteId: QuoteId;
  /** A message (EIP-191) or typed data (EIP-712). */
  kind: "message" | "typed_data";
  /** The hash that is signed, by EIP-191 or EIP-712. */
  payloadHash: string;
  display: SignatureDisplay;
  /** `rejected` by an approver, or by the policy when it was judged again; `failure` says so. */
  status: "awaiting_approval" | "signed" | "rejected" | "expired";
  /** 65 bytes in hex, once it is signed. */
  signature: string | null;
  /** Why it did not come to what it was made for; null where it did, or still may. */
  failure: SignatureFailure | null;
  /** The approval that it waits or waited for. */
  approvalId: ApprovalId | null;
  /** The project of its wallet. */
  projectId: ProjectId | null;
  /** The end user of its wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it was signed, rejected or expired. */
  endedAt: Timestamp | null;
}

/** What is signed, for a person who decides. */
export interface SignatureDisplay {
  /** What the signature does, in a sentence. */
  summary: string;
  /** Everything that is signed, in its order. */
  fields: SignatureDisplayField[];
}

export interface SignatureDisplayField {
  /** Where it stands: `message.to`. */
  name: string;
  /** What stands there; characters that show nothing are spelled out. */
  value: string;
}

export interface SignatureFailure {
  /** Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The same in words. */
  message: string;
}

/** Id of the signature (TypeID, `sig_…`). */
export type SignatureId = string;

export interface SimulateWalletPolicy {
  draft: SimulateWalletPolicyDraft;
}

/** What an update would send; the rest stays as it is. */
export interface SimulateWalletPolicyDraft {
  /** What one transaction or signature may spend at most; it may be met exactly. */
  maxPerTransactionUsd?: unknown & unknown | null | undefined;
  /** What may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd?: unknown & unknown | null | undefined;
  /** What the network may take for one transaction at most, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** What networks may take in one UTC day, counted at its most until a transaction is in a block and then as what was paid; null: the installation's limit. */
  dailyNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** The chains that may be used; null: all. */
  allowedNetworks?: string[] | null | undefined;
  /** The assets that may be spent; null: all. */
  allowedAssets?: string[] | null | undefined;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients?: string[] | null | undefined;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts?: SimulateWalletPolicyDraftAllowedContract[] | null | undefined;
  /** What may be signed beside transactions; merged field by field. */
  signatures?: SimulateWalletPolicyDraftSignatures | null | undefined;
  /** What people have to approve first; merged field by field. */
  approval?: SimulateWalletPolicyDraftApproval | null | undefined;
}

export interface SimulateWalletPolicyDraftAllowedContract {
  /** An address, with its EIP-55 checksum. */
  address: string;
  /** The methods that may be called; null: all. */
  methods: string[] | null;
}

export interface SimulateWalletPolicyDraftApproval {
  /** What spends more than this needs an approval; null: no amount does. */
  aboveUsd?: unknown & unknown | null | undefined;
  /** Whether everything needs an approval. */
  always?: boolean | undefined;
  /** How many distinct approvers must approve. */
  requiredApprovals?: number | undefined;
  /** Whether who asked may decide too. */
  initiatorMayApprove?: boolean | undefined;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers?: string[] | null | undefined;
  /** Whether loosening this policy needs an approval too. */
  policyChanges?: boolean | undefined;
  /** How long an approval waits for its decision. */
  expiresInSeconds?: number | undefined;
}

export interface SimulateWalletPolicyDraftSignatures {
  /** Whether messages (EIP-191) may be signed. */
  messages?: boolean | undefined;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts?: string[] | null | undefined;
}

/** What a draft would have changed. */
export interface SimulateWalletPolicyResponseSimulation {
  from: Timestamp;
  to: Timestamp;
  /** How many were replayed. */
  transactions: number;
  /** Whether there were more than 10000, of which the oldest were. */
  truncated: boolean;
  now: SimulateWalletPolicyResponseSimulationNow;
  draft: SimulateWalletPolicyResponseSimulationDraft;
  /** What the draft judges otherwise, the newest first; at most 200. */
  differing: SimulateWalletPolicyResponseSimulationDifferingItem[];
}

export interface SimulateWalletPolicyResponseSimulationDifferingItem {
  /** The transaction, or the swap or order that it belongs to. */
  id: string;
  at: Timestamp;
  /** What was done, in words. */
  summary: string;
  /** What it took of its day; null without a price. */
  valueUsd: string | null;
  /** What the policy as it is says. */
  now: PolicyDecision;
  /** What the draft says. */
  draft: PolicyDecision;
}

/** By the draft. */
export interface SimulateWalletPolicyResponseSimulationDraft {
  /** How many would have been sent at once. */
  allow: number;
  /** How many would have waited for people. */
  approval: number;
  /** How many would have been denied. */
  deny: number;
}

/** By the policy as it is. */
export interface SimulateWalletPolicyResponseSimulationNow {
  /** How many would have been sent at once. */
  allow: number;
  /** How many would have waited for people. */
  approval: number;
  /** How many would have been denied. */
  deny: number;
}

/** An exchange of one asset for another, within a chain or across two. */
export interface Swap {
  id: SwapId;
  /** The quote that it executes. */
  quoteId: QuoteId;
  /** The wallet that gives and receives. */
  walletId: WalletId;
  from: SwapFrom;
  to: SwapTo;
  /** `awaiting_approval` → `pending` → `source_submitted` → `source_confirmed` → `completed`; across chains through `filling`, and where nobody filled it in time through `refunding` to `refunded`. Else `failed`. After a reorganisation of the chain it goes on from where the chain has it. */
  status: "awaiting_approval" | "pending" | "source_submitted" | "source_confirmed" | "filling" | "completed" | "refunding" | "refunded" | "failed";
  /** The transactions on the chains so far, in their order. */
  transactions: SwapTransaction[];
  /** What follows it on the chains; null before it is sent. */
  routeId: RouteId | null;
  /** What is taken on the way, network fees left out. */
  fees: SwapFee[];
  /** Why it did not come to what it was made for; null where it did, or still may. */
  failure: SwapFailure | null;
  /** The approval that it waits or waited for. */
  approvalId: ApprovalId | null;
  /** What it was charged; nothing before it is sent. */
  chargedCredits: number;
  /** The project of its wallet. */
  projectId: ProjectId | null;
  /** The end user of its wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it came to its end, of whatever kind. */
  endedAt: Timestamp | null;
}

/** A swap waits for people to decide. */
export type SwapAwaitingApprovalEvent = EventEnvelope & {
  type: "swap.awaiting_approval";
  data: SwapEventData;
};

/** A swap has delivered; `received` says how much. */
export type SwapCompletedEvent = EventEnvelope & {
  type: "swap.completed";
  data: SwapEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface SwapEventData {
  swap: Swap;
}

/** A swap has ended without an exchange. */
export type SwapFailedEvent = EventEnvelope & {
  type: "swap.failed";
  data: SwapEventData;
};

export interface SwapFailure {
  /** Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The same in words. */
  message: string;
}

export interface SwapFee {
  /** What it is for: `pool` or `bridge`. */
  type: string;
  /** `native`, or the token's address. */
  asset: string;
  /** In whole units of the asset. */
  amount: string;
  /** The same in USD; null where the asset has no price. */
  valueUsd: string | null;
}

/** The bridge has the input; the relayer is to deliver on the other chain. */
export type SwapFillingEvent = EventEnvelope & {
  type: "swap.filling";
  data: SwapEventData;
};

/** What is given. */
export interface SwapFrom {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much is given. */
  amount: string;
}

/** Id of the swap (TypeID, `swap_…`). */
export type SwapId = string;

/** A swap was created or approved, and is about to be sent. */
export type SwapPendingEvent = EventEnvelope & {
  type: "swap.pending";
  data: SwapEventData;
};

/** The input of a swap across chains is back in its wallet. */
export type SwapRefundedEvent = EventEnvelope & {
  type: "swap.refunded";
  data: SwapEventData;
};

/** Nobody delivered in time: the input is being taken back. */
export type SwapRefundingEvent = EventEnvelope & {
  type: "swap.refunding";
  data: SwapEventData;
};

/** A swap as the chains show it. */
export interface SwapRoute {
  id: RouteId;
  /** The swap of a managed wallet that it belongs to. */
  swapId: SwapId | null;
  /** Who sends its steps. */
  sender: string;
  /** Who receives. */
  recipient: string;
  from: SwapRouteFrom;
  to: SwapRouteTo;
  /** `prepared` until its last step is seen on the chain, then `observed`; across chains `filling` until the relayer has delivered. `expired`: the step did not come in time. What a reorganisation takes back is waited for again. */
  status: "prepared" | "observed" | "filling" | "completed" | "refunded" | "expired" | "failed";
  sourceTransactionHash: string | null;
  destinationTransactionHash: string | null;
  /** What the chain says was received; null before. */
  received: string | null;
  /** Why it did not come to what it was made for; null where it did, or still may. */
  failure: SwapRouteFailure | null;
  /** When its last step stops working. */
  expiresAt: Timestamp;
  /** The project that it belongs to. */
  projectId: ProjectId | null;
  /** The end user that it belongs to. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it came to its end, of whatever kind. */
  endedAt: Timestamp | null;
}

export interface SwapRouteFailure {
  /** Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The same in words. */
  message: string;
}

/** What is given. */
export interface SwapRouteFrom {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much is given. */
  amount: string;
}

/** What is wanted for it. */
export interface SwapRouteTo {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The least to receive. */
  minimum: string;
}

/** The chain has the transaction that gives. */
export type SwapSourceConfirmedEvent = EventEnvelope & {
  type: "swap.source_confirmed";
  data: SwapEventData;
};

/** The transaction that gives was sent to its chain. */
export type SwapSourceSubmittedEvent = EventEnvelope & {
  type: "swap.source_submitted";
  data: SwapEventData;
};

/** An unsigned transaction. */
export interface SwapStep {
  /** What it does. */
  type: "approve" | "swap" | "bridge";
  /** The chain (CAIP-2). */
  network: string;
  /** The contract to call. */
  to: string;
  /** The calldata, in hex. Send it as it is: the route is bound to it. */
  data: string;
  /** The native amount to send along, in wei. */
  value: string;
  /** A gas limit that suffices. */
  gas: string;
  /** What signing it means, in words. */
  description: string;
}

/** What is wanted for it. */
export interface SwapTo {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** What the quote expected. */
  expected: string;
  /** What it yields at least, or it fails. */
  minimum: string;
  /** What the chain says was received, network fees left out; null before. */
  received: string | null;
}

/** An asset that can be swapped. */
export interface SwapToken {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** Its short name. */
  symbol: string;
  /** Its full name. */
  name: string;
  /** How many decimals its amounts have. */
  decimals: number;
  /** What one is worth, as the pools stand; null where there is no price that can be relied on. */
  priceUsd: string | null;
}

export interface SwapTransaction {
  /** The chain (CAIP-2). */
  network: string;
  /** The transaction's hash. */
  hash: string;
}

export type TestWebhook = Record<string, never>;

/** An event without its data. */
export interface ThinEvent {
  /** The event's id, the same in every attempt and replay. */
  id: WebhookEventId;
  /** When it happened. */
  timestamp: Timestamp;
  /** The version of the API that its form follows. */
  apiVersion: "v1";
  /** Rises per thing, over all its events: a lower one is older. */
  sequence: number;
  /** The project that it happened in. */
  projectId: ProjectId | null;
  /** The event's name. */
  type: string;
  /** The id of the thing that it is about; null: the account itself. */
  resource: string | null;
  /** That thing's status as it was then; null where it has none. */
  status: string | null;
}

/** ISO 8601, UTC, milliseconds. */
export type Timestamp = string;

export interface TopUpCredits {
  /** What to pay, in USD; 1 USD brings 1,000 credits. */
  amountUsd: number;
}

export interface TopUpCreditsResponse {
  /** What was paid, in USD. */
  creditedUsd: number;
  /** What it brought. */
  creditedCredits: number;
  receiptId: ReceiptId;
  balance: Balance;
}

/** An order waits for people to decide. */
export type TradingOrderAwaitingApprovalEvent = EventEnvelope & {
  type: "trading.order.awaiting_approval";
  data: TradingOrderEventData;
};

/** An order ended before all of it was filled. */
export type TradingOrderCancelledEvent = EventEnvelope & {
  type: "trading.order.cancelled";
  data: TradingOrderEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface TradingOrderEventData {
  order: Order;
}

/** An order, or the approval that it waited for, ran out. */
export type TradingOrderExpiredEvent = EventEnvelope & {
  type: "trading.order.expired";
  data: TradingOrderEventData;
};

/** All of an order was filled. */
export type TradingOrderFilledEvent = EventEnvelope & {
  type: "trading.order.filled";
  data: TradingOrderEventData;
};

/** An order waits for its price. */
export type TradingOrderOpenEvent = EventEnvelope & {
  type: "trading.order.open";
  data: TradingOrderEventData;
};

/** A part of an order was filled; the rest waits. */
export type TradingOrderPartiallyFilledEvent = EventEnvelope & {
  type: "trading.order.partially_filled";
  data: TradingOrderEventData;
};

/** An order is about to be executed. */
export type TradingOrderPendingEvent = EventEnvelope & {
  type: "trading.order.pending";
  data: TradingOrderEventData;
};

/** An order was refused, or can't be executed; `failure` says why. */
export type TradingOrderRejectedEvent = EventEnvelope & {
  type: "trading.order.rejected";
  data: TradingOrderEventData;
};

/** What an order would do. It lives 60 seconds. */
export interface TradingQuote {
  id: QuoteId;
  /** What it is a quote for. */
  kind: "transaction" | "signature" | "order" | "swap";
  walletId: WalletId;
  /** What was asked for. */
  input: Record<string, unknown>;
  /** What would be received; null for sends and signatures. */
  expected: string | null;
  /** The least that is received, or it fails. */
  minimum: string | null;
  /** The fees that the execution would pay. */
  fees: QuoteFee[];
  /** What the execution charges, in credits. */
  chargedCredits: number;
  policy: PolicyDecision;
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  /** Until when it can be executed, once. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
  /** The average price that the venue would give now; null where it can't fill a limit order now. */
  price: string | null;
  /** What a purchase costs at most, in USD; null for a sale. */
  maximumCost: string | null;
}

/** Id of the transaction (TypeID, `tx_…`). */
export type TransactionId = string;

/** Id of the transfer (TypeID, `xfer_…`). */
export type TransferId = string;

/** What starts runs by itself. */
export interface Trigger {
  id: TriggerId;
  /** The trigger's name. */
  name: string;
  /** When it starts runs. */
  on: TriggerOn1 | TriggerOn2 | TriggerOn3;
  start: TriggerStart;
  /** What becomes of a time at which a run of it has not ended: it is passed over (`skip`), started once that has ended (`queue_one`: one waits, others are passed over), started beside it (`allow`), or that is cancelled and it is started then (`cancel_previous`). */
  overlap: "skip" | "queue_one" | "allow" | "cancel_previous";
  /** How late a run may be started, where nothing could be started at its time; later ones are missed. */
  catchUpSeconds: number;
  /** Starts each run by up to so many seconds later, another number for each. */
  jitterSeconds: number;
  pauseAfterFailures: number | null;
  /** `ended`: no time follows any more. */
  status: "active" | "paused" | "ended";
  /** Why it is paused: by hand, because the key or the member who put it counts no more, after as many failures as it says, or for want of credits, until there are some. */
  pausedReason: "manual" | "owner_ended" | "failing" | "no_credits" | null;
  /** The next time of its schedule; null while it is paused, and at its end. */
  nextAt: Timestamp | null;
  /** The run that it started last. */
  lastRunId: RunId | null;
  /** Why no run could be started; null once one was. */
  lastError: TriggerLastError | null;
  /** How many runs have failed, or were not started, since one succeeded. */
  consecutiveFailures: number;
  /** The key that put it last: its runs are created as that key's. Null: a member put it. */
  ownerKeyId: ApiKeyId | null;
  /** The project that it belongs to. */
  projectId: ProjectId | null;
  /** The end user that it belongs to. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it was last put, paused or resumed. */
  updatedAt: Timestamp;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface TriggerEventData {
  trigger: Trigger;
}

/** A time of a trigger has passed without a run; `lastError` says why, where the run was refused. */
export type TriggerFailedEvent = EventEnvelope & {
  type: "trigger.failed";
  data: TriggerEventData;
};

/** Id of the trigger (TypeID, `trg_…`). */
export type TriggerId = string;

export interface TriggerLastError {
  /** Why not. */
  code: string;
  /** The same in words. */
  message: string;
  /** When. */
  at: Timestamp;
}

export interface TriggerOn1 {
  /** A crontab line of five fields: minute, hour, day of the month, month, day of the week. Names (`MON-FRI`), steps (`*\/15`), `L` (the last day) and `#` (`MON#1`: the first Monday) are known. */
  cron: string;
  /** The time zone that `cron` is read in, by its IANA name. A time that the clock passes over in spring is started right after; one that it shows twice in autumn is started once. What starts more than once an hour follows the clock. */
  timezone: string;
}

export interface TriggerOn2 {
  /** Every so many seconds, counted from when it was put. */
  everySeconds: number;
}

export interface TriggerOn3 {
  /** Once, at this moment. */
  at: Timestamp;
}

/** A trigger was paused; `pausedReason` says why. */
export type TriggerPausedEvent = EventEnvelope & {
  type: "trigger.paused";
  data: TriggerEventData;
};

/** What it starts. */
export interface TriggerStart {
  /** The service, e.g. `managed-memory`. */
  serviceId: string;
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input. A workflow's own gets `scheduledAt` beside it. */
  input: unknown;
  /** The connection that it uses. */
  connectionId: string | null;
  /** How many times each run is tried at most. */
  maxAttempts: number;
  /** After how many seconds a run is given up. */
  expiresInSeconds: number;
}

export interface UpdateConnection {
  /** What people call it, 1 to 200 characters. */
  label?: string | undefined;
  /** The key, token, password or client secret. Stored sealed; never shown again. */
  secret?: string | undefined;
  /** Replaces the hosts. More than before need `secret` in the same request. */
  allowedHosts?: string[] | undefined;
  /** Another one needs `secret` in the same request. */
  tokenUrl?: string | undefined;
  /** Disables it, or lets it be used again; `active` tries a broken one anew. */
  status?: "active" | "disabled" | undefined;
  /** After this it can't be used; null: it stays. */
  expiresAt?: Timestamp | null | undefined;
  /** Replaces the metadata; null clears it. */
  metadata?: Record<string, unknown> | null | undefined;
}

export interface UpdateProject {
  /** The project's new name. */
  name?: string | undefined;
  /** Short name for URLs, unique in the account. */
  slug?: string | undefined;
  /** What the project is for; null clears it. */
  description?: string | null | undefined;
  /** Replaces the metadata; null clears it. */
  metadata?: Record<string, unknown> | null | undefined;
}

export interface UpdateWalletPolicy {
  /** The version that the change was made for; another one: 409. */
  ifVersion: number;
  /** What one transaction or signature may spend at most; it may be met exactly. */
  maxPerTransactionUsd?: unknown & unknown | null | undefined;
  /** What may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd?: unknown & unknown | null | undefined;
  /** What the network may take for one transaction at most, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** What networks may take in one UTC day, counted at its most until a transaction is in a block and then as what was paid; null: the installation's limit. */
  dailyNetworkFeeUsd?: unknown & unknown | null | undefined;
  /** The chains that may be used; null: all. */
  allowedNetworks?: string[] | null | undefined;
  /** The assets that may be spent; null: all. */
  allowedAssets?: string[] | null | undefined;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients?: string[] | null | undefined;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts?: UpdateWalletPolicyAllowedContract[] | null | undefined;
  /** What may be signed beside transactions; merged field by field. */
  signatures?: UpdateWalletPolicySignatures | null | undefined;
  /** What people have to approve first; merged field by field. */
  approval?: UpdateWalletPolicyApproval | null | undefined;
}

export interface UpdateWalletPolicyAllowedContract {
  /** An address, with its EIP-55 checksum. */
  address: string;
  /** The methods that may be called; null: all. */
  methods: string[] | null;
}

export interface UpdateWalletPolicyApproval {
  /** What spends more than this needs an approval; null: no amount does. */
  aboveUsd?: unknown & unknown | null | undefined;
  /** Whether everything needs an approval. */
  always?: boolean | undefined;
  /** How many distinct approvers must approve. */
  requiredApprovals?: number | undefined;
  /** Whether who asked may decide too. */
  initiatorMayApprove?: boolean | undefined;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers?: string[] | null | undefined;
  /** Whether loosening this policy needs an approval too. */
  policyChanges?: boolean | undefined;
  /** How long an approval waits for its decision. */
  expiresInSeconds?: number | undefined;
}

export interface UpdateWalletPolicySignatures {
  /** Whether messages (EIP-191) may be signed. */
  messages?: boolean | undefined;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts?: string[] | null | undefined;
}

export interface UpdateWebhook {
  /** Where to send from now on; what already waits goes there too. */
  url?: string | undefined;
  /** What to send from now on. */
  events?: string[] | undefined;
  /** What it is for; null clears it. */
  description?: string | null | undefined;
  /** What an event must fulfil from now on; null: nothing. What already waits is sent. */
  filter?: WebhookConditionInput[] | null | undefined;
  /** What is sent from now on; what already waits stays as it is. */
  payload?: "full" | "thin" | undefined;
  /** Headers to add or replace, by name; null at a name removes it, null in place of all clears them. */
  headers?: Record<string, string | null> | null | undefined;
  /** `active` brings a paused or disabled one back; the caller adopts one whose owner has ended. */
  status?: "active" | "paused" | undefined;
}

/** Requests and charged credits over a period of time. */
export interface Usage {
  /** The first moment that is counted. */
  from: Timestamp;
  /** The first moment that is no longer counted. */
  to: Timestamp;
  totals: UsageTotals;
  /** Those by time in its order, other groups by requests, the most first; at most 1,000. */
  groups: UsageGroup[];
}

export interface UsageGroup {
  /** The UTC day, the moment that the hour or minute begins at, the operation, the service, the id of the key (or member, or credit token) or of the project, or the end user; null: in no project, for no end user. */
  key: string | null;
  /** Authenticated requests. */
  requests: number;
  /** Those that were refused or failed (4xx and 5xx), 429 not among them. */
  errors: number;
  /** Those that were answered 429. */
  limited: number;
  /** What they cost. */
  chargedCredits: number;
  /** Median of the durations, within 6.25 %. */
  p50Ms: number;
  /** 95th percentile of the durations, within 6.25 %. */
  p95Ms: number;
  /** 99th percentile of the durations, within 6.25 %. */
  p99Ms: number;
}

/** Of the whole period. */
export interface UsageTotals {
  /** Authenticated requests. */
  requests: number;
  /** Those that were refused or failed (4xx and 5xx), 429 not among them. */
  errors: number;
  /** Those that were answered 429. */
  limited: number;
  /** What they cost. */
  chargedCredits: number;
  /** Median of the durations; null where there was no request. */
  p50Ms: number | null;
  /** 95th percentile of the durations; null where there was no request. */
  p95Ms: number | null;
  /** 99th percentile of the durations; null where there was no request. */
  p99Ms: number | null;
}

/** A custodial wallet: its key is sealed, and never leaves the platform. */
export interface Wallet {
  id: WalletId;
  /** What people call it. */
  label: string;
  /** Its address, the same on every EVM chain, with its EIP-55 checksum. */
  address: string;
  /** The family of chains that it is for. */
  family: "evm";
  /** The chains of this installation that it works on. */
  networks: string[];
  /** A frozen wallet receives and can be read; it sends and signs nothing. */
  status: "active" | "frozen";
  policy: WalletPolicy;
  projectId: ProjectId | null;
  /** The end user whose it is, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
}

/** What a wallet has of one asset on one chain. */
export interface WalletBalance {
  /** The chain (CAIP-2). */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** What it is traded as. */
  symbol: string;
  /** How many decimal places the asset has. */
  decimals: number;
  /** What the chain says the wallet has, in whole units. */
  amount: string;
  /** What is promised to transactions that the chain does not have yet. */
  reserved: string;
  /** The amount without what is reserved. */
  available: string;
  /** What the amount is worth now; null where the asset has no price that can be relied on: none is known, or pools, or spot and the average of 30 minutes, differ by more than a factor of 1.2. */
  valueUsd: string | null;
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  /** When the chain was asked. */
  asOf: Timestamp;
}

/** A wallet was created. */
export type WalletCreatedEvent = EventEnvelope & {
  type: "wallet.created";
  data: WalletEventData;
};

/** Somebody has sent something to a wallet, and it has arrived. */
export type WalletDepositConfirmedEvent = EventEnvelope & {
  type: "wallet.deposit.confirmed";
  data: WalletDepositEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WalletDepositEventData {
  transaction: WalletTransaction;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WalletEventData {
  wallet: Wallet;
}

/** Id of the wallet (TypeID, `wal_…`). */
export type WalletId = string;

/** What a wallet may do. Deny wins; null is no restriction, an empty list is nothing. */
export interface WalletPolicy {
  /** 1, and one more with every change. */
  version: number;
  /** What one transaction or signature may spend at most; it may be met exactly. */
  maxPerTransactionUsd: unknown & unknown | null;
  /** What may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd: unknown & unknown | null;
  /** What the network may take for one transaction at most, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd: unknown & unknown | null;
  /** What networks may take in one UTC day, counted at its most until a transaction is in a block and then as what was paid; null: the installation's limit. */
  dailyNetworkFeeUsd: unknown & unknown | null;
  /** The chains that may be used; null: all. */
  allowedNetworks: string[] | null;
  /** The assets that may be spent; null: all. */
  allowedAssets: string[] | null;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients: string[] | null;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts: WalletPolicyAllowedContract[] | null;
  signatures: WalletPolicySignatures;
  approval: WalletPolicyApproval;
}

export interface WalletPolicyAllowedContract {
  /** An address, with its EIP-55 checksum. */
  address: string;
  /** The methods that may be called; null: all. */
  methods: string[] | null;
}

/** What people have to approve first. */
export interface WalletPolicyApproval {
  /** What spends more than this needs an approval; null: no amount does. */
  aboveUsd: unknown & unknown | null;
  /** Whether everything needs an approval. */
  always: boolean;
  /** How many distinct approvers must approve. */
  requiredApprovals: number;
  /** Whether who asked may decide too. */
  initiatorMayApprove: boolean;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers: string[] | null;
  /** Whether loosening this policy needs an approval too. */
  policyChanges: boolean;
  /** How long an approval waits for its decision. */
  expiresInSeconds: number;
}

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WalletPolicyEventData {
  wallet: Wallet;
}

/** What may be signed beside transactions. */
export interface WalletPolicySignatures {
  /** Whether messages (EIP-191) may be signed. */
  messages: boolean;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts: string[] | null;
}

/** What a wallet may do was changed. */
export type WalletPolicyUpdatedEvent = EventEnvelope & {
  type: "wallet.policy.updated";
  data: WalletPolicyEventData;
};

/** A signature waits for people to decide. */
export type WalletSignatureAwaitingApprovalEvent = EventEnvelope & {
  type: "wallet.signature.awaiting_approval";
  data: WalletSignatureEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WalletSignatureEventData {
  signature: Signature;
}

/** Nobody decided on a signature in its time. */
export type WalletSignatureExpiredEvent = EventEnvelope & {
  type: "wallet.signature.expired";
  data: WalletSignatureEventData;
};

/** A signature was rejected, by an approver or by the policy of that time. */
export type WalletSignatureRejectedEvent = EventEnvelope & {
  type: "wallet.signature.rejected";
  data: WalletSignatureEventData;
};

/** A wallet has signed; the signature is in it. */
export type WalletSignatureSignedEvent = EventEnvelope & {
  type: "wallet.signature.signed";
  data: WalletSignatureEventData;
};

/** What a wallet sends, or what came in to it. */
export interface WalletTransaction {
  id: TransactionId;
  /** The wallet that it belongs to. */
  walletId: WalletId;
  /** Whether the wallet sends it, or it came in. */
  direction: "out" | "in";
  /** The quote that it executes; null for what has none. */
  quoteId: QuoteId | null;
  /** The customer's own name of it, unique among the wallet's transactions. */
  clientReference: string | null;
  /** The chain, as CAIP-2. */
  network: string;
  /** The address that pays. */
  from: string;
  /** The address that receives. */
  to: string;
  /** `native`, or the token's address. */
  asset: string;
  /** How much is moved, in whole units of the asset. */
  amount: string;
  /** The calldata that was asked for, in hex. */
  data: string | null;
  /** `awaiting_approval` → `reserved` → `signed` → `broadcast` → `confirmed`; else `failed`, `rejected`, `cancelled` or `expired`. After a reorganisation of the chain it is `broadcast` again. */
  status: "awaiting_approval" | "reserved" | "signed" | "broadcast" | "confirmed" | "failed" | "rejected" | "cancelled" | "expired";
  /** Why it did not come to what it was made for; null where it did, or still may. */
  failure: WalletTransactionFailure | null;
  /** The approval that it waits or waited for. */
  approvalId: ApprovalId | null;
  /** Its hash on the chain; another one once it was replaced with higher fees. */
  hash: string | null;
  /** Its place among the address's transactions on the chain. */
  nonce: number | null;
  /** How often it was signed; more than once where fees had to rise. */
  attempts: number;
  /** What the network took for it, in the native asset. */
  feePaid: string | null;
  /** The block that has it. */
  blockNumber: number | null;
  /** How many blocks have it behind them, its own included; counted until it is final. */
  confirmations: number;
  /** What it was charged; nothing before it is broadcast. */
  chargedCredits: number;
  /** The project of its wallet. */
  projectId: ProjectId | null;
  /** The end user of its wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** When it was first signed. */
  signedAt: Timestamp | null;
  /** When the chain first took it. */
  broadcastAt: Timestamp | null;
  /** When it had enough confirmations. */
  confirmedAt: Timestamp | null;
  /** Since when no reorganisation is expected to take it back. */
  finalizedAt: Timestamp | null;
  /** When it came to its end, of whatever kind. */
  endedAt: Timestamp | null;
}

/** A transaction waits for people to decide. */
export type WalletTransactionAwaitingApprovalEvent = EventEnvelope & {
  type: "wallet.transaction.awaiting_approval";
  data: WalletTransactionEventData;
};

/** The chain has a transaction, or a reorganisation has put it back to be mined again. */
export type WalletTransactionBroadcastEvent = EventEnvelope & {
  type: "wallet.transaction.broadcast";
  data: WalletTransactionEventData;
};

/** A transaction was kept from ever being carried out. */
export type WalletTransactionCancelledEvent = EventEnvelope & {
  type: "wallet.transaction.cancelled";
  data: WalletTransactionEventData;
};

/** The chain has carried a transaction out. */
export type WalletTransactionConfirmedEvent = EventEnvelope & {
  type: "wallet.transaction.confirmed";
  data: WalletTransactionEventData;
};

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WalletTransactionEventData {
  transaction: WalletTransaction;
}

/** A transaction's time was over before it was signed. */
export type WalletTransactionExpiredEvent = EventEnvelope & {
  type: "wallet.transaction.expired";
  data: WalletTransactionEventData;
};

/** A transaction was not carried out; `failure` says why. */
export type WalletTransactionFailedEvent = EventEnvelope & {
  type: "wallet.transaction.failed";
  data: WalletTransactionEventData;
};

export interface WalletTransactionFailure {
  /** Why, for programs, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The same in words. */
  message: string;
}

/** People have rejected a transaction. */
export type WalletTransactionRejectedEvent = EventEnvelope & {
  type: "wallet.transaction.rejected";
  data: WalletTransactionEventData;
};

/** A transaction is to be signed and sent. */
export type WalletTransactionReservedEvent = EventEnvelope & {
  type: "wallet.transaction.reserved";
  data: WalletTransactionEventData;
};

/** A transaction was signed. */
export type WalletTransactionSignedEvent = EventEnvelope & {
  type: "wallet.transaction.signed";
  data: WalletTransactionEventData;
};

/** An address that the account's events are sent to. */
export interface Webhook {
  id: WebhookId;
  /** Where events are sent. */
  url: string;
  /** What it is for. */
  description: string | null;
  /** `*`, names of events, or all below one: `run.*`. */
  events: string[];
  /** Conditions that an event must all fulfil; null: none. */
  filter: WebhookCondition[] | null;
  /** What is sent: the event with its `data`, or `thin`. */
  payload: "full" | "thin";
  /** The headers sent with each attempt beside the platform's own. Their values are never shown. */
  headerNames: string[];
  /** A paused webhook gets no new events; what already waits for it stays. */
  status: "active" | "paused" | "disabled";
  /** Why it is disabled: by hand, five days of failures, a 410, or its owner key's end. */
  disabledReason: "manual" | "failing" | "gone" | "key_revoked" | "key_expired" | null;
  /** The key by whose rights events are chosen; null: the account's own. */
  ownerKeyId: ApiKeyId | null;
  /** The key that made it; null: a member did. */
  createdByKeyId: ApiKeyId | null;
  health: WebhookHealth;
  /** Until when deliveries are signed with the secret before the last rotation, too. */
  previousSecretExpiresAt: Timestamp | null;
  /** Only this project's events are sent. */
  projectId: ProjectId | null;
  /** Only this end user's events are sent. */
  endUser: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** A condition on an event's body. */
export interface WebhookCondition {
  /** A field of the event's body. */
  path: string;
  /** How it is compared. A field that is missing fulfils nothing; `exists` asks for one that is there and not null, with `false` for the contrary. */
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  /** What it is compared with. Numbers and decimals in texts are compared by what they amount to, exactly: 12.5 equals "12.50". */
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** A condition on an event's body. */
export interface WebhookConditionInput {
  /** A field of the event's body. */
  path: string;
  /** How it is compared. A field that is missing fulfils nothing; `exists` asks for one that is there and not null, with `false` for the contrary. */
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  /** What it is compared with. Numbers and decimals in texts are compared by what they amount to, exactly: 12.5 equals "12.50". */
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** An event on its way to a webhook. */
export interface WebhookDelivery {
  id: DeliveryId;
  webhookId: WebhookId;
  /** The event's id, the same in each of its deliveries. */
  eventId: WebhookEventId;
  /** The event's name. */
  event: string;
  /** `failed` after the last attempt; `abandoned` when the webhook was disabled before. */
  status: "pending" | "succeeded" | "failed" | "abandoned";
  /** The oldest first. */
  attempts: WebhookDeliveryAttempt[];
  /** When it is sent next; null when it is finished. */
  nextAttemptAt: Timestamp | null;
  /** The delivery that it repeats. */
  replayOf: DeliveryId | null;
  /** The webhook's project. */
  projectId: ProjectId | null;
  /** The webhook's end user. */
  endUser: string | null;
  createdAt: Timestamp;
}

export interface WebhookDeliveryAttempt {
  /** When it was sent. */
  at: Timestamp;
  /** The HTTP status; null where no answer came. */
  status: number | null;
  /** How long it took. */
  durationMs: number;
  /** Why it failed; null where it succeeded. */
  error: string | null;
  /** How the answer begins. */
  responseSnippet: string | null;
}

/** A webhook was disabled; `disabledReason` says why. */
export type WebhookDisabledEvent = EventEnvelope & {
  type: "webhook.disabled";
  data: WebhookEventData;
};

/** Any event. */
export type WebhookEvent = ApiKeyCreatedEvent | ApiKeyExpiringEvent | ApiKeyRevokedEvent | AppConnectedEvent | AppEndedEvent | ProjectCreatedEvent | ProjectUpdatedEvent | ProjectArchivedEvent | ConnectionCreatedEvent | ConnectionRotatedEvent | ConnectionDisabledEvent | ConnectionBrokenEvent | ConnectionRecoveredEvent | ConnectionDeletedEvent | ApprovalRequestedEvent | ApprovalDecidedEvent | ApprovalExpiredEvent | FileCreatedEvent | FileDeletedEvent | ArtifactCreatedEvent | RunQueuedEvent | RunRunningEvent | RunAwaitingApprovalEvent | RunCancellingEvent | RunCancelledEvent | RunSucceededEvent | RunFailedEvent | RunExpiredEvent | CreditsLowEvent | CreditsExhaustedEvent | CreditsToppedUpEvent | DatabaseProvisionedEvent | DatabaseDeprovisionedEvent | DatabaseTransferCompletedEvent | DatabaseTransferFailedEvent | SwapAwaitingApprovalEvent | SwapPendingEvent | SwapSourceSubmittedEvent | SwapSourceConfirmedEvent | SwapFillingEvent | SwapCompletedEvent | SwapRefundingEvent | SwapRefundedEvent | SwapFailedEvent | TradingOrderPendingEvent | TradingOrderAwaitingApprovalEvent | TradingOrderOpenEvent | TradingOrderPartiallyFilledEvent | TradingOrderFilledEvent | TradingOrderCancelledEvent | TradingOrderExpiredEvent | TradingOrderRejectedEvent | TriggerPausedEvent | TriggerFailedEvent | WalletCreatedEvent | WalletPolicyUpdatedEvent | WalletSignatureAwaitingApprovalEvent | WalletSignatureSignedEvent | WalletSignatureRejectedEvent | WalletSignatureExpiredEvent | WalletDepositConfirmedEvent | WalletTransactionAwaitingApprovalEvent | WalletTransactionReservedEvent | WalletTransactionSignedEvent | WalletTransactionBroadcastEvent | WalletTransactionConfirmedEvent | WalletTransactionFailedEvent | WalletTransactionRejectedEvent | WalletTransactionCancelledEvent | WalletTransactionExpiredEvent | WebhookFailingEvent | WebhookDisabledEvent | WebhookTestEvent;

/** The resource as it was then; beyond 20 KB only `id`, `status` and `truncated: true`. */
export interface WebhookEventData {
  webhook: Webhook;
}

/** Id of the webhook event (TypeID, `whe_…`). */
export type WebhookEventId = string;

/** A webhook has had no success for two days; after five it is disabled. */
export type WebhookFailingEvent = EventEnvelope & {
  type: "webhook.failing";
  data: WebhookEventData;
};

/** How the endpoint does. */
export interface WebhookHealth {
  /** By the last attempt; `unknown` before the first. */
  status: "unknown" | "healthy" | "failing";
  /** Attempts that failed since the last success. */
  consecutiveFailures: number;
  /** When it began to fail. After five days without a success the webhook is disabled. */
  failingSince: Timestamp | null;
  /** When a delivery last succeeded. */
  lastSuccessAt: Timestamp | null;
  /** When an attempt last failed. */
  lastFailureAt: Timestamp | null;
  lastDeliveries?: WebhookHealthLastDeliveries | undefined;
}

/** What came of its last 100 finished deliveries; only in lists and where one webhook is read. */
export interface WebhookHealthLastDeliveries {
  /** How many of them arrived. */
  succeeded: number;
  /** How many were given up. */
  failed: number;
}

/** Id of the webhook (TypeID, `wh_…`). */
export type WebhookId = string;

/** Somebody asked for a test in the console. It comes to the tested webhook alone, with sequence 0. */
export type WebhookTestEvent = EventEnvelope & {
  type: "webhook.test";
  data: WebhookEventData;
};

/** Id of the workflow (TypeID, `wf_…`). */
export type WorkflowId = string;

/** Steps that run durably, one after another. A text `{% … %}` is a JSONata expression over `{ input, steps, item, index }` and becomes its value; within a longer text it becomes part of the text. */
export interface Workflow {
  /** What people call it. */
  name: string;
  steps: WorkflowSteps;
  /** What the run answers as `output`; by default the last step's output. */
  output?: unknown;
}

/** Steps, one after another. */
export type WorkflowSteps = WorkflowStep[];

/** A step of a workflow. */
export type WorkflowStep = {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Invokes a managed service's operation. Output: its `result`. */
  type: "invoke";
  /** The service, e.g. `managed-memory`. */
  serviceId: string;
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input. */
  input: unknown;
  /** The approval of exactly this input, where the operation needs one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, where it uses one. */
  connectionId?: string | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Calls an operation of the platform. Output: the answer's body. */
  type: "operation";
  /** The operation's id, e.g. `projects.create`. */
  operation: string;
  /** Its path parameters. */
  params?: Record<string, unknown> | undefined;
  /** Its query parameters. */
  query?: Record<string, unknown> | undefined;
  /** Its body. */
  body?: unknown;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Sends a request with a connection's credential. Output: `{ status, headers, body }`; an answer of 429 or 5xx fails the step. */
  type: "http";
  /** The connection whose credential is used. */
  connectionId: string;
  /** The HTTP method. */
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The address; its host must be among the connection's. */
  url: string;
  /** Further request headers. */
  headers?: Record<string, string> | undefined;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  callback?: WorkflowCallback | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Waits; a restart of the platform does not shorten it. Output: null. */
  type: "wait";
  /** For how long, up to 30 days. */
  seconds: number | string;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long it waits, up to 30 days. */
  timeoutSeconds: number;
  /** Waits for the first of several [events](/docs/waiting) that the account sends. Output: `{ event, timedOut }`, with `{ id, name, key, data, sentAt }` as `event`. */
  type: "await";
  /** The events, of which the first that comes is taken. */
  events: AwaitedEvent[];
  /** How long ago the event may have been sent; by default since the run's start. */
  lookbackSeconds?: number | undefined;
  /** Whether it then fails with `service_timeout` (the default) or is done without an event. */
  onTimeout?: "fail" | "continue" | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Waits until another principal than the run's initiator approves. Rejected, the run fails with `approval_rejected`. Output: `{ id }` of the approval. */
  type: "approval";
  /** What is to be judged, as a sentence for a person. */
  summary: string;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Takes the first case that holds. Output: that of the last step taken, else null. */
  type: "branch";
  /** The cases, judged in order. */
  cases: WorkflowCase[];
  /** The steps where no case holds. */
  else?: WorkflowSteps | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Runs steps once per item, with `item` and `index` in their expressions. Output: the last step's outputs, in the items' order. */
  type: "map";
  /** The items, at most 1000. */
  items: unknown[] | string;
  /** How many items at a time, 1 to 20. */
  concurrency: number;
  steps: WorkflowSteps;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Keeps content as an artifact of the run. Output: the artifact. */
  type: "artifact";
  /** The artifact's file name. */
  name: string;
  /** Its media type, e.g. `text/plain`. */
  mediaType: string;
  /** A text is written as it is, anything else as JSON. */
  content: unknown;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Runs a stored workflow as a run of its own, in the name of the same caller, and waits for its end; it is cancelled with this run. At most 5 deep. Output: what that workflow puts out. */
  type: "run";
  /** The name under which the workflow is stored. */
  name: string;
  /** The version; by default the newest at that time. */
  version?: number | undefined;
  /** What its expressions read as `input`. */
  input?: unknown;
};

/** How often, and when, a failed step is attempted again. */
export interface WorkflowRetry {
  /** How many attempts there are in all, 1 to 10. */
  maxAttempts: number;
  /** How long to wait before the second attempt. */
  backoffSeconds: number;
  /** By what each further wait is multiplied. */
  factor: number;
  /** The error codes that are worth another attempt. By default those that say so themselves, and `service_failed`; `service_timeout` only for GET, PUT and DELETE. */
  on?: ("invalid_request" | "invalid_json" | "idempotency_key_required" | "idempotency_key_invalid" | "credential_in_url" | "credential_in_body" | "unauthenticated" | "api_key_expired" | "api_key_revoked" | "ancestor_expired" | "ancestor_revoked" | "credit_token_invalid" | "payment_required" | "insufficient_credits" | "scope_missing" | "service_not_allowed" | "operation_not_allowed" | "project_not_allowed" | "end_user_not_allowed" | "delegation_exceeds_parent" | "policy_denied" | "approval_required" | "quota_exceeded" | "not_found" | "method_not_allowed" | "length_required" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "idempotency_in_progress" | "state_conflict" | "already_exists" | "settlement_pending" | "quote_expired" | "cursor_expired" | "callback_over" | "operation_sunset" | "checksum_mismatch" | "payment_invalid" | "query_limit_exceeded" | "limit_exhausted" | "service_rate_limited" | "internal" | "service_failed" | "service_unavailable" | "service_timeout")[] | undefined;
}

/** Has the step wait, without a worker, until somebody [calls back](/docs/waiting) at the address that its texts read as `{% callback.url %}`. What is posted there is its output. */
export interface WorkflowCallback {
  /** How long it waits, up to 30 days. */
  timeoutSeconds: number;
  /** How long it waits at most between two heartbeats. */
  heartbeatSeconds?: number | undefined;
}

/** An event that a step waits for. */
export interface AwaitedEvent {
  /** The event's name: of your own, or of [the platform](/docs/events), e.g. `wallet.deposit.confirmed`. */
  name: string;
  /** Its key; by default whatever it is. The platform's events have none. */
  key?: string | undefined;
  /** Conditions on it, all of which must hold. */
  where?: EventCondition[] | undefined;
}

/** A condition on an event. */
export interface EventCondition {
  /** What of the event is judged. */
  path: string;
  /** How: `eq`, `ne`, `in` a list, `gt`, `gte`, `lt`, `lte`, `exists` (true or false), or `prefix` of a text. Decimals in texts compare as numbers, exactly. What is not there fulfils none but `exists: false`. */
  op: "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";
  /** What it is compared with. */
  value: unknown;
}

/** Steps under a condition. */
export interface WorkflowCase {
  /** Whether this case is taken: all but false, null, 0 and what is empty takes it. The first that holds wins. */
  when: unknown;
  steps: WorkflowSteps;
}

/** A version of a workflow that is stored under a name. */
export interface StoredWorkflow {
  /** Id of the workflow (TypeID, `wf_…`). */
  id: string;
  /** The name under which the workflow is stored. */
  name: string;
  /** The version's number, from 1. */
  version: number;
  /** SHA-256, in hex, over the RFC 8785 form of `{ workflow, inputSchema, description }`. */
  digest: string;
  /** What this version does, or changes. */
  description: string | null;
  /** An archived workflow is neither started nor put. */
  status: "active" | "archived";
  /** When it was archived. */
  archivedAt: string | null;
  /** The project that it belongs to. */
  projectId: string | null;
  /** The end user that it belongs to. */
  endUser: string | null;
  /** When this version was put. */
  createdAt: string;
  /** Who put this version. */
  createdBy: {
    /** Whether a key or a person put it. */
    type: "key" | "member" | "system";
    /** Id of the key or the member. */
    id: string | null;
    /** The key's label, or the person's name, at that time. */
    label: string;
  };
}

/** A text that is kept and found again. */
export interface Memory {
  /** Id of the memory (TypeID, `mem_…`). */
  id: string;
  /** Its name, where it has one. */
  name: string | null;
  /** The text that was put. */
  content: string;
  /** Its tags, in the order they were put. */
  tags: string[];
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: string | null;
  /** The customer's own id of the end user that it belongs to. */
  endUser: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

/** A memory that a search found. */
export interface FoundMemory {
  /** Id of the memory (TypeID, `mem_…`). */
  id: string;
  /** Its name, where it has one. */
  name: string | null;
  /** The text that was put. */
  content: string;
  /** Its tags, in the order they were put. */
  tags: string[];
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: string | null;
  /** The customer's own id of the end user that it belongs to. */
  endUser: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** How well it fits, between 0 and 1; only its order means something. */
  score: number;
  /** An excerpt as HTML: what matched stands in `<mark>`, everything else is escaped. */
  highlight: string;
}

/** A time at which a trigger starts a run. */
export interface TriggerTick {
  /** The time of the schedule; of a start by hand when it was asked for. */
  scheduledAt: string;
  /** What it was started by. */
  kind: "schedule" | "fire" | "backfill";
  /** What has become of it: `skipped` by `overlap` or a pause, `missed` where it could not be started in time, `refused` where its run was. */
  state: "waiting" | "started" | "skipped" | "missed" | "refused";
  /** The run that was started. */
  runId: string | null;
  error: {
    /** Why not. */
    code: string;
    /** The same in words. */
    message: string;
  } | null;
}

/** What an event has brought about. */
export interface SentEvent {
  /** The event's id. */
  eventId: string;
  /** How many runs go on because of it. */
  resumed: number;
  /** How many runs it has started. */
  started: number;
  /** Whether it was sent before under this `id`: then nothing happened. */
  repeated: boolean;
}

/** What is wrong, for programs. */
export type ErrorCode =
  | "already_exists"
  | "ancestor_expired"
  | "ancestor_revoked"
  | "api_key_expired"
  | "api_key_revoked"
  | "approval_required"
  | "callback_over"
  | "checksum_mismatch"
  | "credential_in_body"
  | "credential_in_url"
  | "credit_token_invalid"
  | "cursor_expired"
  | "delegation_exceeds_parent"
  | "end_user_not_allowed"
  | "idempotency_in_progress"
  | "idempotency_key_invalid"
  | "idempotency_key_required"
  | "idempotency_key_reused"
  | "insufficient_credits"
  | "internal"
  | "invalid_json"
  | "invalid_request"
  | "length_required"
  | "limit_exhausted"
  | "not_found"
  | "operation_not_allowed"
  | "operation_sunset"
  | "payload_too_large"
  | "payment_invalid"
  | "payment_required"
  | "policy_denied"
  | "project_not_allowed"
  | "query_limit_exceeded"
  | "quota_exceeded"
  | "quote_expired"
  | "range_not_satisfiable"
  | "scope_missing"
  | "service_failed"
  | "service_not_allowed"
  | "service_rate_limited"
  | "service_timeout"
  | "service_unavailable"
  | "settlement_pending"
  | "state_conflict"
  | "unauthenticated"
  | "unsupported_media_type";
