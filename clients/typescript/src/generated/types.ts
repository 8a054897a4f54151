// Written by `npm run openapi`; edit the platform's schemas instead.

export type AccessCheck = "scope" | "service" | "operation" | "limit";

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
  /** The required scope; null if none. */
  scope: Scope | null;
  /** True if the operation requires an `Idempotency-Key`. */
  idempotencyRequired: boolean;
  /** The selectors whose limits count the operation, most exact first; `*` counts every operation. */
  limitSelectors: string[];
  /** True if a call by this caller would be admitted now. */
  allowed: boolean;
  /** The refusal; null if the operation is allowed. */
  deniedBy: ActionDeniedBy | null;
}

export interface ActionDeniedBy {
  /** The failing check. */
  check: AccessCheck;
  /** The highest key of the chain that refuses; null for a member. */
  keyId: string | null;
}

export type ActorType = "key" | "member" | "system";

/** A bearer key and its policy, which never changes after creation. */
export interface ApiKey {
  id: ApiKeyId;
  /** A label that says what the key is for. */
  label: string;
  /** The first characters of the secret, to recognise it by. */
  prefix: string;
  /** The scopes of the key. */
  scopes: Scope[];
  /** The services that the key may use, considering its whole chain; null: no key of the chain has a boundary. */
  allowedServices: string[] | null;
  /** The exact selectors that the key may call, considering its whole chain; null: no key of the chain has a boundary, and it may call those that were registered when it was created. */
  allowedOperations: string[] | null;
  /** Limits by selector, as sent at creation. */
  limits: Record<string, Limit>;
  /** When the key expires. */
  expiresAt: Timestamp;
  /** True if each authenticated request extends the expiry to 30 days from the request. */
  expiryMode: "fixed" | "renewed_by_use";
  status: ApiKeyStatus;
  /** Why calls with an active key are refused; null if they are not. */
  invalidBecause: "ancestor_expired" | "ancestor_revoked" | null;
  /** The key above this one; null for a root key. */
  parentId: ApiKeyId | null;
  /** Level in the delegation tree: 0 for a root key, at most 8. */
  depth: number;
  /** The project that the key is permanently bound to; null if none. */
  projectId: ProjectId | null;
  /** The connected app that calls with short-lived tokens of this key; null for other keys. */
  app: ApiKeyApp | null;
  /** Your id of the end user that the key is permanently bound to; null if none. */
  endUser: string | null;
  privacyTier: PrivacyTier;
  createdAt: Timestamp;
  /** When a request was last authenticated with the key; null if never. */
  lastUsedAt: Timestamp | null;
  /** When the key was revoked; null if it was not. */
  revokedAt: Timestamp | null;
}

export interface ApiKeyApp {
  /** The app's `client_id`. */
  id: string;
  /** The name that the app gives itself. */
  name: string;
  /** The host that publishes the app's metadata document; null for an app that registered itself. */
  host: string | null;
  /** True if a host publishes the app's metadata document. */
  verified: boolean;
}

/** `api_key.created`: A key was created. `api_key.expiring`: A key expires within a week, or within the last quarter of a shorter lifetime. `api_key.revoked`: A key was revoked with all its descendants. */
export type ApiKeyEvent = EventEnvelope & {
  type: "api_key.created" | "api_key.expiring" | "api_key.revoked";
  data: ApiKeyEventData;
};

export interface ApiKeyEventData {
  apiKey: ApiKey;
}

/** Id of the API key (TypeID, `key_…`). */
export type ApiKeyId = string;

/** The key's own status; the effect of an ancestor's status is in `invalidBecause`. */
export type ApiKeyStatus = "active" | "expired" | "revoked";

/** A person has connected an app; `apiKey.app` says which. */
export type AppConnectedEvent = EventEnvelope & {
  type: "app.connected";
  data: AppConnectedEventData;
};

export interface AppConnectedEventData {
  apiKey: ApiKey;
}

/** A connected app's access has ended. */
export type AppEndedEvent = EventEnvelope & {
  type: "app.ended";
  data: AppEndedEventData;
};

export interface AppEndedEventData {
  apiKey: ApiKey;
  /** Why the access ended: a person or the app `revoked` it, it `expired`, a code or a refresh token was used twice (`token_reused`), or the person who connected it left the account (`membership_ended`). */
  reason: "revoked" | "expired" | "token_reused" | "membership_ended";
}

export interface ApplyDatabaseActions {
  /** The changes, in order: all of them, or none. */
  actions: DatabaseAction[];
  /** True to roll all changes back at the end, and only report them. */
  dryRun?: boolean | undefined;
  /** The time limit for all statements of the call together, 1 to 60000 ms. */
  timeoutMs?: number | undefined;
}

export interface ApplyDatabaseActionsResponse {
  /** Each action's result, in order. */
  results: DatabaseActionResult[];
  /** Whether everything was undone. */
  dryRun: boolean;
}

/** An action that requires an approval, with its decisions. */
export interface Approval {
  id: ApprovalId;
  kind: ApprovalKind;
  subject: ApprovalSubject;
  /** A sentence that describes the action to a person. */
  summary: string;
  /** The reason that the requester gave, or for which the policy requires the approval. */
  reason: string | null;
  /** The exact payload to approve; null after the approval is settled if the key's privacy tier stores no bodies. */
  payload: unknown;
  /** The SHA-256 of the payload's RFC 8785 form, in hex. */
  payloadHash: string;
  /** The key or person who requested the approval. */
  requestedBy: ApprovalActor;
  /** The required number of distinct approvers. */
  requiredApprovals: number;
  /** Whether the requester may decide too. */
  initiatorMayApprove: boolean;
  /** The ids of the members and keys that may decide; null for everyone with the scope. */
  approvers: string[] | null;
  /** The decisions so far, in order. */
  decisions: ApprovalDecision[];
  status: ApprovalStatus;
  /** The run that waits for the approval. */
  runId: RunId | null;
  projectId: ProjectId | null;
  /** Your own id of the end user to whom the approval belongs. */
  endUser: string | null;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  /** The time when it was approved or rejected. */
  decidedAt: Timestamp | null;
  /** The time when the action was executed. */
  consumedAt: Timestamp | null;
}

export interface ApprovalActor {
  /** The kind of principal: a key, a person or the platform itself. */
  type: ActorType;
  /** The id of the key or member; null for the platform. */
  id: string | null;
  /** The key's label or the person's name at that time. */
  label: string;
}

/** One principal's decision on an approval. */
export interface ApprovalDecision {
  /** The key or person who decided. */
  by: ApprovalActor;
  /** The decision. */
  decision: Decision;
  /** The reason that they gave. */
  reason: string | null;
  at: Timestamp;
}

/** `approval.requested`: Somebody asked for an approval. `approval.decided`: An approval got all the approvals it needs, or was rejected. `approval.expired`: An approval expired before it was decided, or before it was used. */
export type ApprovalEvent = EventEnvelope & {
  type: "approval.requested" | "approval.decided" | "approval.expired";
  data: ApprovalEventData;
};

export interface ApprovalEventData {
  approval: Approval;
}

/** Id of the approval (TypeID, `appr_…`). */
export type ApprovalId = string;

/** The kind of action. */
export type ApprovalKind = "service_action" | "transaction" | "signature" | "order" | "swap" | "workflow_step";

export interface ApprovalRules {
  /** Spending more than this needs an approval; null: no amount does. */
  aboveUsd?: string | null | undefined;
  /** Whether everything needs an approval. */
  always?: boolean | undefined;
  /** The required number of distinct approvers. */
  requiredApprovals?: number | undefined;
  /** Whether the requester may decide too. */
  initiatorMayApprove?: boolean | undefined;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers?: string[] | null | undefined;
  /** Whether loosening this policy needs an approval too. */
  policyChanges?: boolean | undefined;
  /** How long an approval waits for its decision. */
  expiresInSeconds?: number | undefined;
}

/** The status. `approved` becomes `consumed` when the action is executed. One rejection is enough for `rejected`. */
export type ApprovalStatus = "pending" | "approved" | "rejected" | "expired" | "consumed" | "cancelled";

/** The action to approve. */
export interface ApprovalSubject {
  /** Id of the service. */
  serviceId: string;
  /** The operation's id within its service. */
  operationId: string;
  /** The id of the resource that waits for the decision; null if there is none. */
  id: string | null;
}

/** A file that a run has produced. */
export interface Artifact {
  id: ArtifactId;
  /** The run that produced the artifact. */
  runId: RunId;
  /** The run's service. */
  serviceId: string;
  /** The name that the run gave it. */
  name: string;
  /** The media type that the run declared. */
  mediaType: string;
  /** The size in bytes. */
  sizeBytes: number;
  /** The SHA-256 of the bytes, in hex. */
  sha256: string;
  projectId: ProjectId | null;
  /** Your own id of the end user to whom the artifact belongs. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it is deleted. */
  expiresAt: Timestamp;
}

/** A run has produced an artifact. */
export type ArtifactEvent = EventEnvelope & {
  type: "artifact.created";
  data: ArtifactEventData;
};

export interface ArtifactEventData {
  artifact: Artifact;
}

/** Id of the artifact (TypeID, `art_…`). */
export type ArtifactId = string;

/** `native`, or the token's address. */
export type Asset = string;

/** An authenticated request, or an action of the platform itself. */
export interface AuditEvent {
  id: AuditEventId;
  at: Timestamp;
  actor: AuditEventActor;
  /** The operation as limits name it, e.g. `projects.create`. */
  operation: string;
  /** The id of the resource that the call read or changed. */
  resource: string | null;
  outcome: AuditOutcome;
  /** The HTTP status of the response. */
  status: number;
  /** The error code of the response. */
  errorCode: string | null;
  /** The `X-Request-Id` of the response. */
  requestId: string;
  /** The project of the call. */
  projectId: ProjectId | null;
  /** The end user of the call; null after they are erased. */
  endUser: string | null;
  /** The client's IP address; null after 30 days. */
  ip: string | null;
  /** The client's `User-Agent`; null after 30 days. */
  userAgent: string | null;
  /** The processing time in milliseconds. */
  durationMs: number;
  /** The charged credits. */
  chargedCredits: number;
  /** The version of the connection's secret that the call used. */
  secretVersion: number | null;
  /** The position in the account's hash chain, from 1, without gaps; assigned within a second. */
  sequence: number | null;
  /** The `hash` of the previous event, in hex. */
  previousHash: string | null;
  /** The SHA-256 of the event without `hash` in its RFC 8785 form, with personal fields as salted digests. */
  hash: string | null;
}

/** The caller. */
export interface AuditEventActor {
  /** The kind of caller. */
  type: ActorType;
  /** The id of the key, member or credit token. */
  id: string | null;
  /** The caller's label or name; null after it is erased. */
  label: string | null;
}

/** Id of the audit event (TypeID, `evt_…`). */
export type AuditEventId = string;

/** `denied`: refused with a 4xx; `error`: failed with a 5xx. */
export type AuditOutcome = "allowed" | "denied" | "error";

/** The account's credits; 1,000 are 1 USD. */
export interface Balance {
  /** The credits that can be spent. */
  availableCredits: number;
  /** The credits reserved for calls in progress. */
  reservedCredits: number;
  /** The sum of both. */
  totalCredits: number;
  /** The balance below which it counts as low. */
  lowThreshold: number;
  asOf: Timestamp;
  /** The balance at the end of each day, oldest first; only with `historyDays`. */
  history?: BalanceHistoryItem[] | undefined;
}

export interface BalanceHistoryItem {
  /** The UTC day. */
  day: string;
  /** The credits at the end of the day, reserved ones included; for today, the current ones. */
  totalCredits: number;
}

export interface BatchRun {
  /** The runs, 1 to 100, each in the form of the body of `POST /runs`. */
  items: (Record<string, unknown>)[];
}

/** The result for one of the runs. */
export interface BulkResult {
  /** The named run. */
  runId: RunId;
  /** Whether the run was retried, cancelled or forgotten. */
  ok: boolean;
  /** The run that a retry has queued. */
  newRunId: RunId | null;
  /** The error; null if the action succeeded. */
  error: BulkResultError | null;
}

export interface BulkResultError {
  /** The error code. */
  code: string;
  /** The error message. */
  message: string;
  /** The seconds after which another request may succeed; only if a limit refused it. */
  retryAfterSeconds: number | null;
}

export interface BulkRun {
  /** The action on each run. */
  action: "retry" | "cancel" | "forget";
  /** The runs, 1 to 50, each once. */
  runIds: RunId[];
  /** Whether to retry each run from its start, or from the failed step if there is one. */
  retryFrom?: "start" | "failedStep" | undefined;
}

export type CancelRun = Record<string, never>;

export type CancelTradingOrder = Record<string, never>;

/** An operation of a managed service. */
export interface Capability {
  /** Id of the service. */
  serviceId: string;
  /** Id of the operation within its service. */
  operationId: string;
  /** A short imperative phrase. */
  title: string;
  /** Facts beyond the title that a caller must know. */
  description: string;
  /** JSON Schema of `input`; if the operation has its own endpoint, of all request fields together. */
  inputSchema: Record<string, unknown>;
  /** JSON Schema of the result. */
  outputSchema: Record<string, unknown>;
  /** How the operation can be used; empty if it has its own endpoint. */
  modes: CapabilityMode[];
  /** The operation's own endpoint; null if it has none. */
  endpoint: CapabilityEndpoint | null;
  /** The exact selectors of the operation, for key boundaries and limits. */
  selectors: string[];
  /** True if the operation changes nothing. */
  readOnly: boolean;
  /** True if the operation can destroy data irrecoverably. */
  destructive: boolean;
  /** True if the operation needs an approval with the same input. */
  requiresApproval: boolean;
  /** The price of a call. */
  price: Price;
}

export interface CapabilityEndpoint {
  /** The HTTP method. */
  method: string;
  /** Relative to `/v1`. */
  path: string;
}

export type CapabilityMode = "invoke" | "run";

/** A chain that wallets and swaps use. */
export interface ChainHealth {
  /** The chain's CAIP-2 id, e.g. `eip155:1`. */
  network: string;
  /** The chain's name. */
  name: string;
  /** True if the chain's node responded. */
  ok: boolean;
  /** The chain's newest block; null if the node did not respond. */
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
  /** SHA-256 of the part's bytes, in hex. */
  sha256: string;
}

/** `running`: the run occupies a slot while a worker executes it, not while it waits, e.g. for an event or an approval. `live`: it occupies the slot until it ends. */
export type ConcurrencyHold = "running" | "live";

/** A limit on concurrent runs. */
export interface ConcurrencyKey {
  /** Your own text, 1 to 200 characters. */
  key: string;
  /** The maximum number of concurrent runs with this key, 1 to 1,000; the newest run's value counts. */
  limit: number;
  hold: ConcurrencyHold;
}

export type ConditionOperator = "eq" | "ne" | "in" | "gt" | "gte" | "lt" | "lte" | "exists" | "prefix";

