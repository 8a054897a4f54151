import { heading, json, list, type Page, paragraph, samples } from "../page.ts";
import { HEADERS } from "./invoke-triggers.ts";
import { connect } from "./sdk.ts";

/** A workflow in the form that `put` of `managed-workflows` stores, and a trigger for `put` of `managed-triggers`. */
interface Automation {
  workflow?: { name: string; workflow: { name: string; steps: object[]; output?: unknown } };
  trigger?: { name: string; on: object; start: object; overlap?: string };
}

/** Writes the usage of the previous day to a file, each night. */
export const NIGHTLY_REPORT = {
  workflow: {
    name: "nightly-report",
    workflow: {
      name: "Nightly report",
      steps: [
        { id: "usage", type: "operation", operation: "usage.read", query: { groupBy: "operation" } },
        {
          id: "report",
          type: "artifact",
          name: "usage-{% $substring(input.scheduledAt, 0, 10) %}.json",
          mediaType: "application/json",
          content: "{% $string(steps.usage) %}",
        },
      ],
    },
  },
  trigger: {
    name: "nightly-report",
    on: { cron: "0 2 * * *", timezone: "Europe/Berlin" },
    start: { serviceId: "managed-workflows", operationId: "start", input: { name: "nightly-report" } },
  },
} satisfies Automation;

const order = { connectionId: "{% input.connectionId %}", method: "POST" };

