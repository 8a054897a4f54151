// Written by `npm run openapi`; edit the platform's schemas instead.

import type { Workflow, StoredWorkflow, NextCursor, Memory, FoundMemory, Artifact, TriggerCondition, ConcurrencyHold, Trigger, TriggerTick, SentEvent } from "./types.ts";

/** Inputs and results of the platform's own services. */
export interface Services {
  "managed-agents": {
    /** Run an agent */
    "respond": { input: {
      /** The task or question for the agent. */
      input: string;
      /** Instructions that apply whatever the input says. */
      instructions?: string | undefined;
      /** Selectors of the actions that the agent may use, exact or aggregate, `*` for all; it gets those that the key may use at the time. `write_artifact` lets it write files as artifacts of the run. By default the read-only actions and `write_artifact`. */
      tools?: string[] | undefined;
      /** A connection to your own model endpoint, in place of the platform's. */
      connectionId?: string | undefined;
      /** The model's name; by default the endpoint's default. */
      model?: string | undefined;
      /** The maximum number of steps: a model call with its tool calls is one step. */
      maxSteps?: number | undefined;
      /** The maximum number of tokens of all model calls, input and output. */
      maxTokens?: number | undefined;
      /** The maximum price of the run: its tokens and its tools' charges. */
      maxCredits?: number | undefined;
      /** True if each call that changes something waits for a person's approval. */
      approveWrites?: boolean | undefined;
    }; output: {
      /** The model's final text. */
      output: string;
      /** The steps, one per model call. */
      steps: {
        /** The text of the model's response. */
        text: string;
        /** The tool calls, in order. */
        toolCalls: {
          /** The tool's name as the model used it. */
          tool: string;
          /** The action that the tool runs; null if there is none. */
          operation: string | null;
          /** The outcome. `refused`: not tried (unknown tool, unreadable arguments, too expensive). `rejected`: not approved. */
          outcome: "succeeded" | "failed" | "refused" | "rejected";
          /** The error code of a call that did not succeed; otherwise null. */
          errorCode: string | null;
          /** The charged credits, or the maximum while the call's work continues. */
          chargedCredits: number;
        }[];
        usage: {
          /** The number of tokens sent to the model. */
          inputTokens: number;
          /** The number of tokens that the model generated. */
          outputTokens: number;
        };
      }[];
      /** The tokens of all model calls together. */
      usage: {
        /** The number of tokens sent to the model. */
        inputTokens: number;
        /** The number of tokens that the model generated. */
        outputTokens: number;
      };
      /** Why the agent ended. `stop`: it was done. `max_steps`, `max_tokens`, `max_credits`: this limit was reached. `length`: the model's own limit was reached. */
      finishReason: "stop" | "max_steps" | "max_tokens" | "max_credits" | "length" | "content_filter" | "other";
    } };
  };
  "managed-workflows": {
    /** Validate a workflow */
    "validate": { input: {
      /** The workflow, in whatever state it is. */
      workflow: unknown;
    }; output: {
      /** Whether it can be executed. */
      valid: boolean;
      /** Every fault. */
      issues: {
        /** Where the fault is within the workflow, e.g. `steps.0.input.name`. */
        path: string;
        /** What is wrong. */
        message: string;
      }[];
    } };
    /** Execute a workflow */
    "execute": { input: {
      workflow: Workflow;
      /** The value that expressions read as `input`. */
      input?: unknown;
    }; output: {
      /** The workflow's `output`, else the last step's output. */
      output: unknown;
    } };
    /** Start a stored workflow */
    "start": { input: {
      /** The name under which the workflow is stored. */
      name: string;
      /** The version; by default the newest when the run is created. The run keeps it. */
      version?: number | undefined;
      /** The value that expressions read as `input`. */
      input?: unknown;
    }; output: {
      /** The workflow's `output`, else the last step's output. */
      output: unknown;
    } };
    /** Store a workflow */
    "put": { input: {
      /** The name under which the workflow is stored. */
      name: string;
      workflow: Workflow;
      /** A JSON Schema (2020-12) that the input of a start must fulfil. */
      inputSchema?: Record<string, unknown> | undefined;
      /** A description of this version or of its changes. */
      description?: string | undefined;
      /** The number of the newest version, without which nothing is stored; 0 if there must be no workflow of this name. */
      ifVersion?: number | undefined;
    }; output: {
      workflow: StoredWorkflow;
    } };
    /** Get a stored workflow */
    "get": { input: {
      /** The name under which the workflow is stored. */
      name: string;
      /** The version; by default the newest. */
      version?: number | undefined;
    }; output: {
      workflow: StoredWorkflow;
      /** The workflow as it was put. */
      definition: Workflow;
      inputSchema: Record<string, unknown> | null;
    } };
    /** List stored workflows */
    "list": { input: {
      /** The name of a workflow whose stored versions to list, newest first. */
      name?: string | undefined;
      /** Only workflows with this status. */
      status?: "active" | "archived" | undefined;
      /** The maximum number of items, 1 to 100. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    }; output: {
      workflows: StoredWorkflow[];
      nextCursor: NextCursor;
    } };
    /** Archive a stored workflow */
    "archive": { input: {
      /** The name under which the workflow is stored. */
      name: string;
    }; output: {
      workflow: StoredWorkflow;
    } };
    /** Restore a stored workflow */
    "restore": { input: {
      /** The name under which the workflow is stored. */
      name: string;
    }; output: {
      workflow: StoredWorkflow;
    } };
  };
  "managed-memory": {
    /** Put a memory */
    "put": { input: {
      /** The text to store, up to 256 KB. */
      content: string;
      /** With a name, the memory of that name is replaced; without one, a new memory is created. */
      name?: string | undefined;
      /** Tags, by which lists and searches can filter. */
      tags?: string[] | undefined;
      /** The customer's own values, at most 50 keys and 16 KB. */
      metadata?: Record<string, unknown> | undefined;
      /** The `updatedAt` that you have read: the memory of that name is replaced only if it has not been changed or deleted since. */
      ifUpdatedAt?: string | undefined;
    }; output: {
      memory: Memory;
    } };
    /** Get a memory */
    "get": { input: {
      /** Id of the memory. */
      id: string;
    } | {
      /** The memory's name, unique within its account, project and end user. */
      name: string;
    }; output: {
      memory: Memory;
    } };
    /** List memories */
    "list": { input: {
      /** Only memories that have all of these tags. */
      tags?: string[] | undefined;
      /** The maximum number of memories in the page, 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      cursor?: string | undefined;
    }; output: {
      memories: Memory[];
      nextCursor: NextCursor;
    } };
    /** Search memories */
    "search": { input: {
      /** The words to search for. All must occur, also as beginnings of longer words. "several words" match in this order, -word must not occur, and or separates alternatives. Case and accents are ignored. */
      query: string;
      /** Only memories that have all of these tags. */
      tags?: string[] | undefined;
      /** Only memories whose metadata contains this. */
      metadata?: Record<string, unknown> | undefined;
      /** The maximum number of memories in the response, 1 to 100. */
      limit?: number | undefined;
    }; output: {
      memories: FoundMemory[];
    } };
    /** Delete a memory */
    "delete": { input: {
      /** Id of the memory. */
      id: string;
    } | {
      /** The memory's name, unique within its account, project and end user. */
      name: string;
    }; output: {
      memory: Memory;
    } };
    /** Export memories */
    "export": { input: Record<string, never>; output: {
      artifact: Artifact;
    } };
  };
  "managed-triggers": {
    /** Put a trigger */
    "put": { input: {
      /** The trigger's name. */
      name: string;
      /** The schedule or event that starts the runs: one of `cron`, `everySeconds`, `at`, `event` and `webhook`. */
      on: {
        /** A crontab line of five fields: minute, hour, day of the month, month, day of the week. Names (`MON-FRI`), steps (`*\/15`), `L` (the last day) and `#` (`MON#1`: the first Monday) are known. */
        cron?: string | undefined;
        /** The IANA name of the time zone of `cron`; by default UTC. */
        timezone?: string | undefined;
        /** The interval in seconds, counted from the time when the trigger was put. */
        everySeconds?: number | undefined;
        /** The time of the single run. */
        at?: string | undefined;
        /** The name of the event that starts a run: one of your own that `managed-events` sends in exactly the trigger's project and for its end user, or one of [the platform's](/docs/events) that its owner may read. */
        event?: string | undefined;
        /** Starts a run at each delivery that the provider has signed in this way. The response has the trigger's own `address` for deliveries. */
        webhook?: {
          /** How the provider signs: by Standard Webhooks (`standard`, as Svix, Clerk, Resend and this platform do), as Stripe, GitHub, Slack or Shopify do, with the hex or base64 of an HMAC-SHA256 of the body in a header (`hmac_sha256`), or not at all (`none`): then the address is the only secret. */
          scheme: "standard" | "stripe" | "github" | "slack" | "shopify" | "hmac_sha256" | "none";
          /** The provider's signing secret, as the provider shows it; stored encrypted and never returned. If it is left out when a trigger is put again with the same scheme, the trigger keeps its secret. */
          secret?: string | undefined;
          /** The header that has the signature of `hmac_sha256`, `x-signature` by default. */
          headerName?: string | undefined;
          /** The maximum number of deliveries per minute; further ones get 429. By default 600. */
          requestsPerMinute?: number | undefined;
        } | undefined;
        /** The conditions on the event or delivery; all of them must hold. */
        where?: TriggerCondition[] | undefined;
      };
      /** The run to create, in the form of the body of `POST /runs`. */
      start: {
        /** The service, e.g. `managed-memory`. */
        serviceId: string;
        /** The service's operation, e.g. `put`. */
        operationId: string;
        /** The operation's input; `GET /capabilities/{serviceId}` has its schema. */
        input: unknown;
        /** The connection whose credential the operation uses, if it uses one. */
        connectionId?: string | undefined;
        /** The maximum number of attempts. */
        maxAttempts?: number | undefined;
        /** The seconds after which the run expires, if it has not ended. */
        expiresInSeconds?: number | undefined;
        /** Tags for filters, up to 10 of 1 to 64 characters. */
        tags?: string[] | undefined;
        /** The priority among the account's runs that wait for a worker, -10 to 10: each point counts as a minute of waiting. It does not delay other accounts' runs. */
        priority?: number | undefined;
        /** Up to 3 keys, each of which limits the number of concurrent runs: the run is `queued` until all of them have a free slot. A key is shared by all services within account, project and end user. */
        concurrency?: {
          /** Your own text, 1 to 200 characters. */
          key: string;
          /** The maximum number of concurrent runs with this key, 1 to 1,000; the newest run's value counts. */
          limit: number;
          hold?: ConcurrencyHold | undefined;
        }[] | undefined;
        /** Starts one run for all calls with this key, after a quiet period. The last call replaces the earlier ones, their caller included. Calls with the same key belong together if operation, account, project and end user are the same. */
        debounce?: {
          /** Your own text, 1 to 200 characters. */
          key: string;
          /** The seconds without a further call after which the run starts, 1 to 86,400. */
          seconds: number;
          /** The seconds after which the run starts even if further calls arrive, at most 2,592,000. */
          maxSeconds?: number | undefined;
        } | undefined;
      };
      /** The policy for a time or event at which a run of the trigger has not ended. `skip`: no run is started. `queue_one`: one run is started after the end; further times are skipped. `allow`: a run is started at once. `cancel_previous`: the run is cancelled, and then another one is started. By default `skip`, of events `allow`. */
      overlap?: "skip" | "queue_one" | "allow" | "cancel_previous" | undefined;
      /** The maximum delay of a start, in seconds, if the run could not be started at its time; later ones are missed. An event waits for seven days. By default 3,600. */
      catchUpSeconds?: number | undefined;
      /** The maximum random delay of each start, in seconds. By default 0. */
      jitterSeconds?: number | undefined;
      /** The number of consecutive runs that failed or could not be started after which the trigger is paused. */
      pauseAfterFailures?: number | undefined;
      /** The `updatedAt` of the trigger that the change is based on; 409 if it has another one. Null if there must be no trigger of this name. */
      ifUpdatedAt?: string | null | undefined;
    }; output: {
      trigger: Trigger;
    } };
    /** Get a trigger */
    "get": { input: {
      /** The trigger's name. */
      name: string;
    }; output: {
      trigger: Trigger;
      /** The next times of its schedule, at most 5. */
      nextTimes: string[];
      /** The newest times, at most 50; they are kept for 30 days. */
      ticks: TriggerTick[];
    } };
    /** List triggers */
    "list": { input: {
      /** Only triggers with this status. */
      status?: "active" | "paused" | "ended" | undefined;
      /** The maximum number of items, 1 to 100. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    }; output: {
      triggers: Trigger[];
      nextCursor: NextCursor;
    } };
    /** Pause a trigger */
    "pause": { input: {
      /** The trigger's name. */
      name: string;
    }; output: {
      trigger: Trigger;
    } };
    /** Resume a trigger */
    "resume": { input: {
      /** The trigger's name. */
      name: string;
    }; output: {
      trigger: Trigger;
    } };
    /** Start a trigger's run now */
    "fire": { input: {
      /** The trigger's name. */
      name: string;
    }; output: {
      trigger: Trigger;
      /** The run's `scheduledAt`: now. */
      scheduledAt: string;
    } };
    /** Make up for times of a trigger */
    "backfill": { input: {
      /** The trigger's name. */
      name: string;
      /** The beginning of the period to make up for. */
      from: string;
      /** The end of the period, exclusive; not in the future. */
      to: string;
    }; output: {
      trigger: Trigger;
      /** How many runs will be started. */
      asked: number;
      /** How many of the times had a run, or wait for theirs. */
      left: number;
    } };
    /** Replay events of a trigger */
    "replay": { input: {
      /** The trigger's name. */
      name: string;
      /** Only this event or delivery; by default all that have started no run. */
      eventId?: string | undefined;
    }; output: {
      trigger: Trigger;
      /** How many events begin anew. */
      replayed: number;
    } };
    /** Rotate a trigger's address */
    "rotate_address": { input: {
      /** The trigger's name. */
      name: string;
      /** The seconds for which the previous address accepts deliveries too: a day by default, at most seven. */
      overlapSeconds?: number | undefined;
    }; output: {
      trigger: Trigger;
    } };
    /** Delete a trigger */
    "delete": { input: {
      /** The trigger's name. */
      name: string;
    }; output: {
      trigger: Trigger;
    } };
  };
  "managed-events": {
    /** Send an event */
    "send": { input: {
      /** The event's name. */
      name: string;
      /** The key of the object that the event is about, e.g. an order's number. */
      key?: string | undefined;
      /** The data for steps that wait for the event; at most 64 KB of JSON. Null by default. */
      data?: unknown;
      /** Your own id of the event, e.g. the id of a provider's delivery. Within a day, an event with the same id is sent once; repeats get the first response. */
      id?: string | undefined;
    }; output: SentEvent };
  };
}