/** A credential for an outside system, bound to hosts. It can be used and is never shown. */
export interface Connection {
  id: ConnectionId;
  /** A name for people. */
  label: string;
  /** The outside system that the connection is for, in your own words. */
  provider: string;
  authType: ConnectionAuthType;
  /** The hosts that the secret may be sent to: `host` (any port), `host:port`, or `*.domain.tld` for every host below a domain. */
  allowedHosts: string[];
  headerName: string | null;
  username: string | null;
  clientId: string | null;
  tokenUrl: string | null;
  tokenScopes: string[] | null;
  status: ConnectionStatus;
  /** A digest that is equal for equal secrets and does not reveal them. */
  secretFingerprint: string;
  /** The version of the secret: 1 at first, incremented by every rotation. */
  secretVersion: number;
  /** When the secret was last replaced. */
  rotatedAt: Timestamp | null;
  /** When the connection expires; null if it does not. */
  expiresAt: Timestamp | null;
  /** When the secret was last sent; null if never. */
  lastUsedAt: Timestamp | null;
  /** Why the last use failed; null if it succeeded. */
  lastError: ConnectionLastError | null;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: ProjectId | null;
  /** Your own id of the end user that the connection belongs to; null if none. */
  endUser: string | null;
  createdAt: Timestamp;
}

/** How the secret is sent: in a header of its own (`api_key`), as a bearer token, as the password of basic authentication, or as the client secret of OAuth 2.0 client credentials. */
export type ConnectionAuthType = "api_key" | "bearer" | "basic" | "oauth2_client";

/** `connection.created`: A connection was created. `connection.rotated`: A connection's secret was replaced. `connection.disabled`: A connection was disabled. `connection.broken`: The outside system refuses a connection's secret. `connection.recovered`: A broken connection works again. `connection.deleted`: A connection was deleted, and its secret with it. */
export type ConnectionEvent = EventEnvelope & {
  type: "connection.created" | "connection.rotated" | "connection.disabled" | "connection.broken" | "connection.recovered" | "connection.deleted";
  data: ConnectionEventData;
};

export interface ConnectionEventData {
  connection: Connection;
}

/** Id of the connection (TypeID, `conn_…`). */
export type ConnectionId = string;

export interface ConnectionLastError {
  /** Machine-readable reason of the failure. */
  code: string;
  /** Human-readable reason of the failure. */
  message: string;
  at: Timestamp;
}

/** The status. `broken`: the outside system refuses the secret; send another one. */
export type ConnectionStatus = "active" | "disabled" | "broken";

export type ConsoleReads = "include" | "exclude";

export interface ContractRule {
  /** An address, with its EIP-55 checksum. */
  address: string;
  /** The allowed methods; null allows all. */
  methods: string[] | null;
}

export interface CreateApiKey {
  /** A label that says what the key is for, 1 to 200 characters. */
  label: string;
  /** The scopes of the key; each must be a scope of its parent. */
  scopes: Scope[];
  /** The services that the key may use; an empty list allows none. */
  allowedServices?: string[] | undefined;
  /** Allows all services available now except these; stored as an allowlist. */
  excludedServices?: string[] | undefined;
  /** Selectors that the key may call, e.g. `projects.list`; aggregates are expanded at creation. */
  allowedOperations?: string[] | undefined;
  /** Allows the parent's selectors, except these. */
  excludedOperations?: string[] | undefined;
  /** When the key expires: at most 365 days ahead, or 90 with wallets:sign, wallets:transact, approvals:write or trading:execute. */
  expiresAt?: Timestamp | undefined;
  /** Limits by selector; `*` matches every authenticated operation. */
  limits?: Record<string, LimitInput> | undefined;
  /** Id of a project to bind the key and all its descendants to. */
  projectId?: string | null | undefined;
  /** Your id of an end user to bind the key and all its descendants to. */
  endUser?: string | null | undefined;
  /** The privacy tier; by default the parent's. It can't be looser than the parent's. */
  privacyTier?: PrivacyTier | undefined;
}

export interface CreateApiKeyResponse {
  apiKey: ApiKey;
  /** The bearer key. Shown once; only its hash is stored. */
  secret: string;
}

export interface CreateApproval {
  /** Id of the service. */
  serviceId: string;
  /** The operation that requires an approval; `GET /capabilities/{serviceId}` says which operations do. */
  operationId: string;
  /** The exact input with which the operation will be called. */
  input: unknown;
  /** The reason, for the approvers. */
  reason?: string | null | undefined;
  /** The required number of distinct approvers. */
  requiredApprovals?: number | undefined;
  /** The seconds after which the approval can be neither decided nor used. One day by default. */
  expiresInSeconds?: number | undefined;
}

