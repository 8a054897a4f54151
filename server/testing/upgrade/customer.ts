import { expect } from "vitest";
import { ALL_SCOPES, unique } from "../api.ts";
import { eventually } from "../eventually.ts";
import { startLoops } from "../load.ts";
import { type Follower, follow } from "./follow.ts";

/** The status with which each kind of call has to be answered, always. */
const STATUSES = {
  list: 200,
  create: 201,
  invoke: 200,
  send: 200,
  ask: 201,
  decide: 200,
  run: 202,
  read: 200,
  stream: 200,
};
type Kind = keyof typeof STATUSES;

interface Answer {
  kind: Kind;
  began: number;
  status: number;
  /** The port of the process that answered. */
  port: number;
  requestId: string;
  error?: string;
}

const PAUSE_MS = 400;

/** Stores the key of each event of an order. */
const TRIGGER = {
  name: "orders",
  on: { event: "order" },
  start: { serviceId: "managed-memory", operationId: "put", input: { content: "ordered {% event.key %}" } },
  overlap: "allow",
};

/** Stores its marker twice, in two steps with a wait between them. */
const short = (marker: string) => ({
  name: marker,
  steps: [
    keep("before", `${marker} before`),
    { id: "pause", type: "wait", seconds: 1 },
    keep("after", `${marker} after`),
  ],
});

/** Stores its marker with each number, and then awaits the event of that number, until one says `end`. */
const long = (marker: string) => ({
  name: marker,
  steps: [
    {
      id: "each",
      type: "while",
      when: "{% $not(last.event.data = 'end') %}",
      maxIterations: 1000,
      steps: [
        keep("keep", `${marker} {% index %}`),
        {
          id: "turn",
          type: "await",
          events: [{ name: "turn", key: `${marker} {% index %}` }],
          timeoutSeconds: 3600,
        },
      ],
    },
  ],
});

const keep = (id: string, content: string) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId: "put",
  input: { content },
});

/**
 * Starts a customer's backend that lists, creates, invokes, has actions approved, sends events to a trigger, runs and
 * follows runs by streams, all at the same time, and repeats no call.
 */
