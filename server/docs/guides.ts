import { agentFromNothingPage } from "./guides/agent-from-nothing.ts";
import { agentsPage } from "./guides/agents.ts";
import { approvalsPage } from "./guides/approvals.ts";
import { automationsPage } from "./guides/automations.ts";
import { commandLinePage } from "./guides/command-line.ts";
import { compensationPage } from "./guides/compensation.ts";
import { connectAnAppPage } from "./guides/connect-an-app.ts";
import { connectClaudePage } from "./guides/connect-claude.ts";
import { connectCursorPage } from "./guides/connect-cursor.ts";
import { delegationPage } from "./guides/delegation.ts";
import { firstKeyPage } from "./guides/first-key.ts";
import { flowControlPage } from "./guides/flow-control.ts";
import { idempotencyPage } from "./guides/idempotency.ts";
import { inboundWebhooksPage } from "./guides/inbound-webhooks.ts";
import { mcpPage } from "./guides/mcp.ts";
import { servicesPage } from "./guides/operator-services.ts";
import { repairingPage } from "./guides/repairing.ts";
import { schedulesPage } from "./guides/schedules.ts";
import { selfHostingPage } from "./guides/self-hosting.ts";
import { spendingPage } from "./guides/spending.ts";
import { streamsPage } from "./guides/streams.ts";
import { topUpPage } from "./guides/top-up.ts";
import { typescriptPage } from "./guides/typescript.ts";
import { waitingPage } from "./guides/waiting.ts";
import { webhooksPage } from "./guides/webhooks.ts";
import { workflowsPage } from "./guides/workflows.ts";
import type { Page } from "./page.ts";

/** Returns every guide, in reading order. */
export function guidesOf(baseUrl: string, apiOrigin = baseUrl): Page[] {
  return [
    firstKeyPage(apiOrigin),
    delegationPage(apiOrigin),
    idempotencyPage(apiOrigin),
    topUpPage(apiOrigin),
    approvalsPage(apiOrigin),
    spendingPage(),
    webhooksPage(apiOrigin),
    streamsPage(apiOrigin),
    workflowsPage(apiOrigin),
    compensationPage(apiOrigin),
    waitingPage(apiOrigin),
    schedulesPage(apiOrigin),
    flowControlPage(apiOrigin),
    inboundWebhooksPage(baseUrl, apiOrigin),
    repairingPage(apiOrigin),
    automationsPage(apiOrigin),
    agentsPage(apiOrigin),
    typescriptPage(apiOrigin),
    commandLinePage(baseUrl),
    connectClaudePage(baseUrl),
    connectCursorPage(baseUrl),
    mcpPage(baseUrl, apiOrigin),
    connectAnAppPage(baseUrl),
    agentFromNothingPage(baseUrl),
    servicesPage(apiOrigin),
    selfHostingPage(),
  ];
}