export interface CreateConnection {
  /** A name for people, 1 to 200 characters. */
  label: string;
  /** The outside system that the connection is for, in your own words. */
  provider: string;
  authType: ConnectionAuthType;
  /** The key, token, password or client secret. Stored sealed; never shown again. */
  secret: string;
  /** The hosts that the secret may be sent to: `host` (any port), `host:port`, or `*.domain.tld` for every host below a domain. */
  allowedHosts: string[];
  /** With `api_key` only; by default `X-API-Key`. */
  headerName?: string | undefined;
  /** Required with `basic`; not allowed with other auth types. */
  username?: string | undefined;
  /** Required with `oauth2_client`; not allowed with other auth types. */
  clientId?: string | undefined;
  /** The address that access tokens are fetched from (RFC 6749, 4.4). Its host must be in `allowedHosts`. */
  tokenUrl?: string | undefined;
  /** The OAuth 2.0 scopes to request. */
  tokenScopes?: string[] | undefined;
  /** When the connection expires. By default it does not. */
  expiresAt?: Timestamp | undefined;
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateDatabaseTransfer {
  /** `export` or `import`. */
  direction: TransferDirection;
  /** For an import: true to check the archive and compare it without applying it. */
  dryRun?: boolean | undefined;
}

export interface CreateProject {
  /** The project's name, 1 to 200 characters. */
  name: string;
  /** Short name for URLs, unique in the account. By default derived from the name. */
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
  /** The approval of exactly this input, if the operation requires one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, if it uses one. */
  connectionId?: string | undefined;
  /** The maximum number of attempts. */
  maxAttempts?: number | undefined;
  /** The seconds after which the run expires, if it has not ended. */
  expiresInSeconds?: number | undefined;
  /** The time of the start, at most a year ahead; by default now. Until then the run is `queued`, reserves no credits and does not count as live; `expiresInSeconds` counts from this time. */
  startAt?: Timestamp | undefined;
  /** Tags for filters, up to 10 of 1 to 64 characters. */
  tags?: string[] | undefined;
  /** The priority among the account's runs that wait for a worker, -10 to 10: each point counts as a minute of waiting. It does not delay other accounts' runs. */
  priority?: number | undefined;
  /** Up to 3 keys, each of which limits the number of concurrent runs: the run is `queued` until all of them have a free slot. A key is shared by all services within account, project and end user. */
  concurrency?: CreateRunConcurrencyItem[] | undefined;
  debounce?: CreateRunDebounce | undefined;
}

export interface CreateRunConcurrencyItem {
  /** Your own text, 1 to 200 characters. */
  key: string;
  /** The maximum number of concurrent runs with this key, 1 to 1,000; the newest run's value counts. */
  limit: number;
  hold?: ConcurrencyHold | undefined;
}

/** Starts one run for all calls with this key, after a quiet period. The last call replaces the earlier ones, their caller included. Calls with the same key belong together if operation, account, project and end user are the same. */
export interface CreateRunDebounce {
  /** Your own text, 1 to 200 characters. */
  key: string;
  /** The seconds without a further call after which the run starts, 1 to 86,400. */
  seconds: number;
  /** The seconds after which the run starts even if further calls arrive, at most 2,592,000. */
  maxSeconds?: number | undefined;
}

export interface CreateRunResponse {
  run: Run;
  /** Whether further calls with the same `debounce` key replace it until it starts. */
  debounced: boolean;
}

export interface CreateTradingOrder {
  /** The quote to execute, of `POST /trading/quotes`. */
  quoteId: string;
  /** Your own id of the order, unique among the wallet's orders. */
  clientReference?: string | undefined;
}

export interface CreateTradingQuote {
  /** The wallet that pays and receives. */
  walletId: string;
  /** The trading pair, base asset first, e.g. `ETH-USD`. */
  symbol: string;
  side: OrderSide;
  type: OrderType;
  /** The amount of the base asset, in whole units. */
  quantity: string;
  /** The worst average price, in USD per unit. Required for limit orders, not allowed for others. */
  limitPrice?: string | undefined;
  /** By default `gtc` for limit orders, `ioc` for market orders. */
  timeInForce?: TimeInForce | undefined;
  /** When a `gtd` order ends; not allowed for others. */
  expiresAt?: Timestamp | undefined;
  /** The maximum slippage of a market order, in basis points (1/100 percent); 50 by default. */
  slippageBps?: number | undefined;
}

export interface CreateWallet {
  /** A label for people, 1 to 200 characters. */
  label: string;
  /** The wallet's policy. By default everything is allowed without an approval. */
  policy?: WalletPolicyChanges | undefined;
  /** The end user to whom the wallet belongs, by your own id; by default the end user of the call. */
  endUser?: string | null | undefined;
}

export interface CreateWalletSignature {
  /** The quote to execute, once, within its 60 seconds. */
  quoteId: string;
}

export interface CreateWalletTransaction {
  /** The quote to execute, once, within its 60 seconds. */
  quoteId: string;
  /** Your own reference, unique for ever among the wallet's transactions of all keys. */
  clientReference?: string | undefined;
}

export interface CreateWebhook {
  /** A public `https:` address. */
  url: string;
  /** The events to send: `*`, event names, or groups such as `run.*`. */
  events: string[];
  /** What the webhook is for. */
  description?: string | null | undefined;
  /** Conditions: only events whose body meets all of them are sent; null for no conditions. */
  filter?: WebhookConditionInput[] | null | undefined;
  /** `thin` sends the event's id, resource and status without `data`; your server reads the rest with its key. */
  payload?: WebhookPayload | undefined;
  /** Custom headers for each attempt, by name. Values are stored sealed and never shown again. */
  headers?: Record<string, string> | undefined;
  /** Send this project's events only. */
  projectId?: string | undefined;
}

export interface CreateWebhookResponse {
  webhook: Webhook;
  /** The secret that signs deliveries. Shown once. */
  secret: string;
}

/** The result for one run of a batch. */
export interface CreatedRun {
  /** Whether the run was created. */
  ok: boolean;
  /** The run; null if it was refused. */
  run: Run | null;
  /** Whether further calls with the same `debounce` key replace it until it starts. */
  debounced: boolean;
  /** The error; null if the run was created. */
  error: CreatedRunError | null;
}

export interface CreatedRunError {
  /** The error code. */
  code: string;
  /** The error message. */
  message: string;
  /** The faulty fields; empty if the run was refused for another reason. */
  issues: ErrorIssue[];
  /** The seconds after which another request may succeed; only if a limit refused the run. */
  retryAfterSeconds: number | null;
}

/** A charge used up the balance. */
export type CreditsExhaustedEvent = EventEnvelope & {
  type: "credits.exhausted";
  data: CreditsExhaustedEventData;
};

export interface CreditsExhaustedEventData {
  balance: Balance;
}

/** A charge took the balance below its threshold. */
export type CreditsLowEvent = EventEnvelope & {
  type: "credits.low";
  data: CreditsLowEventData;
};

export interface CreditsLowEventData {
  balance: Balance;
}

/** Credits were bought or granted. */
export type CreditsToppedUpEvent = EventEnvelope & {
  type: "credits.topped_up";
  data: CreditsToppedUpEventData;
};

export interface CreditsToppedUpEventData {
  balance: Balance;
  /** The number of added credits. */
  creditedCredits: number;
  /** The id of the receipt in the ledger. */
  receiptId: ReceiptId;
}

export interface CurrentApiKeyResponse {
  apiKey: ApiKey;
  account: CurrentApiKeyResponseAccount;
}

/** The account that the key belongs to. */
export interface CurrentApiKeyResponseAccount {
  id: AccountId;
  /** The account's name. */
  name: string;
}

/** The account's own PostgreSQL database. */
export interface Database {
  /** `absent` before it is provisioned, and after it was deprovisioned. */
  status: "absent" | "provisioning" | "ready" | "deprovisioning";
  /** The size on disk, in bytes. */
  sizeBytes: number;
  limits: DatabaseLimits;
  /** Its tables, by name. */
  tables: DatabaseTable[];
  /** Its views, by name. */
  views: DatabaseView[];
  /** Its functions, by name and arguments. */
  functions: DatabaseFunction[];
  /** False if there is more than one answer can hold: `tables`, `views` or `functions` then lack the last ones. */
  complete: boolean;
  /** When it was provisioned; null while it is absent. */
  createdAt: Timestamp | null;
}

/** A change of the account's database. */
export type DatabaseAction = DatabaseActionSql | DatabaseActionTableCreate | DatabaseActionTableDrop | DatabaseActionRowsInsert | DatabaseActionRowsUpsert | DatabaseActionRowsUpdate | DatabaseActionRowsDelete;

/** The result of an action. */
export interface DatabaseActionResult {
  /** The action's type. */
  type: string;
  /** The number of changed or returned rows; null for an action that is not about rows. */
  rowCount: number | null;
  /** PostgreSQL's command tag of a `sql` action, e.g. `DELETE` or `CREATE TABLE`. */
  command?: string | undefined;
  /** The columns of the returned rows. */
  columns?: ResultColumn[] | undefined;
  /** The returned rows, in column order. */
  rows?: unknown[][] | undefined;
}

export interface DatabaseActionRowsDelete {
  /** Deletes rows. */
  type: "rows.delete";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
  /** Column → value; selects the rows that have all these values. `null` matches NULL. */
  where: Record<string, unknown>;
  /** The number of rows that the action has to change or return. If it is another, for instance because somebody changed a row meanwhile, all actions are rolled back: 409 `state_conflict`. */
  expectedRows?: number | undefined;
}

export interface DatabaseActionRowsInsert {
  /** Inserts rows. */
  type: "rows.insert";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
  /** The rows, column → value; an omitted column gets its default. */
  rows: (Record<string, unknown>)[];
}

export interface DatabaseActionRowsUpdate {
  /** Changes rows. */
  type: "rows.update";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
  /** Column → new value. */
  set: Record<string, unknown>;
  /** Column → value; selects the rows that have all these values. `null` matches NULL. */
  where: Record<string, unknown>;
  /** The number of rows that the action has to change or return. If it is another, for instance because somebody changed a row meanwhile, all actions are rolled back: 409 `state_conflict`. */
  expectedRows?: number | undefined;
}

export interface DatabaseActionRowsUpsert {
  /** Inserts rows, or updates existing ones. */
  type: "rows.upsert";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
  /** The rows, column → value. */
  rows: (Record<string, unknown>)[];
  /** The columns of a unique key by which existing rows are found. */
  conflictColumns: string[];
}

export interface DatabaseActionSql {
  /** Runs a statement. */
  type: "sql";
  /** One statement, with `$1`, `$2`, … for its parameters. */
  sql: string;
  /** The values of `$1`, `$2`, …, in the same form as values in result rows. */
  params?: unknown[] | undefined;
  /** The number of rows that the action has to change or return. If it is another, for instance because somebody changed a row meanwhile, all actions are rolled back: 409 `state_conflict`. */
  expectedRows?: number | undefined;
}

export interface DatabaseActionTableCreate {
  /** Creates a table. */
  type: "table.create";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
  /** Its columns, in order. */
  columns: DatabaseActionTableCreateColumn[];
  /** The columns of its primary key. */
  primaryKey?: string[] | undefined;
}

export interface DatabaseActionTableCreateColumn {
  /** A name in its exact case, without quotes and without `public.`. */
  name: string;
  /** The column's type, by its name in `pg_type`. */
  type: string;
  /** True if the column accepts NULL. */
  nullable?: boolean | undefined;
  /** The default value: an SQL expression such as `now()`, a number or a boolean. */
  default?: string | number | boolean | undefined;
}

export interface DatabaseActionTableDrop {
  /** Drops a table. */
  type: "table.drop";
  /** A name in its exact case, without quotes and without `public.`. */
  table: string;
}

/** A column of a table. */
export interface DatabaseColumn {
  /** The column's name. */
  name: string;
  /** Its type with its modifiers, e.g. `numeric(12,2)`. */
  type: string;
  /** True if the column accepts NULL. */
  nullable: boolean;
  /** The SQL expression of its default; null without one. */
  default: string | null;
}

/** A comparison of the archive's tables with the database's. */
export interface DatabaseDifference {
  /** Every table of the archive or the database. */
  tables: DatabaseDifferenceTable[];
}

export interface DatabaseDifferenceTable {
  /** The table's name. */
  name: string;
  /** Whether the table is in the archive, in the database, or in both. */
  change: "added" | "missing" | "kept";
  /** The number of rows in the archive; null if the table is not there. */
  archiveRows: number | null;
  /** The number of rows in the database; null if the table is not there. */
  databaseRows: number | null;
}

/** `database.provisioned`: The account got its database. `database.deprovisioned`: The account's database was removed. */
export type DatabaseEvent = EventEnvelope & {
  type: "database.provisioned" | "database.deprovisioned";
  data: DatabaseEventData;
};

export interface DatabaseEventData {
  database: Database;
}

/** A foreign key of a table. */
export interface DatabaseForeignKey {
  /** The constraint's name. */
  name: string;
  /** The columns that refer to a row, in order. */
  columns: string[];
  /** The table of that row. */
  table: string;
  /** The columns that they equal there, in the same order. */
  referencedColumns: string[];
}

/** A function of the account's database. */
export interface DatabaseFunction {
  /** The function's name, without `public.`. */
  name: string;
  /** Its kind. */
  kind: "function" | "procedure" | "aggregate" | "window";
  /** Its arguments with their names, types and defaults, as SQL writes them. */
  arguments: string;
  /** The type of its result; null for a procedure. */
  returns: string | null;
  /** The language that it is written in. */
  language: string;
}

/** An index of a table. */
export interface DatabaseIndex {
  /** The index's name. */
  name: string;
  /** The indexed columns or expressions, in order. */
  columns: string[];
  /** True if the index is unique. */
  unique: boolean;
  /** The SQL statement that creates the index. */
  definition: string;
}

/** The limits of the database. */
export interface DatabaseLimits {
  /** The maximum size of the database in bytes. A transaction that exceeds it is rolled back: at its end, or while it writes, since the size is checked four times a second. */
  maximumBytes: number;
  /** How many statements run at the same time; further ones wait up to 5 s, then get 429. */
  connections: number;
  /** The maximum number of rows in one response. */
  maximumRows: number;
  /** The maximum size of one response to a query in bytes. */
  maximumAnswerBytes: number;
  /** The maximum size of the rows that a call's actions return, in bytes: they are stored for its repeats. */
  maximumActionAnswerBytes: number;
  /** The maximum size of a result over all its pages, in bytes. */
  maximumResultBytes: number;
  /** The maximum run time of a statement, in milliseconds. */
  maximumTimeoutMs: number;
}

/** A table of the account's database. */
export interface DatabaseTable {
  /** The table's name, without `public.`. */
  name: string;
  /** Its columns, in order. */
  columns: DatabaseColumn[];
  /** The columns of its primary key; empty without one. */
  primaryKey: string[];
  /** Its foreign keys, by name. */
  foreignKeys: DatabaseForeignKey[];
  /** The table's indexes, including the primary key's. */
  indexes: DatabaseIndex[];
  /** PostgreSQL's estimate of the number of rows. */
  rowEstimate: number;
  /** The size on disk with its indexes, in bytes. */
  sizeBytes: number;
}

/** An export or import of the account's database. */
export interface DatabaseTransfer {
  id: TransferId;
  /** `export` copies the database into an archive; `import` loads an archive into the database. */
  direction: TransferDirection;
  /** An import goes from `pending` through `uploading`, `validating` and `applying` to `completed`; an export from `building` to `ready`. */
  status: "pending" | "uploading" | "validating" | "applying" | "completed" | "building" | "ready" | "failed" | "cancelled" | "expired";
  /** True if the import only checks and compares the archive. */
  dryRun: boolean;
  /** The comparison of a completed dry run; otherwise null. */
  difference: DatabaseDifference | null;
  /** The uploaded parts of an import, by number. */
  parts: DatabaseTransferPart[];
  /** The archive of an export that is ready; otherwise null. */
  archive: DatabaseTransferArchive | null;
  /** Why the transfer failed; otherwise null. */
  error: DatabaseTransferError | null;
  /** When the transfer expires, or its archive is deleted. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
}

export interface DatabaseTransferArchive {
  /** The archive's size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

export interface DatabaseTransferError {
  /** Machine-readable code of the fault. */
  code: string;
  /** Human-readable description of the fault. */
  message: string;
  /** The archive entry with the fault; null if it concerns no entry. */
  entry: string | null;
}

/** `database.transfer.completed`: An export is ready, or an import was applied. `database.transfer.failed`: An export or an import failed. */
export type DatabaseTransferEvent = EventEnvelope & {
  type: "database.transfer.completed" | "database.transfer.failed";
  data: DatabaseTransferEventData;
};

export interface DatabaseTransferEventData {
  transfer: DatabaseTransfer;
}

/** An uploaded part of an archive. */
export interface DatabaseTransferPart {
  /** The part's number in the archive, from 1. */
  partNumber: number;
  /** The part's size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** A view of the account's database. */
export interface DatabaseView {
  /** The view's name, without `public.`. */
  name: string;
  /** True if its rows are stored until it is refreshed. */
  materialized: boolean;
  /** Its columns, in order. */
  columns: DatabaseColumn[];
  /** PostgreSQL's estimate of the number of stored rows; null if the view stores none. */
  rowEstimate: number | null;
  /** The size on disk with its indexes, in bytes; 0 if the view stores no rows. */
  sizeBytes: number;
}

export interface DecideApproval {
  /** The decision. */
  decision: Decision;
  /** The reason for the decision. */
  reason?: string | null | undefined;
  /** The `payloadHash` of the approval as it was shown; the decision counts only for this payload. */
  payloadHash: string;
}

export type Decision = "approve" | "reject";

/** Id of the delivery (TypeID, `del_…`). */
export type DeliveryId = string;

/** The status: `failed` after the last attempt; `abandoned` if the webhook was disabled before that. */
export type DeliveryStatus = "pending" | "succeeded" | "failed" | "abandoned";

export interface DeprovisionDatabaseResponse {
  database: Database;
  /** The export that keeps its contents, for seven days; null if it was empty. */
  finalTransferId: TransferId | null;
}

/** Why the request failed. */
export interface ErrorBody {
  code: ErrorCode;
  /** Human-readable message: what is wrong and how to fix it. */
  message: string;
  /** The HTTP status. */
  status: number;
  /** The id of this request. */
  requestId: RequestId;
  /** Address of the documentation page of the code. */
  docUrl: string;
  /** Whether the same call can succeed later without a change. */
  retryable: boolean;
  /** Seconds to wait before trying again. */
  retryAfterSeconds?: number | undefined;
  /** How far the call got. `not_started`: nothing happened, the same call may be sent again. */
  operationState: "not_started" | "in_progress" | "completed" | "unknown";
  /** All faults of an invalid request. */
  issues?: ErrorIssue[] | undefined;
  /** The access check that failed. */
  check?: AccessCheck | undefined;
  /** The highest key of the delegation chain that failed the check. */
  keyId?: ApiKeyId | undefined;
  limit?: ErrorLimit | undefined;
  /** SQLSTATE of a fault in the submitted SQL. */
  sqlState?: string | undefined;
  /** Position of the fault in the submitted SQL, as a character number. */
  position?: number | undefined;
}

/** Machine-readable error code. */
export type ErrorCode = "invalid_request" | "invalid_json" | "idempotency_key_required" | "idempotency_key_invalid" | "credential_in_url" | "credential_in_body" | "unauthenticated" | "api_key_expired" | "api_key_revoked" | "ancestor_expired" | "ancestor_revoked" | "signature_invalid" | "credit_token_invalid" | "payment_required" | "insufficient_credits" | "scope_missing" | "service_not_allowed" | "operation_not_allowed" | "project_not_allowed" | "end_user_not_allowed" | "delegation_exceeds_parent" | "policy_denied" | "approval_required" | "quota_exceeded" | "not_found" | "method_not_allowed" | "length_required" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "idempotency_in_progress" | "state_conflict" | "already_exists" | "settlement_pending" | "quote_expired" | "cursor_expired" | "callback_over" | "operation_sunset" | "checksum_mismatch" | "payment_invalid" | "query_limit_exceeded" | "limit_exhausted" | "service_rate_limited" | "internal" | "service_failed" | "service_unavailable" | "service_timeout";

/** A faulty field of a request. */
export interface ErrorIssue {
  /** The location of the fault: `body.name`, `query.limit`, `header.x-file-name`. */
  path: string;
  /** The fault of this field. */
  message: string;
}

/** The limit that refused the call. */
export interface ErrorLimit {
  /** The operation or selector that the limit applies to. */
  operation: string;
  /** The kind of limit: requests per minute, concurrent requests, or credits per UTC day. */
  kind: "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
  /** The key whose limit was exhausted: the calling key or one of its ancestors. */
  keyId: ApiKeyId;
  /** The limit's value, in requests or credits. */
  limit: number;
  /** When the limit allows a call again; null for `maxConcurrent`. */
  resetAt: Timestamp | null;
}

/** A condition on an event. */
export interface EventCondition {
  /** The path of the field in the event. */
  path: string;
  /** The comparison, as in webhooks' filters. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite. In your own events and in deliveries, `gt`, `gte`, `lt` and `lte` also compare texts by the order of their characters, if the value is a text that is not a decimal. */
  op: ConditionOperator;
  /** The value to compare with; a list with `in`. Numbers, and decimals in texts, are compared exactly by their value. */
  value?: unknown;
}

/** The fields of every event beside `type` and `data`. `data`: the resource at the time of the event; if larger than 20 KB, only `id`, `status` and `truncated: true`. */
export interface EventEnvelope {
  /** The event's id, the same in every attempt and replay. */
  id: WebhookEventId;
  /** When the event happened. */
  timestamp: Timestamp;
  /** The API version of the event's format. */
  apiVersion: "v1";
  /** The event's number among all events of the same resource; a lower number is older. */
  sequence: number;
  /** The project of the event's resource; null if it has none. */
  projectId: ProjectId | null;
}

export interface ExecuteSwap {
  /** The quote of a swap, at most 60 seconds old and not used before. */
  quoteId: string;
}

/** An uploaded file. */
export interface File {
  id: FileId;
  /** The file's name, as uploaded. */
  name: string;
  /** The media type that the uploader declared; it is not verified. */
  mediaType: string;
  /** The file's size in bytes. */
  sizeBytes: number;
  /** SHA-256 of the file's bytes, in hex. */
  sha256: string;
  /** The file's purpose, in your own words; null if none was sent. */
  purpose: string | null;
  projectId: ProjectId | null;
  /** Your own id of the end user that the file belongs to; null if none. */
  endUser: string | null;
  createdAt: Timestamp;
  /** An address that returns the bytes without a key, for 15 minutes, while the caller may call `files.read`; null if they may not, in events, and after deletion. */
  downloadUrl: string | null;
  /** When `downloadUrl` expires. */
  downloadUrlExpiresAt: Timestamp | null;
}

/** `file.created`: A file was uploaded. `file.deleted`: A file was deleted. */
export type FileEvent = EventEnvelope & {
  type: "file.created" | "file.deleted";
  data: FileEventData;
};

export interface FileEventData {
  file: File;
}

/** Id of the file (TypeID, `file_…`). */
export type FileId = string;

export type ForgetRun = Record<string, never>;

/** A component that the platform needs. */
export interface HealthCheck {
  /** The component's name. */
  name: string;
  /** True if the component responded. */
  ok: boolean;
  /** The response time in milliseconds; null if it did not respond. */
  durationMs: number | null;
  /** The fault of the component; null if there is none. */
  message: string | null;
}

/** `ok` if every component responded; `degraded` if only some calls lack a component they need. */
export type HealthStatus = "ok" | "degraded" | "unavailable";

/** The address for a provider's deliveries, and their signature. */
export interface InboundWebhook {
  /** How the provider signs: by Standard Webhooks (`standard`, as Svix, Clerk, Resend and this platform do), as Stripe, GitHub, Slack or Shopify do, with the hex or base64 of an HMAC-SHA256 of the body in a header (`hmac_sha256`), or not at all (`none`): then the address is the only secret. */
  scheme: "standard" | "stripe" | "github" | "slack" | "shopify" | "hmac_sha256" | "none";
  headerName: string | null;
  /** The maximum number of deliveries per minute; further ones get 429. */
  requestsPerMinute: number;
  /** The address for deliveries by POST. Everybody who knows it may deliver, so it is null for callers who lack `runs:write` or may not change the trigger, in events and in runs. */
  address: string | null;
  /** The time until which the address before the last rotation accepts deliveries; null if there is none. */
  previousAddressUntil: Timestamp | null;
  /** A fingerprint that is equal for equal secrets of the account; it does not reveal them. */
  secretFingerprint: string | null;
  /** The number of deliveries refused with 401, because of their signature or its time. */
  rejectedDeliveries: number;
}

export interface InvokeService {
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input; `GET /capabilities/{serviceId}` has its schema. */
  input: unknown;
  /** The approval of exactly this input, if the operation requires one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, if it uses one. */
  connectionId?: string | undefined;
}

export interface InvokeServiceResponse {
  /** The service that was invoked. */
  serviceId: string;
  /** The operation that was invoked. */
  operationId: string;
  /** The status that the service reported. */
  upstreamStatus: number;
  /** The operation's result; the capability describes its schema. */
  result: unknown;
  /** The credits charged for the call. */
  chargedCredits: number;
}

/** A change of the account's credits. */
export interface LedgerEntry {
  id: ReceiptId;
  at: Timestamp;
  kind: LedgerEntryKind;
  /** The description. */
  description: string;
  /** The change in credits; negative for a charge. */
  amount: number;
  /** The total after the change. */
  balanceAfter: number;
  /** The exact selector of the charged operation. */
  operation: string | null;
  /** The charged request. */
  requestId: string | null;
  projectId: ProjectId | null;
  /** The address of a purchase's signed receipt; null for other changes. */
  receiptUrl: string | null;
}

/** The kind of change. */
export type LedgerEntryKind = "grant" | "purchase" | "adjustment" | "usage";

export interface Limit {
  /** Calls admitted in any 60 seconds. */
  requestsPerMinute?: number | undefined;
  /** Calls that may run at the same time. */
  maxConcurrent?: number | undefined;
  /** Credits that may be charged on a UTC day; only for operations that cost credits. */
  creditsPerDay?: number | undefined;
}

export interface LimitInput {
  /** Calls admitted in any 60 seconds. */
  requestsPerMinute?: number | undefined;
  /** Calls that may run at the same time. */
  maxConcurrent?: number | undefined;
  /** Credits that may be charged on a UTC day; only for operations that cost credits. */
  creditsPerDay?: number | undefined;
}

/** How many items match the filters; only if the request has `total=include`. */
export interface ListTotal {
  /** How many items there are on all pages, counted up to 1000. */
  count: number;
  /** Whether there are more than `count`. */
  more: boolean;
}

export interface ListTradingMarketResponseMarket {
  /** The trading pair, base asset first, e.g. `ETH-USD`. */
  symbol: string;
  /** The chain on which it is traded. */
  network: Network;
  /** The value of one unit now; null without a price that can be relied on. */
  priceUsd: string | null;
  /** The average of the last 30 minutes. */
  averageUsd: string | null;
  /** When that was seen. */
  observedAt: Timestamp | null;
}

export interface ListTradingPriceResponsePrice {
  /** When it was seen. */
  at: Timestamp;
  /** The value of one unit. */
  priceUsd: string;
}

/** The average prices of orders of several sizes. */
export interface MarketDepth {
  /** The trading pair, base asset first, e.g. `ETH-USD`. */
  symbol: string;
  /** The current price of one unit in USD; null if there is no reliable price. */
  priceUsd: string | null;
  /** One entry per order size, the smallest first; empty if there is no price. */
  levels: MarketDepthLevel[];
  /** When the pools were read. */
  observedAt: Timestamp;
}

export interface MarketDepthLevel {
  /** The value of `quantity` at `priceUsd`, in USD. */
  sizeUsd: string;
  /** The quantity of the base asset, in whole units. */
  quantity: string;
  /** The average price of a unit if `quantity` is bought, in USD, including the pools' fees; null if the pools hold too little. */
  buyPrice: string | null;
  /** The average price of a unit if `quantity` is sold, in USD, after the pools' fees; null if the pools hold too little. */
  sellPrice: string | null;
}

/** Id of the member (TypeID, `mbr_…`). */
export type MemberId = string;

/** The chain (CAIP-2). */
export type Network = string;

/** Pass it as `cursor` for the next page; null at the end. */
export type NextCursor = string | null;

/** An order to buy or sell from a wallet. */
export interface Order {
  id: OrderId;
  /** The quote that the order executes. */
  quoteId: QuoteId;
  /** Your own id of the order, unique among the wallet's orders; null if none. */
  clientReference: string | null;
  /** The wallet that pays and receives. */
  walletId: WalletId;
  /** The CAIP-2 id of the chain that it trades on. */
  network: string;
  /** The trading pair, base asset first, e.g. `ETH-USD`. */
  symbol: string;
  side: OrderSide;
  type: OrderType;
  /** The amount of the base asset, in whole units. */
  quantity: string;
  /** The worst average price of a limit order. */
  limitPrice: string | null;
  timeInForce: TimeInForce;
  status: OrderStatus;
  /** The filled part of the quantity. */
  filledQuantity: string;
  /** The average price of the fills; null without any. */
  averagePrice: string | null;
  /** The fees of the order's fills. */
  fees: OrderFee[];
  /** The trades that filled it, the oldest first. */
  fills: OrderFill[];
  /** The reason why it failed; null if it succeeded or has not ended. */
  failure: WalletFailure | null;
  /** The approval that it waits for, or waited for. */
  approvalId: ApprovalId | null;
  /** The charged credits; 0 before the first trade. */
  chargedCredits: number;
  /** The project of the wallet. */
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When the order ends; null for an order that is executed at once. */
  expiresAt: Timestamp | null;
  /** The time when it ended, with any status. */
  endedAt: Timestamp | null;
}

export interface OrderFee {
  /** `venue` fees are included in the price; `network` fees were paid in addition. */
  type: string;
  /** `native`, or the token's address. */
  asset: string;
  /** A decimal string. */
  amount: string;
}

/** A trade on the chain that filled an order, or a part of it. */
export interface OrderFill {
  /** The executed price per unit in USD, with the venue's fees. */
  price: string;
  /** The executed quantity of the base asset, in whole units. */
  quantity: string;
  /** When the platform recorded the fill. */
  at: Timestamp;
  /** The hash of the transaction. */
  transactionHash: string;
}

/** Id of the order (TypeID, `ord_…`). */
export type OrderId = string;

/** Whether the base asset is bought or sold. */
export type OrderSide = "buy" | "sell";

/** `pending` (to be executed at once) or `open` (waits for its price), after `awaiting_approval` if the policy requires an approval; `partially_filled`; then `filled`, `cancelled`, `expired` or `rejected`. A fill that a reorganisation removes is gone until it is mined again; meanwhile the order is open. */
export type OrderStatus = "pending" | "awaiting_approval" | "open" | "partially_filled" | "filled" | "cancelled" | "expired" | "rejected";

/** `market`: at the current price, within the slippage. `limit`: at `limitPrice` or better. */
export type OrderType = "market" | "limit";

/** `nextCursor` of the previous page. Valid only with the filters and the order of the request that returned it. */
export type PageCursor = string;

/** The maximum number of items in the page, 1 to 100. */
export type PageLimit = number;

/** `include`: the answer has `total`, the number of items. */
export type PageTotal = "include";

/** Only entries before this moment. ISO 8601, UTC. */
export type PeriodEnd = string;

/** Only entries of this moment or later. ISO 8601, UTC. */
export type PeriodStart = string;

/** The decision of the wallet's policy now. It is made again at execution. */
export interface PolicyDecision {
  /** `allow`: execution starts at once. `approval`: people decide first. `deny`: execution gets 403 `policy_denied`. */
  decision: "allow" | "approval" | "deny";
  /** Human-readable reasons of the decision. */
  reasons: string[];
}

/** A wallet's holding from its orders, at average cost. A position that was sold completely stays in the list. */
export interface Position {
  walletId: WalletId;
  /** The trading pair, base asset first, e.g. `ETH-USD`. */
  symbol: string;
  /** The quantity that orders bought and have not sold, in whole units of the base asset. */
  quantity: string;
  /** The average cost per unit, in USD; null for an empty position. */
  averageEntryPrice: string | null;
  /** The current price per unit, in USD; null without a reliable price. */
  marketPrice: string | null;
  /** The position's current value in USD; null without a reliable price. */
  marketValueUsd: string | null;
  /** The current value minus the cost, in USD; null without a reliable price. */
  unrealizedPnlUsd: string | null;
  /** The proceeds of sales minus the cost of the sold quantity, in USD. */
  realizedPnlUsd: string;
  /** When the market price was read. */
  asOf: Timestamp;
  /** The project of the wallet. */
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
}

export interface PrepareSwap {
  /** The address of the external wallet that will sign and send the steps. */
  sender: string;
  /** The address that receives the output; by default the sender. */
  recipient?: string | undefined;
  /** The input of the swap. */
  from: SwapInput;
  /** The output of the swap. */
  to: SwapOutput;
  /** The maximum slippage in basis points (1/100 percent), 0 to 5000. */
  slippageBps?: number | undefined;
}

/** The steps of a swap for an external wallet. */
export interface PreparedSwap {
  /** The route's id, for `GET /swaps/routes/{routeId}`. */
  routeId: RouteId;
  /** The transactions to sign and send in this order, each after the previous one was mined. */
  steps: SwapStep[];
  /** The minimum output, in whole units. */
  minimumReceived: string;
  /** When the last step expires. If it is not sent before, nothing is lost. */
  expiresAt: Timestamp;
}

/** The price of a call, in credits. */
export interface Price {
  /** The unit of the price. `call` is an exact charge; any other unit is charged up to `maximum`. */
  unit: string;
  /** The credits for one unit. */
  credits: number;
  /** The maximum charge for one call, in credits; it is held while the call runs. */
  maximum: number;
}

/** The price of every operation, and the platform's limits. */
export interface Pricing {
  /** The time of this response. */
  asOf: Timestamp;
  /** The version of this price list; every charge in the ledger names it. */
  version: string;
  /** The number of credits for one US dollar. */
  creditsPerUsd: number;
  limits: PricingLimits;
  /** The services with their prices. */
  services: PricingService[];
}

/** The limits of requests and resources. */
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

/** Limits of managed agents. */
export interface PricingLimitsAgents {
  /** The maximum length of an agent's input, in characters. */
  maximumInputCharacters: number;
  /** The maximum length of its instructions, in characters. */
  maximumInstructionsCharacters: number;
  /** The maximum number of model calls. */
  maximumSteps: number;
  /** The maximum number of tokens of all model calls together. */
  maximumTokens: number;
  /** The maximum value of `maxCredits`. */
  maximumCredits: number;
  /** The maximum number of selectors in `tools`. */
  maximumSelectors: number;
  /** The maximum number of tool calls in one response of the model. */
  maximumToolCallsPerStep: number;
  /** The maximum size of a tool's result that the model gets, in bytes. */
  maximumToolResultBytes: number;
}

/** Limits of artifacts. */
export interface PricingLimitsArtifacts {
  /** The maximum number of days that an artifact is kept. */
  lifetimeDays: number;
}

/** Limits of managed events. */
export interface PricingLimitsEvents {
  /** The maximum size of an event's `data` as JSON, in bytes. */
  maximumDataBytes: number;
  /** How long, in seconds, an event is kept for steps that begin to wait for it later. */
  keptSeconds: number;
  /** The maximum number of events of which a step waits for the first. */
  maximumAwaited: number;
  /** The maximum number of conditions on one event. */
  maximumConditions: number;
  /** The maximum size of these conditions as JSON, in bytes. */
  maximumConditionsBytes: number;
  /** The maximum number of waits of an account's runs for one of the platform's events. */
  maximumWaitsPerEvent: number;
}

/** Limits of files. */
export interface PricingLimitsFiles {
  /** The maximum size of a file, in bytes. */
  maximumBytes: number;
  /** The maximum length of a file's name, in characters. */
  maximumNameCharacters: number;
}

/** Limits of managed memory. */
export interface PricingLimitsMemory {
  /** The maximum size of a memory's content, in bytes. */
  maximumContentBytes: number;
  /** The maximum number of tags of a memory. */
  maximumTags: number;
  /** The maximum length of a tag, in characters. */
  maximumTagCharacters: number;
  /** The maximum length of a search, in characters. */
  maximumQueryCharacters: number;
  /** The maximum size of all contents in one response, in bytes. */
  maximumAnswerBytes: number;
}

/** Limits of every request. */
export interface PricingLimitsRequests {
  /** The maximum size of a JSON body, in bytes. */
  maximumJsonBytes: number;
  /** The maximum number of values in a body: objects, lists, strings, numbers, booleans and nulls. */
  maximumJsonValues: number;
  /** The maximum number of fields of one object. */
  maximumJsonFields: number;
  /** The maximum nesting of objects and lists. */
  maximumJsonDepth: number;
}

/** Limits of runs. */
export interface PricingLimitsRuns {
  /** The maximum number of entries of a run's timeline; a run that reaches it fails with `timeline_limit_exceeded`. */
  maximumTimelineEntries: number;
  /** The maximum of a run's `keptBytes`; a run that exceeds it fails with `size_limit_exceeded`. */
  maximumKeptBytes: number;
}

/** The account's storage budgets; writes beyond them get `quota_exceeded`. */
export interface PricingLimitsStorage {
  /** Bytes of all files, those being uploaded included. */
  filesBytes: number;
  /** Bytes of all artifacts, until they expire. */
  artifactsBytes: number;
  /** Bytes of parts and archives of all transfers, until they end or expire. */
  transfersBytes: number;
  /** Bytes of results that are stored for their cursors, 15 minutes each, and of long pages until they are read. */
  resultsBytes: number;
  /** Bytes of the managed database. */
  databaseBytes: number;
  /** Bytes of runs: input, result, results of steps, and timeline. Forgetting an ended run frees its bytes. */
  runsBytes: number;
  /** Bytes of the events and inbound deliveries of the last 31 days. */
  eventsBytes: number;
  /** Bytes of all memories. */
  memoriesBytes: number;
  /** Bytes of all stored versions of workflows. */
  workflowsBytes: number;
}

/** The limits of exports and imports of a managed database. */
export interface PricingLimitsTransfers {
  /** The maximum size of a part, in bytes. */
  maximumPartBytes: number;
  /** The maximum number of parts of an archive. */
  maximumParts: number;
  /** The maximum size of an archive, in bytes. */
  maximumArchiveBytes: number;
  /** For how many days an import can be continued, and an archive be downloaded. */
  lifetimeDays: number;
}

/** Limits of managed triggers. */
export interface PricingLimitsTriggers {
  /** The maximum number of triggers of an account. */
  maximumTriggers: number;
  /** The maximum number of times in one backfill. */
  maximumBackfill: number;
}

/** Limits of managed workflows. */
export interface PricingLimitsWorkflows {
  /** The maximum number of steps, nested ones included. */
  maximumSteps: number;
  /** The maximum nesting of steps. */
  maximumDepth: number;
  /** The maximum size of a workflow as JSON, in bytes. */
  maximumBytes: number;
  /** The maximum length of an expression, in characters. */
  maximumExpressionCharacters: number;
  /** The maximum number of items that a map step processes at a time. */
  maximumConcurrency: number;
  /** The maximum number of items of a map step. */
  maximumItems: number;
  /** The maximum number of branches of a parallel step. */
  maximumBranches: number;
  /** The maximum number of iterations of a while step. */
  maximumIterations: number;
  /** The maximum size of all outputs of a run's steps as JSON, in bytes. */
  maximumOutputBytes: number;
  /** The maximum number of stored workflows of a project, without archived ones. */
  maximumStoredWorkflows: number;
  /** The maximum size of a stored workflow with its input schema as JSON, in bytes. */
  maximumStoredBytes: number;
  /** The number of versions of a stored workflow that are kept, in addition to those of live runs. */
  keptVersions: number;
  /** The maximum depth of runs below a run, each waiting for the next. */
  maximumRunDepth: number;
}

export interface PricingService {
  /** Id of the service. */
  id: string;
  /** True if the service can be used now. */
  available: boolean;
  /** Why the service is not available; null if it is. */
  reason: string | null;
  /** The price of each of its operations. */
  operations: PricingServiceOperation[];
}

export interface PricingServiceOperation {
  /** The unit of the price. `call` is an exact charge; any other unit is charged up to `maximum`. */
  unit: string;
  /** The credits for one unit. */
  credits: number;
  /** The maximum charge for one call, in credits; it is held while the call runs. */
  maximum: number;
  /** Id of the operation within its service. */
  operationId: string;
}

/** The privacy tier, which decides how long request data is kept. */
export type PrivacyTier = "standard" | "private" | "strict";

/** A part of the account that keys and resources can be bound to. */
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
  status: ProjectStatus;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When the project was archived; null if it is active. */
  archivedAt: Timestamp | null;
}

/** `project.created`: A project was created. `project.updated`: A project was changed, or restored. `project.archived`: A project was archived. */
export type ProjectEvent = EventEnvelope & {
  type: "project.created" | "project.updated" | "project.archived";
  data: ProjectEventData;
};

export interface ProjectEventData {
  project: Project;
}

/** Id of the project (TypeID, `proj_…`). */
export type ProjectId = string;

/** The status. An archived project can't be changed, and keys that are bound to it can only read. */
export type ProjectStatus = "active" | "archived";

export interface QueryDatabase {
  /** One read-only statement, with `$1`, `$2`, … for its parameters. */
  sql: string;
  /** The values of `$1`, `$2`, …, in the same form as values in result rows. */
  params?: unknown[] | undefined;
  /** The maximum number of rows in the response, 1 to 10000; read the rest by `cursor`. */
  maxRows?: number | undefined;
  /** The time limit for all statements of the call together, 1 to 60000 ms. */
  timeoutMs?: number | undefined;
  /** `nextCursor` of the previous page, sent with the same `sql`, `params` and `rowMode`. */
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

/** The expected result of an action, and the policy's decision on it. A quote lives 60 seconds. */
export interface Quote {
  id: QuoteId;
  kind: QuoteKind;
  walletId: WalletId;
  /** The quoted request. */
  input: Record<string, unknown>;
  /** The expected amount to receive; null for sends and signatures. */
  expected: string | null;
  /** The minimum amount to receive; with less, the execution fails. Null for sends and signatures. */
  minimum: string | null;
  /** The fees that the execution would pay. */
  fees: QuoteFee[];
  /** The credits that the execution charges. */
  chargedCredits: number;
  policy: PolicyDecision;
  projectId: ProjectId | null;
  /** Your own id of the wallet's end user; null if none. */
  endUser: string | null;
  /** When the quote expires. Until then it can be executed once. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
}

/** A fee that the execution would pay. */
export interface QuoteFee {
  /** What the fee is for, e.g. `network`. */
  type: string;
  asset: Asset;
  /** A decimal string in whole units. */
  amount: string;
  /** The fee's value in USD; null without a price. */
  valueUsd: string | null;
}

/** Id of the quote (TypeID, `quo_…`). */
export type QuoteId = string;

/** The kind of action that is quoted. */
export type QuoteKind = "transaction" | "signature" | "order" | "swap";

export interface QuoteSwap {
  /** The wallet that pays the input and receives the output. */
  walletId: string;
  /** The input of the swap. */
  from: SwapInput;
  /** The output of the swap. */
  to: SwapOutput;
  /** The maximum slippage in basis points (1/100 percent), 0 to 5000. */
  slippageBps?: number | undefined;
}

export interface QuoteWalletSignature {
  kind: SignatureKind;
  /** The text, for `message`. */
  message?: string | undefined;
  typedData?: QuoteWalletSignatureTypedData | undefined;
}

/** The typed data, for `typed_data`. */
export interface QuoteWalletSignatureTypedData {
  domain: QuoteWalletSignatureTypedDataDomain;
  /** The structs, each with its fields in their order. */
  types: Record<string, QuoteWalletSignatureTypedDataTypeItem[]>;
  /** The struct that is signed. */
  primaryType: string;
  /** The values of the signed struct. Send integers beyond 2^53 as text. */
  message: Record<string, unknown>;
}

/** The domain of the signature; a field that is left out does not bind it. */
export interface QuoteWalletSignatureTypedDataDomain {
  /** The name of the contract or application. */
  name?: string | undefined;
  /** Its version. */
  version?: string | undefined;
  /** The EIP-155 id of the chain. */
  chainId?: number | string | undefined;
  /** The contract that verifies the signature. */
  verifyingContract?: string | undefined;
  /** A value that separates this domain from others. */
  salt?: string | undefined;
}

export interface QuoteWalletSignatureTypedDataTypeItem {
  /** The field's name. */
  name: string;
  /** The field's type. */
  type: string;
}

export interface QuoteWalletTransaction {
  network: Network;
  /** The recipient, or the called contract. */
  to: string;
  asset: Asset;
  /** The amount, in whole units of the asset; `0` for a call without a payment. */
  amount: string;
  /** The calldata; only with the native asset. */
  data?: string | undefined;
}

export interface ReadApiKeyResponse {
  apiKey: ApiKey;
  /** The key's ancestors, highest first. A calling key sees only itself and its descendants among them. */
  ancestors: ApiKey[];
  /** The member who created the key; visible to members. Null if a key or a credit token created it. */
  createdBy: ReadApiKeyResponseCreatedBy | null;
  branch: ReadApiKeyResponseBranch;
}

/** The descendants that revoking the key would invalidate. */
export interface ReadApiKeyResponseBranch {
  /** The number of usable descendants. */
  live: number;
  /** The first hundred of these descendants, nearest first. */
  keys: ReadApiKeyResponseBranchKey[];
}

export interface ReadApiKeyResponseBranchKey {
  id: ApiKeyId;
  /** A label that says what the key is for. */
  label: string;
  /** Level in the delegation tree; 0 for a root key. */
  depth: number;
}

export interface ReadApiKeyResponseCreatedBy {
  id: MemberId;
  /** The member's name. */
  name: string;
}

export interface ReadHealthResponse {
  status: HealthStatus;
  /** The API's version, as in its path. */
  apiVersion: "v1";
  /** The platform's release. */
  version: string;
  /** The commit that the release was built from; null if unknown. */
  commit: string | null;
  /** The database's latest known migration; null before the database has responded. */
  schema: string | null;
  /** The components that calls need: the database, the blob store, each cluster for accounts' databases (`databases`), `vault` if a key management service wraps the keys of wallets, the installation's `model` endpoint, `mail` server and `facilitator` of payments if it has them, `chains` if the sandbox has none on this machine, and the `worker` if the same `npm start` runs it. */
  checks: HealthCheck[];
  /** The chains of this installation. */
  chains: ChainHealth[];
}

export interface ReadWebhookDeliveryResponse {
  delivery: WebhookDelivery;
  /** The body; null if the event is older than three months, or for a member whose role lacks the event's scope. */
  payload: string | null;
}

/** Id of the receipt (TypeID, `rcpt_…`). */
export type ReceiptId = string;

export interface RecoverWebhook {
  /** The start of the period, ISO 8601. */
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
  /** The step from which to repeat; the results of earlier steps are reused. By default all steps are repeated. */
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
  /** Ids of the key and every descendant that was revoked with it. */
  revokedKeyIds: ApiKeyId[];
}

export interface RotateWebhookSecret {
  /** How long, in seconds, deliveries are also signed with the old secret; 0 ends the old secret at once. */
  overlapSeconds?: number | undefined;
}

export interface RotateWebhookSecretResponse {
  webhook: Webhook;
  /** The secret that signs deliveries. Shown once. */
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
  /** A title: the workflow's name, or the first line of the agent's task. Null for other operations, on the privacy tier `strict`, and after the tier has purged it or the run was forgotten. */
  name: string | null;
  /** The run that this run retries. */
  retryOf: RunId | null;
  /** The run whose step created it. */
  parentId: RunId | null;
  /** The stored workflow; null if the run executes none. */
  workflow: RunWorkflow | null;
  /** The trigger that started the run. */
  triggerId: TriggerId | null;
  /** The time of the trigger's schedule for which the run was started. */
  scheduledAt: Timestamp | null;
  /** The project of the run. */
  projectId: ProjectId | null;
  /** The end user of the run. */
  endUser: string | null;
  status: RunStatus;
  /** The input; null after the privacy tier has purged it or the run was forgotten. */
  input: unknown;
  /** The operation's result; null before it succeeds, and after the run was forgotten. */
  result: unknown;
  /** The error; null if the run has a result or has not ended. */
  error: RunError | null;
  /** The progress, from 0 to 1. */
  progress: number | null;
  /** The number of the current attempt; 0 before the first. */
  attempt: number;
  /** The maximum number of attempts. */
  maxAttempts: number;
  /** The priority, -10 to 10: each point counts as a minute of waiting for a worker. */
  priority: number;
  /** The concurrency keys with which the run was created. */
  concurrency: ConcurrencyKey[];
  /** The reason why the run waits; null if it waits for nothing, or only for a free worker. */
  waitingFor: RunWaitingFor | null;
  /** The tags. */
  tags: string[];
  /** The timeline, in order. */
  timeline: RunTimelineEntry[];
  /** The artifacts that the run produced. */
  artifactIds: ArtifactId[];
  /** The bytes of the stored data: input, result, results of steps, and timeline. Null for runs that ended before 2026-11-26. */
  keptBytes: number | null;
  /** The time when `runs.forget` deleted the stored data; its states remain. */
  forgottenAt: Timestamp | null;
  /** The charged credits, those of its steps included. */
  chargedCredits: number;
  createdAt: Timestamp;
  /** The time of the start, if the run was created with `startAt`. */
  startsAt: Timestamp | null;
  /** The time when a worker first started it. */
  startedAt: Timestamp | null;
  /** The time when it ended. */
  finishedAt: Timestamp | null;
  /** The steps that wait for events or callbacks; null in lists and events. */
  waitsFor: RunWait[] | null;
  /** An address at which a browser follows the run without a key: status, progress, messages and the text of models as server-sent events. Null in lists and events, and on the privacy tier `strict`. */
  watchUrl: string | null;
  /** The time when `watchUrl` expires. */
  watchUrlExpiresAt: Timestamp | null;
}

export interface RunError {
  /** The error code. */
  code: string;
  /** The error message. On the privacy tier `strict` the meaning of the code, as a message can quote the input. */
  message: string;
  /** The step that failed. */
  step: string | null;
}

/** `run.queued`: A run was created, or waits for its next attempt. `run.running`: A worker has taken a run. `run.awaiting_approval`: A run waits for an approval. `run.cancelling`: Cancellation of a run was requested. `run.cancelled`: A run was cancelled. `run.succeeded`: A run has succeeded. `run.failed`: A run has failed. `run.expired`: A run did not end before its deadline. */
export type RunEvent = EventEnvelope & {
  type: "run.queued" | "run.running" | "run.awaiting_approval" | "run.cancelling" | "run.cancelled" | "run.succeeded" | "run.failed" | "run.expired";
  data: RunEventData;
};

export interface RunEventData {
  run: Run;
}

/** Id of the run (TypeID, `run_…`). */
export type RunId = string;

/** `queued` → `running` (`awaiting_approval` while people decide) → `succeeded`, `failed`, `cancelled` (by way of `cancelling`) or `expired`. */
export type RunStatus = "queued" | "running" | "awaiting_approval" | "cancelling" | "cancelled" | "succeeded" | "failed" | "expired";

/** An entry of a run's timeline. */
export interface RunTimelineEntry {
  /** The position in the run's timeline, from 1, without gaps unless the run was forgotten. */
  seq: number;
  at: Timestamp;
  /** The kind of entry. */
  type: "state" | "step" | "retry" | "log" | "progress";
  /** The step that the entry belongs to; null for the run itself. */
  step: string | null;
  /** The severity. */
  level: "info" | "warn" | "error";
  /** The message. */
  message: string;
  /** Further data; a state entry has `status`. */
  data: Record<string, unknown> | null;
}

/** A step that waits for an event or a callback. */
export interface RunWait {
  /** The name of the waiting step in the timeline. */
  step: string;
  /** The time when the step began to wait. */
  since: Timestamp;
  /** The time when the step stops waiting. */
  until: Timestamp;
  /** The events, the first of which resumes the step; empty for a callback. */
  events: RunWaitEvent[];
  /** The callback that the step waits for. */
  callback: RunWaitCallback | null;
}

export interface RunWaitCallback {
  /** The time of the last heartbeat; before the first one, the time of the request. */
  heartbeatAt: Timestamp | null;
  /** The progress that the last heartbeat reported, from 0 to 1. */
  progress: number | null;
  /** The message of the last heartbeat. */
  message: string | null;
}

export interface RunWaitEvent {
  /** The event's name. */
  name: string;
  /** The event's key; null for any. */
  key: string | null;
}

export interface RunWaitingFor {
  /** The key without a free slot. */
  concurrencyKey: string;
}

export interface RunWorkflow {
  id: WorkflowId;
  /** The name under which the workflow is stored. */
  name: string;
  /** The version, chosen when the run was created. */
  version: number;
}

export type Scope = "services:read" | "services:invoke" | "credits:read" | "credits:write" | "projects:read" | "projects:write" | "usage:read" | "audit:read" | "files:read" | "files:write" | "connections:read" | "connections:write" | "databases:read" | "databases:write" | "wallets:read" | "wallets:create" | "wallets:sign" | "wallets:transact" | "trading:read" | "trading:execute" | "runs:read" | "runs:write" | "approvals:read" | "approvals:write" | "artifacts:read" | "webhooks:read" | "webhooks:write" | "api_keys:manage";

/** A managed service. */
export interface Service {
  /** Id of the service. */
  id: string;
  /** The service's name. */
  name: string;
  /** What the service is for. */
  description: string;
  status: ServiceStatus;
  /** Why the service is degraded or unavailable; null if it is available. */
  reason: string | null;
  /** The ids of its operations. */
  operations: string[];
}

/** Whether the service can be used now. */
export type ServiceStatus = "available" | "degraded" | "unavailable";

/** A signature by a wallet, or one that waits for an approval. */
export interface Signature {
  id: SignatureId;
  walletId: WalletId;
  quoteId: QuoteId;
  kind: SignatureKind;
  /** The signed hash, by EIP-191 or EIP-712. */
  payloadHash: string;
  display: SignatureDisplay;
  /** `rejected` by an approver, or by the policy when it was judged again; `failure` has the reason. */
  status: "awaiting_approval" | "signed" | "rejected" | "expired";
  /** The signature, 65 bytes in hex; null until it is signed. */
  signature: string | null;
  /** The reason why it failed; null if it succeeded or has not ended. */
  failure: WalletFailure | null;
  /** The approval that it waits for, or waited for. */
  approvalId: ApprovalId | null;
  /** The project of the wallet. */
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it was signed, rejected or expired. */
  endedAt: Timestamp | null;
}

/** The signed content in a form for the approver. */
export interface SignatureDisplay {
  /** A sentence that describes the effect of the signature. */
  summary: string;
  /** All signed fields, in order. */
  fields: SignatureDisplayField[];
}

export interface SignatureDisplayField {
  /** The path of the field, e.g. `message.to`. */
  name: string;
  /** The value of the field; invisible characters are written as their codes. */
  value: string;
}

/** Id of the signature (TypeID, `sig_…`). */
export type SignatureId = string;

/** A message (EIP-191) or typed data (EIP-712). */
export type SignatureKind = "message" | "typed_data";

export interface SignatureRules {
  /** Whether messages (EIP-191) may be signed. */
  messages?: boolean | undefined;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts?: string[] | null | undefined;
}

export interface SimulateWalletPolicy {
  /** The draft: the fields that an update would send. Other fields keep their values. */
  draft: WalletPolicyChanges;
}

/** The difference between a draft and the current policy. */
export interface SimulateWalletPolicyResponseSimulation {
  from: Timestamp;
  to: Timestamp;
  /** The number of replayed sends. */
  transactions: number;
  /** Whether there were more than 10000 sends; only the oldest of them were replayed. */
  truncated: boolean;
  /** The decisions by the current policy. */
  now: SimulatedDecisions;
  /** The decisions by the draft. */
  draft: SimulatedDecisions;
  /** The sends that the draft decides differently, newest first; at most 200. */
  differing: SimulateWalletPolicyResponseSimulationDifferingItem[];
}

export interface SimulateWalletPolicyResponseSimulationDifferingItem {
  /** The id of the transaction, or of the swap or order to which it belongs. */
  id: string;
  at: Timestamp;
  /** A sentence that describes the send. */
  summary: string;
  /** The amount that counted against the daily limit; null without a price. */
  valueUsd: string | null;
  /** The decision by the current policy. */
  now: PolicyDecision;
  /** The decision by the draft. */
  draft: PolicyDecision;
}

export interface SimulatedDecisions {
  /** The number of sends without an approval. */
  allow: number;
  /** The number of sends that would have waited for an approval. */
  approval: number;
  /** The number of denied sends. */
  deny: number;
}

/** The order: by this field, with `-` the other way round. Without it, newest first. Names are compared by their first 200 characters, ignoring case. */
export type SortByCreatedAt = "-createdAt" | "createdAt";

/** The order: by this field, with `-` the other way round. Without it, newest first. Names are compared by their first 200 characters, ignoring case. */
export type SortByCreatedAtOrLabel = "-createdAt" | "createdAt" | "-label" | "label";

/** The order: by this field, with `-` the other way round. Without it, newest first. Names are compared by their first 200 characters, ignoring case. */
export type SortByCreatedAtOrName = "-createdAt" | "createdAt" | "-name" | "name";

/** An exchange of one asset for another, within a chain or across two. */
export interface Swap {
  id: SwapId;
  /** The quote that the swap executes. */
  quoteId: QuoteId;
  /** The wallet that pays the input and receives the output. */
  walletId: WalletId;
  /** The input of the swap. */
  from: SwappedInput;
  to: SwapTo;
  status: SwapStatus;
  /** The swap's transactions so far, in order. */
  transactions: SwapTransaction[];
  /** The route that tracks the swap on the chains; null before it is sent. */
  routeId: RouteId | null;
  /** The fees deducted from the swap, without network fees. */
  fees: SwapFee[];
  /** The reason why it failed; null if it succeeded or has not ended. */
  failure: WalletFailure | null;
  /** The approval that it waits for, or waited for. */
  approvalId: ApprovalId | null;
  /** The charged credits; 0 before the swap is sent. */
  chargedCredits: number;
  /** The project of the wallet. */
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it ended, with any status. */
  endedAt: Timestamp | null;
}

/** `swap.awaiting_approval`: A swap waits for an approval. `swap.pending`: A swap was created or approved, and is about to be sent. `swap.source_submitted`: The transaction that sends the input was broadcast. `swap.source_confirmed`: The transaction that sends the input was mined. `swap.filling`: The bridge has received the input; the relayer will deliver the output on the other chain. `swap.completed`: A swap has delivered its output; `received` has the amount. `swap.refunding`: The output was not delivered in time; the input is being refunded. `swap.refunded`: The input of a cross-chain swap was refunded to its wallet. `swap.failed`: A swap has ended without an exchange. */
export type SwapEvent = EventEnvelope & {
  type: "swap.awaiting_approval" | "swap.pending" | "swap.source_submitted" | "swap.source_confirmed" | "swap.filling" | "swap.completed" | "swap.refunding" | "swap.refunded" | "swap.failed";
  data: SwapEventData;
};

export interface SwapEventData {
  swap: Swap;
}

export interface SwapFee {
  /** What the fee is for: `pool` or `bridge`. */
  type: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The amount in whole units of the asset. */
  amount: string;
  /** The amount's value in USD; null without a price. */
  valueUsd: string | null;
}

/** Id of the swap (TypeID, `swap_…`). */
export type SwapId = string;

export interface SwapInput {
  network: Network;
  asset: Asset;
  /** The exact amount to swap, in whole units. */
  amount: string;
}

export interface SwapOutput {
  network: Network;
  asset: Asset;
}

/** A swap's state on the chains. */
export interface SwapRoute {
  id: RouteId;
  /** The managed wallet's swap that the route belongs to; null for an external wallet. */
  swapId: SwapId | null;
  /** The address that sends the steps. */
  sender: string;
  /** The address that receives the output. */
  recipient: string;
  /** The input of the swap. */
  from: SwappedInput;
  to: SwapRouteTo;
  /** `prepared` until its last step is seen on the chain, then `observed`; across chains `filling` until the relayer has delivered. `expired`: the step was not mined in time. A step that a reorganisation removes is waited for again. */
  status: "prepared" | "observed" | "filling" | "completed" | "refunded" | "expired" | "failed";
  sourceTransactionHash: string | null;
  destinationTransactionHash: string | null;
  /** The received amount by the chain, in whole units; null before. */
  received: string | null;
  /** The reason why it failed; null if it succeeded or has not ended. */
  failure: WalletFailure | null;
  /** When the route's last step expires. */
  expiresAt: Timestamp;
  /** The project that the route belongs to; null if none. */
  projectId: ProjectId | null;
  /** Your id of the end user that the route belongs to; null if none. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it ended, with any status. */
  endedAt: Timestamp | null;
}

/** The output of the swap. */
export interface SwapRouteTo {
  /** The chain's CAIP-2 id. */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The minimum output, in whole units. */
  minimum: string;
}

/** `awaiting_approval` → `pending` → `source_submitted` → `source_confirmed` → `completed`; across chains through `filling`, and if it is not filled in time through `refunding` to `refunded`. Otherwise `failed`. After a reorganisation, the status returns to the chain's state. */
export type SwapStatus = "awaiting_approval" | "pending" | "source_submitted" | "source_confirmed" | "filling" | "completed" | "refunding" | "refunded" | "failed";

/** An unsigned transaction. */
export interface SwapStep {
  /** The kind of step. */
  type: "approve" | "swap" | "bridge";
  /** The chain's CAIP-2 id. */
  network: string;
  /** The contract to call. */
  to: string;
  /** The calldata, in hex. Send it as it is: the route is bound to it. */
  data: string;
  /** The native amount to send along, in wei. */
  value: string;
  /** A sufficient gas limit. */
  gas: string;
  /** A readable description of the transaction's effect. */
  description: string;
}

/** The output of the swap. */
export interface SwapTo {
  /** The chain's CAIP-2 id. */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The expected output by the quote, in whole units. */
  expected: string;
  /** The minimum output, in whole units; with less, the swap fails. */
  minimum: string;
  /** The received amount by the chain, without network fees; null before. */
  received: string | null;
}

/** An asset that can be swapped. */
export interface SwapToken {
  /** The chain's CAIP-2 id. */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The asset's symbol, e.g. `USDC`. */
  symbol: string;
  /** The asset's full name. */
  name: string;
  /** The number of decimals of its amounts. */
  decimals: number;
  /** The price of one unit by the pools' current state; null without a reliable price. */
  priceUsd: string | null;
}

export interface SwapTransaction {
  /** The chain's CAIP-2 id. */
  network: string;
  /** The transaction's hash. */
  hash: string;
}

export interface SwappedInput {
  /** The chain's CAIP-2 id. */
  network: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The input amount, in whole units. */
  amount: string;
}

export interface TestRunStep {
  /** The step's id, or its path as the timeline has it: the id of a step that runs several times means the first time. */
  step: string;
  /** The workflow as it is to be tested; by default the run's own. */
  workflow?: unknown;
}

export type TestWebhook = Record<string, never>;

/** A step as a run would do it. */
export interface TestedStep {
  /** The step's path. */
  step: string;
  /** The step's type. */
  type: string;
  /** Its fields with values in the place of expressions; null where an expression failed. */
  fields: Record<string, unknown> | null;
  /** The decision of a step that holds others, e.g. `{ case: 0 }` or `{ items: 3 }`; null for others. */
  decision: unknown;
  /** The expression that failed, where one did. */
  issues: TestedStepIssue[];
}

export interface TestedStepIssue {
  /** Where the expression stands. */
  path: string;
  /** The error it failed with. */
  message: string;
}

/** An event without its data. */
export type ThinEvent = EventEnvelope & {
  /** The event's name. */
  type: string;
  /** Id of the resource that the event concerns; null for the account itself. */
  resource: string | null;
  /** The resource's status at the time of the event; null if it has no status. */
  status: string | null;
};

/** `gtc`: until it is filled, at most 90 days. `gtd`: until `expiresAt`. `ioc`: the part that can be filled at once. `fok`: all of it at once, or nothing. */
export type TimeInForce = "gtc" | "ioc" | "fok" | "gtd";

/** ISO 8601, UTC, milliseconds. */
export type Timestamp = string;

export interface TopUpCredits {
  /** The amount to pay, in USD; 1 USD buys 1,000 credits. */
  amountUsd: number;
}

export interface TopUpCreditsFailureAccept {
  /** Exactly this amount. */
  scheme: "exact";
  /** The chain, by the protocol's name or, where it has none, by CAIP-2. */
  network: string;
  /** The amount, in the asset's smallest units. */
  maxAmountRequired: string;
  /** The resource that is paid for. */
  resource: string;
  /** The same for people. */
  description: string;
  /** The media type of its response. */
  mimeType: string;
  /** Who is paid. */
  payTo: string;
  /** For how long the authorization may be valid. */
  maxTimeoutSeconds: number;
  /** The token. */
  asset: string;
  extra: TopUpCreditsFailureAcceptExtra;
}

/** The token's EIP-712 domain. */
export interface TopUpCreditsFailureAcceptExtra {
  /** Its `name`. */
  name: string;
  /** Its `version`. */
  version: string;
}

export interface TopUpCreditsResponse {
  /** The paid amount in USD. */
  creditedUsd: number;
  /** The credits that it bought. */
  creditedCredits: number;
  receiptId: ReceiptId;
  balance: Balance;
}

/** `trading.order.pending`: An order is about to be executed. `trading.order.awaiting_approval`: An order waits for an approval. `trading.order.open`: An order waits for its price. `trading.order.partially_filled`: A part of an order was filled; the rest waits. `trading.order.filled`: All of an order was filled. `trading.order.cancelled`: An order ended before all of it was filled. `trading.order.expired`: An order, or the approval it waited for, expired. `trading.order.rejected`: An order was refused, or can't be executed; `failure` says why. */
export type TradingOrderEvent = EventEnvelope & {
  type: "trading.order.pending" | "trading.order.awaiting_approval" | "trading.order.open" | "trading.order.partially_filled" | "trading.order.filled" | "trading.order.cancelled" | "trading.order.expired" | "trading.order.rejected";
  data: TradingOrderEventData;
};

export interface TradingOrderEventData {
  order: Order;
}

/** The expected result of an order. A quote lives 60 seconds. */
export interface TradingQuote {
  id: QuoteId;
  kind: QuoteKind;
  walletId: WalletId;
  /** The quoted request. */
  input: Record<string, unknown>;
  /** The expected amount to receive; null for sends and signatures. */
  expected: string | null;
  /** The minimum amount to receive; with less, the execution fails. Null for sends and signatures. */
  minimum: string | null;
  /** The fees that the execution would pay. */
  fees: QuoteFee[];
  /** The credits that the execution charges. */
  chargedCredits: number;
  policy: PolicyDecision;
  projectId: ProjectId | null;
  /** Your own id of the wallet's end user; null if none. */
  endUser: string | null;
  /** When the quote expires. Until then it can be executed once. */
  expiresAt: Timestamp;
  createdAt: Timestamp;
  /** The average price at the venue now, in USD per unit; null if a limit order can't be filled now. */
  price: string | null;
  /** The maximum cost of a purchase, in USD; null for a sale. */
  maximumCost: string | null;
}

/** `out` if the wallet sends it, `in` if the wallet receives it. */
export type TransactionDirection = "out" | "in";

/** Id of the transaction (TypeID, `tx_…`). */
export type TransactionId = string;

export type TransferDirection = "export" | "import";

/** Id of the transfer (TypeID, `xfer_…`). */
export type TransferId = string;

/** A trigger, which starts runs on a schedule, or at events or deliveries. */
export interface Trigger {
  id: TriggerId;
  /** The trigger's name. */
  name: string;
  /** The schedule or event that starts the runs. */
  on: TriggerOnCron | TriggerOnEverySeconds | TriggerOnAt | TriggerOnEvent | TriggerOnWebhook;
  start: TriggerStart;
  /** The policy for a time or event at which a run of the trigger has not ended. `skip`: no run is started. `queue_one`: one run is started after the end; further times are skipped. `allow`: a run is started at once. `cancel_previous`: the run is cancelled, and then another one is started. */
  overlap: "skip" | "queue_one" | "allow" | "cancel_previous";
  /** The maximum delay of a start, in seconds, if the run could not be started at its time; later ones are missed. An event waits for seven days. */
  catchUpSeconds: number;
  /** The maximum random delay of each start, in seconds. */
  jitterSeconds: number;
  pauseAfterFailures: number | null;
  /** The status. `ended`: the schedule has no further time. */
  status: "active" | "paused" | "ended";
  /** The reason for the pause: by hand; because the owner, a key or member, has ended; after the configured number of failures; or because credits are missing, until there are some. */
  pausedReason: "manual" | "owner_ended" | "failing" | "no_credits" | null;
  /** The next time of the schedule; null while the trigger is paused, and after the last time. */
  nextAt: Timestamp | null;
  /** The last started run. */
  lastRunId: RunId | null;
  /** The last error in starting a run; null after a successful start. */
  lastError: TriggerLastError | null;
  /** The number of runs that failed or were not started since the last success. */
  consecutiveFailures: number;
  /** The key that put the trigger last: runs are created on its behalf, and only this key, its ancestors and members may change the trigger. Null if a member put it; then only members may. */
  ownerKeyId: ApiKeyId | null;
  /** The project of the trigger. */
  projectId: ProjectId | null;
  /** The end user of the trigger. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it was last put, paused or resumed. */
  updatedAt: Timestamp;
}

/** A condition on the event or delivery that starts a run. */
export interface TriggerCondition {
  /** The path of the field in the event or delivery. */
  path: string;
  /** The comparison, as in webhooks' filters. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite. In your own events and in deliveries, `gt`, `gte`, `lt` and `lte` also compare texts by the order of their characters, if the value is a text that is not a decimal. */
  op: ConditionOperator;
  /** The value to compare with; a list with `in`. Numbers, and decimals in texts, are compared exactly by their value. */
  value?: unknown;
}

/** `trigger.paused`: A trigger was paused; `pausedReason` says why. `trigger.failed`: A scheduled time of a trigger passed without a run; if the run was refused, `lastError` says why. */
export type TriggerEvent = EventEnvelope & {
  type: "trigger.paused" | "trigger.failed";
  data: TriggerEventData;
};

export interface TriggerEventData {
  trigger: Trigger;
}

/** Id of the trigger (TypeID, `trg_…`). */
export type TriggerId = string;

export interface TriggerLastError {
  /** The error code. */
  code: string;
  /** The error message. */
  message: string;
  /** The time of the error. */
  at: Timestamp;
}

export interface TriggerOnAt {
  /** The time of the single run. */
  at: Timestamp;
}

export interface TriggerOnCron {
  /** A crontab line of five fields: minute, hour, day of the month, month, day of the week. Names (`MON-FRI`), steps (`*\/15`), `L` (the last day) and `#` (`MON#1`: the first Monday) are known. */
  cron: string;
  /** The IANA name of the time zone of `cron`. A time that the clock skips in spring starts its run right after; a time that it shows twice in autumn starts one run. A schedule with more than one start per hour follows the clock. */
  timezone: string;
}

export interface TriggerOnEvent {
  /** The name of the event that starts a run: one of your own that `managed-events` sends in exactly the trigger's project and for its end user, or one of [the platform's](/docs/events) that its owner may read. */
  event: string;
  /** The conditions on the event; all of them must hold. */
  where?: EventCondition[] | undefined;
}

export interface TriggerOnEverySeconds {
  /** The interval in seconds, counted from the time when the trigger was put. */
  everySeconds: number;
}

export interface TriggerOnWebhook {
  webhook: InboundWebhook;
  /** The conditions on the delivery; all of them must hold. */
  where?: TriggerCondition[] | undefined;
}

/** The run that the trigger starts. */
export interface TriggerStart {
  /** The service, e.g. `managed-memory`. */
  serviceId: string;
  /** The service's operation, e.g. `put`. */
  operationId: string;
  /** The operation's input. A workflow's own gets `scheduledAt` beside it, or `event`; expressions read `event` too. */
  input: unknown;
  /** The connection that the runs use. */
  connectionId: string | null;
  /** The maximum number of attempts of each run. */
  maxAttempts: number;
  /** The seconds after which a run expires. */
  expiresInSeconds: number;
  /** The tags of each run. */
  tags: string[];
  /** The priority of each run, -10 to 10: each point counts as a minute of waiting for a worker. */
  priority: number;
  /** The concurrency keys of each run. */
  concurrency: ConcurrencyKey[];
  /** The quiet period after which one run is started for all events; null if each event starts one. */
  debounce: TriggerStartDebounce | null;
}

/** Starts one run for all calls with this key, after a quiet period. The last call replaces the earlier ones, their caller included. Calls with the same key belong together if operation, account, project and end user are the same. */
export interface TriggerStartDebounce {
  /** Your own text, 1 to 200 characters. */
  key: string;
  /** The seconds without a further call after which the run starts, 1 to 86,400. */
  seconds: number;
  /** The seconds after which the run starts even if further calls arrive, at most 2,592,000. */
  maxSeconds?: number | undefined;
}

export interface UpdateConnection {
  /** A name for people, 1 to 200 characters. */
  label?: string | undefined;
  /** The key, token, password or client secret. Stored sealed; never shown again. */
  secret?: string | undefined;
  /** Replaces the hosts. Adding hosts requires `secret` in the same request. */
  allowedHosts?: string[] | undefined;
  /** Changing the address requires `secret` in the same request. */
  tokenUrl?: string | undefined;
  /** `disabled` blocks every use; `active` allows uses again, also of a broken connection. */
  status?: "active" | "disabled" | undefined;
  /** When the connection expires; null: never. */
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
  /** The version that the change is based on; 409 if the policy has another one. */
  ifVersion: number;
  /** The maximum that one transaction or signature may spend; it may be met exactly. */
  maxPerTransactionUsd?: string | null | undefined;
  /** The maximum that may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd?: string | null | undefined;
  /** The maximum network fee of one transaction, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd?: string | null | undefined;
  /** The maximum network fees of one UTC day; each counts at its maximum until its transaction is in a block, and then as paid; null: the installation's limit. */
  dailyNetworkFeeUsd?: string | null | undefined;
  /** The chains that may be used; null: all. */
  allowedNetworks?: Network[] | null | undefined;
  /** The assets that may be spent; null: all. */
  allowedAssets?: Asset[] | null | undefined;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients?: string[] | null | undefined;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts?: ContractRule[] | null | undefined;
  /** The rules for signatures other than of transactions; merged field by field. */
  signatures?: SignatureRules | null | undefined;
  /** The rules for approvals by people; merged field by field. */
  approval?: ApprovalRules | null | undefined;
}

export interface UpdateWebhook {
  /** The new address; waiting deliveries go there, too. */
  url?: string | undefined;
  /** The events to send from now on. */
  events?: string[] | undefined;
  /** What the webhook is for; null clears it. */
  description?: string | null | undefined;
  /** The conditions for new events; null removes them. Waiting deliveries are still sent. */
  filter?: WebhookConditionInput[] | null | undefined;
  /** The form of new deliveries; waiting ones keep theirs. */
  payload?: WebhookPayload | undefined;
  /** Headers to add or replace, by name; null at a name removes it, null in place of all clears them. */
  headers?: Record<string, string | null> | null | undefined;
  /** `active` resumes a paused or disabled webhook; if its owner key has ended, the caller becomes the owner. */
  status?: "active" | "paused" | undefined;
}

/** Requests and charged credits over a period of time. */
export interface Usage {
  /** The start of the period (inclusive). */
  from: Timestamp;
  /** The end of the period (exclusive). */
  to: Timestamp;
  totals: UsageTotals;
  /** Groups by time in time order, other groups by requests, largest first; at most 1,000. */
  groups: UsageGroup[];
  /** Whether there are more groups; only the first 1,000 are returned. */
  truncated: boolean;
}

export interface UsageGroup {
  /** The group: a UTC day, the start of the hour or minute, an operation, a service, the id of a key (or member, or credit token) or of a project, an end user, or an HTTP status; null for calls in no project, for no end user, or counted before statuses were. */
  key: string | null;
  /** The number of authenticated requests. */
  requests: number;
  /** The number of requests that were refused or failed (4xx and 5xx, except 429). */
  errors: number;
  /** The number of requests refused by limits (429). */
  limited: number;
  /** The charged credits. A charge after the response (of runs, sends, swaps and orders) is an operation of its own, such as `swaps.settle`, without a request. */
  chargedCredits: number;
  /** Median of the durations, within 6.25 %; null where there was no request. */
  p50Ms: number | null;
  /** 95th percentile of the durations, within 6.25 %; null where there was no request. */
  p95Ms: number | null;
  /** 99th percentile of the durations, within 6.25 %; null where there was no request. */
  p99Ms: number | null;
}

/** The totals of the whole period. */
export interface UsageTotals {
  /** The number of authenticated requests. */
  requests: number;
  /** The number of requests that were refused or failed (4xx and 5xx, except 429). */
  errors: number;
  /** The number of requests refused by limits (429). */
  limited: number;
  /** The charged credits. A charge after the response (of runs, sends, swaps and orders) is an operation of its own, such as `swaps.settle`, without a request. */
  chargedCredits: number;
  /** Median of the durations, within 6.25 %; null where there was no request. */
  p50Ms: number | null;
  /** 95th percentile of the durations, within 6.25 %; null where there was no request. */
  p95Ms: number | null;
  /** 99th percentile of the durations, within 6.25 %; null where there was no request. */
  p99Ms: number | null;
}

/** A custodial wallet. Its key is encrypted and never leaves the platform. */
export interface Wallet {
  id: WalletId;
  /** The wallet's label. */
  label: string;
  /** The wallet's address, the same on every EVM chain, with an EIP-55 checksum. */
  address: string;
  /** The family of chains that the wallet is for. */
  family: "evm";
  /** The chains of this installation on which the wallet works. */
  networks: Network[];
  status: WalletStatus;
  policy: WalletPolicy;
  projectId: ProjectId | null;
  /** The end user to whom the wallet belongs, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
}

/** The balance of a wallet in one asset on one chain. */
export interface WalletBalance {
  network: Network;
  asset: Asset;
  /** The asset's symbol. */
  symbol: string;
  /** The number of the asset's decimal places. */
  decimals: number;
  /** The wallet's balance on the chain, in whole units. */
  amount: string;
  /** The amount reserved for transactions, orders, signed transfers and approvals that have not ended. */
  reserved: string;
  /** The amount less the reserved amount. */
  available: string;
  /** The current value of the amount; null if the asset has no reliable price: none is known, or the pools, or the spot price and the average of 30 minutes, differ by more than a factor of 1.2. */
  valueUsd: string | null;
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  /** The time when the chain was read. */
  asOf: Timestamp;
}

/** An incoming transfer to a wallet was confirmed. */
export type WalletDepositEvent = EventEnvelope & {
  type: "wallet.deposit.confirmed";
  data: WalletDepositEventData;
};

export interface WalletDepositEventData {
  transaction: WalletTransaction;
}

/** A wallet was created. */
export type WalletEvent = EventEnvelope & {
  type: "wallet.created";
  data: WalletEventData;
};

export interface WalletEventData {
  wallet: Wallet;
}

export interface WalletFailure {
  /** The reason as a code, e.g. `policy_denied`, `insufficient_funds`, `reverted`, `price_moved`. */
  code: string;
  /** The reason as a sentence. */
  message: string;
}

/** Id of the wallet (TypeID, `wal_…`). */
export type WalletId = string;

/** The rules for a wallet. A denial overrides everything else; null is no restriction, and an empty list allows nothing. */
export interface WalletPolicy {
  /** The version of the policy, from 1; every change adds one. */
  version: number;
  /** The maximum that one transaction or signature may spend; it may be met exactly. */
  maxPerTransactionUsd: string | null;
  /** The maximum that may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd: string | null;
  /** The maximum network fee of one transaction, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd: string | null;
  /** The maximum network fees of one UTC day; each counts at its maximum until its transaction is in a block, and then as paid; null: the installation's limit. */
  dailyNetworkFeeUsd: string | null;
  /** The chains that may be used; null: all. */
  allowedNetworks: Network[] | null;
  /** The assets that may be spent; null: all. */
  allowedAssets: Asset[] | null;
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
  /** The allowed methods; null allows all. */
  methods: string[] | null;
}

/** The rules for approvals by people. */
export interface WalletPolicyApproval {
  /** Spending more than this needs an approval; null: no amount does. */
  aboveUsd: string | null;
  /** Whether everything needs an approval. */
  always: boolean;
  /** The required number of distinct approvers. */
  requiredApprovals: number;
  /** Whether the requester may decide too. */
  initiatorMayApprove: boolean;
  /** Ids of the members and keys that may decide; null: everyone with the scope. */
  approvers: string[] | null;
  /** Whether loosening this policy needs an approval too. */
  policyChanges: boolean;
  /** How long an approval waits for its decision. */
  expiresInSeconds: number;
}

export interface WalletPolicyChanges {
  /** The maximum that one transaction or signature may spend; it may be met exactly. */
  maxPerTransactionUsd?: string | null | undefined;
  /** The maximum that may be spent in one UTC day; it may be met exactly. */
  dailyLimitUsd?: string | null | undefined;
  /** The maximum network fee of one transaction, replacements with higher fees included; null: the installation's limit. */
  maxNetworkFeeUsd?: string | null | undefined;
  /** The maximum network fees of one UTC day; each counts at its maximum until its transaction is in a block, and then as paid; null: the installation's limit. */
  dailyNetworkFeeUsd?: string | null | undefined;
  /** The chains that may be used; null: all. */
  allowedNetworks?: Network[] | null | undefined;
  /** The assets that may be spent; null: all. */
  allowedAssets?: Asset[] | null | undefined;
  /** Who may be sent or allowed anything; null: everyone. */
  allowedRecipients?: string[] | null | undefined;
  /** The contracts that may be called, and their methods; null: all. A plain `transfer` of a token is a send, which assets and recipients govern. */
  allowedContracts?: ContractRule[] | null | undefined;
  /** The rules for signatures other than of transactions; merged field by field. */
  signatures?: SignatureRules | null | undefined;
  /** The rules for approvals by people; merged field by field. */
  approval?: ApprovalRules | null | undefined;
}

/** A wallet's policy was changed. */
export type WalletPolicyEvent = EventEnvelope & {
  type: "wallet.policy.updated";
  data: WalletPolicyEventData;
};

export interface WalletPolicyEventData {
  wallet: Wallet;
}

/** The rules for signatures other than of transactions. */
export interface WalletPolicySignatures {
  /** Whether messages (EIP-191) may be signed. */
  messages: boolean;
  /** The verifying contracts whose typed data (EIP-712) may be signed; null: all. */
  typedDataContracts: string[] | null;
}

/** `wallet.signature.awaiting_approval`: A signature waits for an approval. `wallet.signature.signed`: A wallet has signed; the event contains the signature. `wallet.signature.rejected`: A signature was rejected, by an approver or by the wallet's policy. `wallet.signature.expired`: A signature expired before it was decided. */
export type WalletSignatureEvent = EventEnvelope & {
  type: "wallet.signature.awaiting_approval" | "wallet.signature.signed" | "wallet.signature.rejected" | "wallet.signature.expired";
  data: WalletSignatureEventData;
};

export interface WalletSignatureEventData {
  signature: Signature;
}

/** A frozen wallet can be read and receives; it sends and signs nothing. */
export type WalletStatus = "active" | "frozen";

/** A transaction that a wallet sends or receives. */
export interface WalletTransaction {
  id: TransactionId;
  /** The wallet of the transaction. */
  walletId: WalletId;
  direction: TransactionDirection;
  /** The executed quote; null if there is none. */
  quoteId: QuoteId | null;
  /** Your own reference, unique among the wallet's transactions. */
  clientReference: string | null;
  /** The chain's CAIP-2 id. */
  network: string;
  /** The sending address. */
  from: string;
  /** The receiving address. */
  to: string;
  /** `native`, or the token's address. */
  asset: string;
  /** The amount, in whole units of the asset. */
  amount: string;
  /** The requested calldata, in hex. */
  data: string | null;
  /** A sentence that describes the transaction; decoded from its bytes if they call a known function. */
  summary: string;
  /** The called functions, for a batch each of them; empty if it only sends the native asset. */
  calls: WalletTransactionCall[];
  /** The swap or order that sent the transaction. */
  source: WalletTransactionSource | null;
  status: WalletTransactionStatus;
  /** The reason why it failed; null if it succeeded or has not ended. */
  failure: WalletFailure | null;
  /** The approval that it waits for, or waited for. */
  approvalId: ApprovalId | null;
  /** The hash on the chain; it changes if the transaction is replaced with higher fees. */
  hash: string | null;
  /** The transaction's nonce. */
  nonce: number | null;
  /** The number of times it was signed; more than one if fees had to be raised. */
  attempts: number;
  /** The paid network fee, in the native asset. */
  feePaid: string | null;
  /** The block that contains the transaction. */
  blockNumber: number | null;
  /** The number of blocks since the transaction, its own included; counted until it is final. */
  confirmations: number;
  /** The charged credits; 0 before the transaction is broadcast. */
  chargedCredits: number;
  /** The project of the wallet. */
  projectId: ProjectId | null;
  /** The end user of the wallet, by your own id. */
  endUser: string | null;
  createdAt: Timestamp;
  /** The time when it was first signed. */
  signedAt: Timestamp | null;
  /** The time when the chain first accepted it. */
  broadcastAt: Timestamp | null;
  /** The time when it had enough confirmations. */
  confirmedAt: Timestamp | null;
  /** The time from which no reorganisation is expected to revert it. */
  finalizedAt: Timestamp | null;
  /** The time when it ended, with any status. */
  endedAt: Timestamp | null;
}

export interface WalletTransactionCall {
  /** The called contract. */
  contract: string;
  /** The function's signature, or its selector if the function is unknown; null for data without a selector. */
  method: string | null;
  /** The arguments, in order; null if the function is unknown. */
  arguments: WalletTransactionCallArgument[] | null;
}

export interface WalletTransactionCallArgument {
  /** The argument's name; for a field of a struct, its path. */
  name: string;
  /** The argument's type in Solidity. */
  type: string;
  /** The argument's value; numbers are decimal, and amounts are in the smallest units. */
  value: string;
}

/** `wallet.transaction.awaiting_approval`: A transaction waits for an approval. `wallet.transaction.reserved`: A transaction was accepted and will be signed and sent. `wallet.transaction.signed`: A transaction was signed. `wallet.transaction.broadcast`: A transaction was sent to its chain, or a reorganisation has returned it to be mined again. `wallet.transaction.confirmed`: A transaction was confirmed. `wallet.transaction.failed`: A transaction failed; `failure` says why. `wallet.transaction.rejected`: A transaction was rejected by an approver. `wallet.transaction.cancelled`: A transaction was cancelled and can no longer be mined. `wallet.transaction.expired`: A transaction expired before it was signed. */
export type WalletTransactionEvent = EventEnvelope & {
  type: "wallet.transaction.awaiting_approval" | "wallet.transaction.reserved" | "wallet.transaction.signed" | "wallet.transaction.broadcast" | "wallet.transaction.confirmed" | "wallet.transaction.failed" | "wallet.transaction.rejected" | "wallet.transaction.cancelled" | "wallet.transaction.expired";
  data: WalletTransactionEventData;
};

export interface WalletTransactionEventData {
  transaction: WalletTransaction;
}

export interface WalletTransactionSource {
  /** The kind of resource. */
  type: "swap" | "order";
  /** The id of the swap or order. */
  id: string;
}

/** `awaiting_approval` → `reserved` → `signed` → `broadcast` → `confirmed`; otherwise `failed`, `rejected`, `cancelled` or `expired`. After a reorganisation of the chain the status is `broadcast` again. */
export type WalletTransactionStatus = "awaiting_approval" | "reserved" | "signed" | "broadcast" | "confirmed" | "failed" | "rejected" | "cancelled" | "expired";

/** An endpoint that the account's events are sent to. */
export interface Webhook {
  id: WebhookId;
  /** The address that events are sent to. */
  url: string;
  /** What the webhook is for. */
  description: string | null;
  /** The subscribed events: `*`, event names, or groups such as `run.*`. */
  events: string[];
  /** Conditions that an event must all meet; null for no conditions. */
  filter: WebhookCondition[] | null;
  /** The form of deliveries: `full` events with their `data`, or `thin` events without it. */
  payload: WebhookPayload;
  /** The names of custom headers sent with each attempt. Their values are never shown. */
  headerNames: string[];
  status: WebhookStatus;
  /** Why the webhook is disabled: manually, after five days of failures, by a 410 response, or because its owner key ended. Null if it is not. */
  disabledReason: "manual" | "failing" | "gone" | "key_revoked" | "key_expired" | null;
  /** The owner: the key whose rights select the events; null for a webhook of the account. */
  ownerKeyId: ApiKeyId | null;
  /** The key that created the webhook; null if a member did. */
  createdByKeyId: ApiKeyId | null;
  health: WebhookHealth;
  /** Until when deliveries are also signed with the previous secret; null without an overlap. */
  previousSecretExpiresAt: Timestamp | null;
  /** The only project whose events are sent; null for all. */
  projectId: ProjectId | null;
  /** Your id of the only end user whose events are sent; null for all. */
  endUser: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** A condition on an event's body. */
export interface WebhookCondition {
  /** A field of the event's body. */
  path: string;
  /** The comparison. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite. */
  op: ConditionOperator;
  /** The value it is compared with. Numbers and decimals in texts are compared by their value, exactly: 12.5 equals "12.50". */
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** A condition on an event's body. */
export interface WebhookConditionInput {
  /** A field of the event's body. */
  path: string;
  /** The comparison. A missing field fulfils no condition; `exists` with `true` requires a field that is present and not null, with `false` the opposite. */
  op: ConditionOperator;
  /** The value it is compared with. Numbers and decimals in texts are compared by their value, exactly: 12.5 equals "12.50". */
  value?: string | number | boolean | null | (string | number | boolean | null)[] | undefined;
}

/** The delivery of an event to a webhook. */
export interface WebhookDelivery {
  id: DeliveryId;
  webhookId: WebhookId;
  /** The event's id, the same in each of its deliveries. */
  eventId: WebhookEventId;
  /** The event's name. */
  event: string;
  status: DeliveryStatus;
  /** The attempts, oldest first. */
  attempts: WebhookDeliveryAttempt[];
  /** When the next attempt is made; null if the delivery is finished. */
  nextAttemptAt: Timestamp | null;
  /** The delivery that this one repeats; null if none. */
  replayOf: DeliveryId | null;
  /** The webhook's project. */
  projectId: ProjectId | null;
  /** The webhook's end user. */
  endUser: string | null;
  createdAt: Timestamp;
}

export interface WebhookDeliveryAttempt {
  /** When the attempt was made. */
  at: Timestamp;
  /** The HTTP status of the response; null without a response. */
  status: number | null;
  /** Duration in milliseconds. */
  durationMs: number;
  /** Why the attempt failed; null if it succeeded. */
  error: string | null;
  /** The beginning of the response body; null if there is none. */
  responseSnippet: string | null;
}

/** Any event. */
export type WebhookEvent = ApiKeyEvent | AppConnectedEvent | AppEndedEvent | ProjectEvent | ConnectionEvent | ApprovalEvent | FileEvent | ArtifactEvent | RunEvent | CreditsLowEvent | CreditsExhaustedEvent | CreditsToppedUpEvent | DatabaseEvent | DatabaseTransferEvent | SwapEvent | TradingOrderEvent | TriggerEvent | WalletEvent | WalletPolicyEvent | WalletSignatureEvent | WalletDepositEvent | WalletTransactionEvent | WebhookStateEvent;

/** Id of the webhook event (TypeID, `whe_…`). */
export type WebhookEventId = string;

/** The endpoint's health. */
export interface WebhookHealth {
  /** The endpoint's state by its last attempt; `unknown` before the first. */
  status: "unknown" | "healthy" | "failing";
  /** Number of failed attempts since the last success. */
  consecutiveFailures: number;
  /** When the endpoint began to fail; null if it does not. After five days without a success the webhook is disabled. */
  failingSince: Timestamp | null;
  /** When a delivery last succeeded. */
  lastSuccessAt: Timestamp | null;
  /** When an attempt last failed. */
  lastFailureAt: Timestamp | null;
  lastDeliveries?: WebhookHealthLastDeliveries | undefined;
}

/** The results of the last 100 finished deliveries; only in `webhooks.list` and `webhooks.read`. */
export interface WebhookHealthLastDeliveries {
  /** Number of successful deliveries. */
  succeeded: number;
  /** Number of deliveries that were given up. */
  failed: number;
}

/** Id of the webhook (TypeID, `wh_…`). */
export type WebhookId = string;

export type WebhookPayload = "full" | "thin";

/** `webhook.failing`: A webhook has had no successful delivery for two days; after five days it is disabled. `webhook.disabled`: A webhook was disabled; `disabledReason` says why. `webhook.test`: A test from the console. Only the tested webhook receives it, with sequence 0. */
export type WebhookStateEvent = EventEnvelope & {
  type: "webhook.failing" | "webhook.disabled" | "webhook.test";
  data: WebhookStateEventData;
};

export interface WebhookStateEventData {
  webhook: Webhook;
}

/** The status. A paused webhook gets no new events, and its waiting deliveries wait until it is active again. */
export type WebhookStatus = "active" | "paused" | "disabled";

/** Id of the workflow (TypeID, `wf_…`). */
export type WorkflowId = string;

/** Steps that run durably, one after another. A text `{% … %}` is a JSONata expression over `{ input, steps, item, index, last, error }` and becomes its value; within a longer text it becomes part of the text. */
export interface Workflow {
  /** The workflow's name, for people. */
  name: string;
  steps: WorkflowSteps;
  /** The `output` of the run; by default the last step's output. */
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
  /** The approval of exactly this input, if the operation requires one. */
  approvalId?: string | undefined;
  /** The connection whose credential the operation uses, if it uses one. */
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
  /** The request to decide on, as a sentence for a person. */
  summary: string;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Executes the first case whose condition holds. Output: that of the last executed step, otherwise null. */
  type: "branch";
  /** The cases, judged in order. */
  cases: WorkflowCase[];
  /** The steps if no case holds. */
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
  /** The number of items at a time, 1 to 20. */
  concurrency: number;
  steps: WorkflowSteps;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Runs branches at the same time. Output: an object with the output of each branch's last step, by the branch's id. The first failure fails the step; the other branches [end](/docs/compensation) before their next step. */
  type: "parallel";
  /** The branches, 2 to 10. */
  branches: WorkflowBranch[];
  /** The number of branches at a time; by default all. */
  concurrency?: number | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Runs steps, `catch` if one of them [fails](/docs/compensation), and `finally` in either case. Output: that of the last of `steps`, or of `catch` if it ran. Cancellation and expiry of the run are not caught. `timeoutSeconds` limits `steps` alone. */
  type: "try";
  catch?: WorkflowCatch | undefined;
  steps: WorkflowSteps;
  /** Steps that run last, whether or not the others have failed. */
  finally?: WorkflowSteps | undefined;
} | {
  /** Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`). */
  id: string;
  retry?: WorkflowRetry | undefined;
  /** How long an attempt may take; after that it fails with `service_timeout`. */
  timeoutSeconds?: number | undefined;
  /** Repeats steps while `when` holds, with `index` and `last` in their expressions. Output: that of the last step of the last iteration, otherwise null. Fails with `query_limit_exceeded` if `when` still holds after `maxIterations`. */
  type: "while";
  /** The condition, evaluated before each iteration: it holds unless the value is false, null, 0 or empty. `last` is the output of the previous iteration; undefined before the first. */
  when: unknown;
  /** The maximum number of iterations, 1 to 1000. */
  maxIterations: number;
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
  /** Runs a stored workflow as a run of its own, in the name of the same caller, and waits for its end; it is cancelled with this run. At most 5 deep. Output: that workflow's output. */
  type: "run";
  /** The name under which the workflow is stored. */
  name: string;
  /** The version; by default the newest at that time. */
  version?: number | undefined;
  /** Its input, which its expressions read as `input`. */
  input?: unknown;
};

/** How often, and when, a failed step is attempted again. */
export interface WorkflowRetry {
  /** How many attempts there are in all, 1 to 10. */
  maxAttempts: number;
  /** How long to wait before the second attempt. */
  backoffSeconds: number;
  /** The factor by which each further wait is longer. */
  factor: number;
  /** The error codes that are attempted again. By default the retryable ones, and `service_failed`; `service_timeout` only for GET, PUT and DELETE. */
  on?: ("invalid_request" | "invalid_json" | "idempotency_key_required" | "idempotency_key_invalid" | "credential_in_url" | "credential_in_body" | "unauthenticated" | "api_key_expired" | "api_key_revoked" | "ancestor_expired" | "ancestor_revoked" | "signature_invalid" | "credit_token_invalid" | "payment_required" | "insufficient_credits" | "scope_missing" | "service_not_allowed" | "operation_not_allowed" | "project_not_allowed" | "end_user_not_allowed" | "delegation_exceeds_parent" | "policy_denied" | "approval_required" | "quota_exceeded" | "not_found" | "method_not_allowed" | "length_required" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "idempotency_in_progress" | "state_conflict" | "already_exists" | "settlement_pending" | "quote_expired" | "cursor_expired" | "callback_over" | "operation_sunset" | "checksum_mismatch" | "payment_invalid" | "query_limit_exceeded" | "limit_exhausted" | "service_rate_limited" | "internal" | "service_failed" | "service_unavailable" | "service_timeout")[] | undefined;
}

/** Has the step wait, without a worker, until somebody [calls back](/docs/waiting) at the address that its texts read as `{% callback.url %}`. The posted body is its output. */
export interface WorkflowCallback {
  /** How long it waits, up to 30 days. */
  timeoutSeconds: number;
  /** How long it waits at most between two heartbeats. */
  heartbeatSeconds?: number | undefined;
}

/** An event that a step waits for. */
export interface AwaitedEvent {
  /** The name of one of your own events, or of [the platform's](/docs/events), e.g. `wallet.deposit.confirmed`. */
  name: string;
  /** The event's key; by default any. The platform's events have none. */
  key?: string | undefined;
  /** The conditions on the event; all of them must hold. */
  where?: EventCondition[] | undefined;
}

/** Steps under a condition. */
export interface WorkflowCase {
  /** The condition: the case is executed unless the value is false, null, 0 or empty. The first case whose condition holds wins. */
  when: unknown;
  steps: WorkflowSteps;
}

/** Steps that run beside those of other branches. */
export interface WorkflowBranch {
  /** Names the branch; no step and no other branch of the workflow has this id. */
  id: string;
  steps: WorkflowSteps;
}

/** Steps that run if the others have failed. Their expressions read `error`: `{ code, message, step }`. */
export interface WorkflowCatch {
  /** The error codes that are caught; by default all. */
  on?: ("invalid_request" | "invalid_json" | "idempotency_key_required" | "idempotency_key_invalid" | "credential_in_url" | "credential_in_body" | "unauthenticated" | "api_key_expired" | "api_key_revoked" | "ancestor_expired" | "ancestor_revoked" | "signature_invalid" | "credit_token_invalid" | "payment_required" | "insufficient_credits" | "scope_missing" | "service_not_allowed" | "operation_not_allowed" | "project_not_allowed" | "end_user_not_allowed" | "delegation_exceeds_parent" | "policy_denied" | "approval_required" | "quota_exceeded" | "not_found" | "method_not_allowed" | "length_required" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "idempotency_in_progress" | "state_conflict" | "already_exists" | "settlement_pending" | "quote_expired" | "cursor_expired" | "callback_over" | "operation_sunset" | "checksum_mismatch" | "payment_invalid" | "query_limit_exceeded" | "limit_exhausted" | "service_rate_limited" | "internal" | "service_failed" | "service_unavailable" | "service_timeout" | "approval_rejected" | "cancelled" | "depth_limit_exceeded" | "expired" | "size_limit_exceeded" | "timeline_limit_exceeded")[] | undefined;
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
  /** The SHA-256 of the RFC 8785 form of `{ workflow, inputSchema, description }`, in hex. */
  digest: string;
  /** A description of this version or of its changes. */
  description: string | null;
  /** The status. An archived workflow can be neither started nor put. */
  status: "active" | "archived";
  /** The time when it was archived. */
  archivedAt: string | null;
  /** The project of the workflow. */
  projectId: string | null;
  /** The end user of the workflow. */
  endUser: string | null;
  /** The time when this version was put. */
  createdAt: string;
  /** The author of this version. */
  createdBy: {
    /** The kind of author: a key or a person. */
    type: "key" | "member" | "system";
    /** The id of the key or member. */
    id: string | null;
    /** The key's label or the person's name at that time. */
    label: string;
  };
}

/** A stored text that can be searched. */
export interface Memory {
  /** Id of the memory (TypeID, `mem_…`). */
  id: string;
  /** The memory's name; null if it has none. */
  name: string | null;
  /** The stored text. */
  content: string;
  /** The memory's tags, in the order they were sent. */
  tags: string[];
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: string | null;
  /** Your own id of the end user that the memory belongs to; null if none. */
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
  /** The memory's name; null if it has none. */
  name: string | null;
  /** The stored text. */
  content: string;
  /** The memory's tags, in the order they were sent. */
  tags: string[];
  /** The customer's own values, at most 50 keys and 16 KB. */
  metadata: Record<string, unknown>;
  projectId: string | null;
  /** Your own id of the end user that the memory belongs to; null if none. */
  endUser: string | null;
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
  /** The relevance, between 0 and 1; only comparable within one response. */
  score: number;
  /** An excerpt as HTML: matches are in `<mark>`, everything else is escaped. */
  highlight: string;
}

/** A time, an event or a delivery at which a trigger starts a run. */
export interface TriggerTick {
  /** The time of the schedule; for a start by hand, the time of the request; for an event or delivery, the time of its arrival or replay. */
  scheduledAt: string;
  /** The cause; `event` includes deliveries to the trigger's webhook. */
  kind: "schedule" | "event" | "fire" | "backfill";
  /** The state: `skipped` by `overlap` or a pause, `missed` if the run could not be started in time, `refused` if its run was refused. */
  state: "waiting" | "started" | "skipped" | "missed" | "refused";
  /** The started run. */
  runId: string | null;
  /** The event or delivery. */
  eventId: string | null;
  error: {
    /** The error code. */
    code: string;
    /** The error message. */
    message: string;
  } | null;
}

/** The effects of an event. */
export interface SentEvent {
  /** The event's id. */
  eventId: string;
  /** The number of runs that the event resumed. */
  resumed: number;
  /** The number of triggers that start a run for the event; a paused trigger starts it when it is resumed. */
  started: number;
  /** Whether an event with this `id` was sent before; if so, nothing happened. */
  repeated: boolean;
}