/** Charges an order and has a warehouse pack its parcel; refunds the charge if packing fails. */
export const ORDER = {
  workflow: {
    name: "fulfil-order",
    workflow: {
      name: "Fulfil an order",
      steps: [
        {
          id: "order",
          type: "try",
          steps: [
            {
              id: "charge",
              type: "http",
              ...order,
              url: "{% input.shop %}/charges",
              body: { order: "{% input.order %}", amount: "{% input.amount %}" },
            },
            {
              id: "pack",
              type: "http",
              ...order,
              url: "{% input.shop %}/parcels",
              body: { order: "{% input.order %}", answerTo: "{% callback.url %}" },
              callback: { timeoutSeconds: 172_800, heartbeatSeconds: 14_400 },
            },
          ],
          catch: {
            steps: [
              {
                id: "charged",
                type: "branch",
                cases: [
                  {
                    when: "{% $exists(steps.charge) %}",
                    steps: [
                      {
                        id: "refund",
                        type: "http",
                        ...order,
                        url: "{% input.shop %}/refunds",
                        body: { order: "{% input.order %}", why: "{% error.message %}" },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        },
      ],
    },
  },
} satisfies Automation;

const SHARE = {
  walletId: "{% input.event.data.transaction.walletId %}",
  from: {
    network: "{% input.event.data.transaction.network %}",
    asset: "native",
    amount: "{% $string($round($number(input.event.data.transaction.amount) * 0.9, 6)) %}",
  },
  to: { network: "{% input.event.data.transaction.network %}", asset: "{% input.into %}" },
};

/** Swaps a wallet's incoming payments for a stable token, and notifies a person. */
export const EXCHANGE = {
  workflow: {
    name: "exchange-deposit",
    workflow: {
      name: "Exchange a deposit",
      steps: [
        { id: "quote", type: "operation", operation: "swaps.quote", body: SHARE },
        {
          id: "swap",
          type: "operation",
          operation: "swaps.execute",
          body: { quoteId: "{% steps.quote.quote.id %}" },
        },
        {
          id: "done",
          type: "await",
          events: [
            {
              name: "swap.completed",
              where: [{ path: "data.swap.id", op: "eq", value: "{% steps.swap.swap.id %}" }],
            },
          ],
          timeoutSeconds: 3600,
        },
        {
          id: "tell",
          type: "http",
          connectionId: "{% input.connectionId %}",
          method: "POST",
          url: "{% input.tell %}",
          body: {
            deposited: "{% input.event.data.transaction.amount %}",
            received: "{% steps.done.event.data.swap.to.received %}",
          },
        },
      ],
    },
  },
  trigger: {
    name: "exchange-deposits",
    on: {
      event: "wallet.deposit.confirmed",
      where: [{ path: "data.transaction.asset", op: "eq", value: "native" }],
    },
    start: {
      serviceId: "managed-workflows",
      operationId: "start",
      input: {
        name: "exchange-deposit",
        input: {
          into: "TOKEN_ADDRESS",
          connectionId: "CONNECTION_ID",
          tell: "https://hooks.example.com/swaps",
        },
      },
    },
    overlap: "allow",
  },
} satisfies Automation;

/** Runs an agent that answers issues; each of its changes waits for a person's approval. */
export const TRIAGE = {
  trigger: {
    name: "triage",
    on: {
      webhook: { scheme: "github", secret: "a secret that GitHub has too" },
      where: [{ path: "data.action", op: "eq", value: "opened" }],
    },
    start: {
      serviceId: "managed-agents",
      operationId: "respond",
      input: {
        input: "{% event.data.issue.title %}: {% event.data.issue.body %}",
        instructions: "Say whether this is a known problem. Remember each that is new, with its title.",
        tools: ["services.invoke.managed-memory.search", "services.invoke.managed-memory.put"],
        approveWrites: true,
      },
    },
    overlap: "allow",
  },
} satisfies Automation;

function put(baseUrl: string, service: string, input: object, before = "") {
  return samples({
    sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/${service}/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify({ operationId: "put", input })}'`,
    ts: `${before}console.log(await platform.services.invoke("${service}", ${JSON.stringify({ operationId: "put", input })}));`,
  });
}

/** Returns the guide to complete automations: workflows, and the triggers that start them. */
export function automationsPage(baseUrl: string): Page {
  return {
    path: "/docs/automations",
    title: "Four automations",
    lead: "Complete examples of stored workflows and their triggers. Each is active as soon as it is stored.",
    blocks: [
      paragraph(
        "The key that stores a trigger owns its runs: they have the key's rights, and are charged to its account.",
      ),
      heading("A report each night"),
      paragraph(
        "A [stored workflow](/docs/workflows) reads the usage and writes it as an artifact; a [trigger](/docs/schedules) starts it at two o'clock local time, also when daylight saving time changes. `fire` of `managed-triggers` starts it at once.",
      ),
      json(NIGHTLY_REPORT.workflow.workflow),
      put(baseUrl, "managed-workflows", NIGHTLY_REPORT.workflow, `${connect(baseUrl)}\n`),
      put(baseUrl, "managed-triggers", NIGHTLY_REPORT.trigger),
      heading("An order with a warehouse"),
      paragraph(
        "People pack the parcel: the step sends a [callback address](/docs/waiting), and waits for up to two days without a worker. A heartbeat must arrive every four hours. If it does not, or the warehouse reports an `error`, `catch` [refunds](/docs/compensation) the charge.",
      ),
      json(ORDER.workflow.workflow),
      put(baseUrl, "managed-workflows", ORDER.workflow),
      paragraph(
        "Start it by creating a run of `managed-workflows` / `start` with `{ shop, order, amount, connectionId }`; `connectionId` is the connection to the shop's host.",
      ),
      heading("A deposit that is exchanged"),
      paragraph(
        "Each deposit in the network's native asset starts a run by the platform's [event](/docs/events). The run quotes and executes a swap within the wallet's policy, waits for `swap.completed`, and notifies your endpoint. The received token is not the native asset, so it starts no further run. A tenth of the deposit stays in the wallet for network fees.",
      ),
      json(EXCHANGE.workflow.workflow),
      put(baseUrl, "managed-workflows", EXCHANGE.workflow),
      put(baseUrl, "managed-triggers", EXCHANGE.trigger),
      heading("An agent that asks"),
      paragraph(
        "GitHub delivers to the trigger's [address](/docs/inbound-webhooks), and each opened issue starts an [agent](/docs/agents). It searches on its own; what it wants to remember waits for a person's [approval](/docs/approvals), without a worker.",
      ),
      put(baseUrl, "managed-triggers", TRIAGE.trigger),
      list([
        "The delivery counts once, however often GitHub sends it.",
        "The agent is told about a rejected approval, and continues without that action.",
        "`GET /runs` with `triggerId` lists the runs and their outcomes.",
      ]),
    ],
  };
}