export async function startCustomer(origin: string, creditToken: string) {
  const answers: Answer[] = [];
  const projects: string[] = [];
  const contents: string[] = [];
  const followers = new Map<string, Follower>();
  let charged = 0;
  let key = "";

  function note(kind: Kind, began: number, { status, headers }: Response, error?: string) {
    const port = Number(headers.get("x-served-by"));
    const requestId = headers.get("x-request-id") ?? "";
    answers.push({ kind, began, status, port, requestId, ...(error && { error }) });
  }

  async function call(kind: Kind, method: string, path: string, body?: object) {
    const began = performance.now();
    const headers = {
      ...(key ? { authorization: `Bearer ${key}` } : { "x-service-credit-token": creditToken }),
      ...(body && { "content-type": "application/json", "idempotency-key": unique("call") }),
    };
    const { response, text } = await fetch(origin + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((reason: unknown) => {
        note(kind, began, Response.error(), String(reason));
        throw reason;
      });
    // A balancer that knows no healthy process answers without a body.
    const answer = text ? JSON.parse(text) : {};
    note(kind, began, response, answer.error && `${answer.error.code}: ${answer.error.message}`);
    charged += answer.chargedCredits ?? 0;
    return answer;
  }

  /** Returns the answers with another status than they must have. */
  const failures = () => answers.filter(({ kind, status }) => status !== STATUSES[kind]);

  const invoke = (kind: Kind, serviceId: string, operationId: string, input: object) =>
    call(kind, "POST", `/v1/services/${serviceId}/invoke`, { operationId, input });

  /** Starts a run of this workflow, and follows it. */
  async function start(workflow: object): Promise<Follower> {
    const { run } = await call("run", "POST", "/v1/runs", {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow },
    });
    const address = `${origin}/v1/runs/${run.id}/events`;
    const follower = follow(address, key, (began, response) => note("stream", began, response));
    followers.set(run.id, follower);
    return follower;
  }

  const works = {
    list: () => call("list", "GET", "/v1/projects?limit=5"),
    async create() {
      const name = unique("project");
      projects.push(name);
      await call("create", "POST", "/v1/projects", { name });
    },
    async invoke() {
      const content = unique("memory");
      contents.push(content);
      await invoke("invoke", "managed-memory", "put", { content });
    },
    async order() {
      const order = unique("order");
      contents.push(`ordered ${order}`);
      await invoke("send", "managed-events", "send", { name: "order", key: order });
    },
    async remove() {
      const name = unique("removed");
      await invoke("invoke", "managed-memory", "put", { name, content: name });
      const action = { serviceId: "managed-memory", operationId: "delete", input: { name } };
      const { approval } = await call("ask", "POST", "/v1/approvals/service-actions", action);
      const decision = { decision: "approve", payloadHash: approval.payloadHash };
      await call("decide", "POST", `/v1/approvals/${approval.id}`, decision);
      const approved = { operationId: "delete", input: { name }, approvalId: approval.id };
      await call("invoke", "POST", "/v1/services/managed-memory/invoke", approved);
    },
    async run() {
      const marker = unique("run");
      contents.push(`${marker} before`, `${marker} after`);
      await (await start(short(marker))).ended;
    },
  };

  ({ secret: key } = await call("create", "POST", "/v1/api-keys", { label: "Backend", scopes: ALL_SCOPES }));
  await invoke("invoke", "managed-triggers", "put", TRIGGER);
  const longRuns = await Promise.all(
    ["first", "second"].map(async (name) => ({ marker: name, turns: 0, follower: await start(long(name)) })),
  );
  type LongRun = (typeof longRuns)[number];

  /** A run that has ended goes on no more. */
  const failsIfItEnds = ({ follower }: LongRun) =>
    follower.ended.then((run) => {
      if (run.status !== "succeeded") throw new Error(`A run has ended: ${JSON.stringify(run)}`);
      return new Promise<never>(() => undefined);
    });

  async function turn(run: LongRun, data: "next" | "end") {
    const before = run.follower.seen.length;
    const content = `${run.marker} ${run.turns++}`;
    contents.push(content);
    await invoke("send", "managed-events", "send", { name: "turn", key: content, data });
    const hasGoneOn = eventually(async () => run.follower.seen.length > before || undefined);
    await Promise.race([hasGoneOn, failsIfItEnds(run)]);
  }

  const loops = startLoops(
    [...Object.values(works), works.run, ...longRuns.map((run) => () => turn(run, "next"))].map((work) => ({
      work,
      pauseMs: PAUSE_MS,
    })),
  );

  async function end() {
    await loops.stop();
    await Promise.all(longRuns.map((run) => turn(run, "end")));
    await Promise.all([...followers.values()].map(({ ended }) => ended));
  }

  return {
    answers,
    projects,
    contents,
    followers,
    /** The followers of the runs that last as long as the load. */
    longest: longRuns.map(({ follower }) => follower),
    /** Waits until each of these processes has answered calls of each kind that began after now. */
    async untilServedBy(ports: readonly number[]) {
      const since = performance.now();
      const kinds = Object.keys(STATUSES).filter((kind) => kind !== "read") as Kind[];
      await eventually(async () => {
        expect(failures()).toEqual([]);
        const recent = answers.filter(({ began }) => began > since);
        const isServed = (kind: Kind, port: number) =>
          recent.some((answer) => answer.kind === kind && answer.port === port);
        return ports.every((port) => kinds.every((kind) => isServed(kind, port))) || undefined;
      });
    },
    /** Ends the load and all runs. */
    async stop() {
      let hasEnded = false;
      const ending = end().then(() => {
        hasEnded = true;
      });
      // After a failed call a run may never end.
      const watching = eventually(async () => {
        expect(failures()).toEqual([]);
        return hasEnded || undefined;
      });
      await Promise.all([ending, watching]);
    },
    read: (path: string) => call("read", "GET", path),
    /** The credits that the answers to calls named. */
    charged: () => charged,
    failures,
  };
}
