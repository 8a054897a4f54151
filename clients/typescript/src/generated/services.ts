// Written by `npm run openapi`; edit the platform's schemas instead.

import type { Workflow, StoredWorkflow, Memory, FoundMemory, Artifact, Trigger, TriggerTick, SentEvent } from "./types.ts";

/** What the platform's own services take and answer. */
export interface Services {
  "managed-agents": {
    /** Run an agent */
    "respond": { input: {
      /** What the agent is to do or answer. */
      input: string;
      /** How it is to behave, whatever the input says. */
      instructions?: string | undefined;
      /** Selectors of the actions that it may use, exact or aggregate, `*` for all; of these it gets those that the key may use at the time. `write_artifact` lets it leave files as artifacts of its run. By default the read-only ones and `write_artifact`. */
      tools?: string[] | undefined;
      /** The connection to a model endpoint of the account's own, instead of the platform's. */
      connectionId?: string | undefined;
      /** The model to ask; by default the endpoint's own default. */
      model?: string | undefined;
      /** How many times the model is asked at most; the tools that it then calls belong to the step. */
      maxSteps?: number | undefined;
      /** How many tokens the model may use in all, input and output. */
      maxTokens?: number | undefined;
      /** What the run's tokens and its tools' charges may come to together. */
      maxCredits?: number | undefined;
      /** Whether a person approves each call that changes something before it is made. */
      approveWrites?: boolean | undefined;
    }; output: {
      /** The model's last words. */
      output: string;
      /** What it did, model call by model call. */
      steps: {
        /** What the model said. */
        text: string;
        /** What it called, in its order. */
        toolCalls: {
          /** The tool, as the model called it. */
          tool: string;
          /** The action behind it; null where there is none. */
          operation: string | null;
          /** `refused` was not tried (no such tool, arguments that can't be read, too expensive), `rejected` was not approved. */
          outcome: "succeeded" | "failed" | "refused" | "rejected";
          /** Why it did not succeed. */
          errorCode: string | null;
          /** What it was charged, or may be at most where its work goes on. */
          chargedCredits: number;
        }[];
        usage: {
          /** Tokens that the model was sent. */
          inputTokens: number;
          /** Tokens that it answered with. */
          outputTokens: number;
        };
      }[];
      /** All model calls together. */
      usage: {
        /** Tokens that the model was sent. */
        inputTokens: number;
        /** Tokens that it answered with. */
        outputTokens: number;
      };
      /** `stop`: it was done. `max_steps`, `max_tokens`, `max_credits`: that bound was reached. `length`: the model's own bound was. */
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
      /** What expressions read as `input`. */
      input?: unknown;
    }; output: {
      /** The workflow's `output`, else the last step's output. */
      output: unknown;
    } };
    /** Start a stored workflow */
    "start": { input: {
      /** The name under which the workflow is stored. */
      name: string;
      /** The version; by default the newest when the run is made. The run never changes to another. */
      version?: number | undefined;
      /** What expressions read as `input`. */
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
      /** What this version does, or changes. */
      description?: string | undefined;
      /** Stores it only where this is the newest version; 0: only where there is none of this name. */
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
      /** Lists the versions of this one that are kept, the newest first. */
      name?: string | undefined;
      /** Only workflows with this status. */
      status?: "active" | "archived" | undefined;
      /** How many to answer at most, 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    }; output: {
      workflows: StoredWorkflow[];
      /** Pass it as `cursor` for the next page; null at the end. */
      nextCursor: string | null;
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
      /** The text to keep, up to 256 KB. */
      content: string;
      /** A name replaces the memory that has it; none makes a new one. */
      name?: string | undefined;
      /** To filter by. */
      tags?: string[] | undefined;
      /** The customer's own values, at most 50 keys and 16 KB. */
      metadata?: Record<string, unknown> | undefined;
    }; output: {
      memory: Memory;
    } };
    /** Get a memory */
    "get": { input: {
      /** Id of the memory. */
      id: string;
    } | {
      /** Names the memory within its account, project and end user. */
      name: string;
    }; output: {
      memory: Memory;
    } };
    /** List memories */
    "list": { input: {
      /** Only memories that have all of these. */
      tags?: string[] | undefined;
      /** How many to answer at most, 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    }; output: {
      memories: Memory[];
      /** Pass it as `cursor` for the next page; null at the end. */
      nextCursor: string | null;
    } };
    /** Search memories */
    "search": { input: {
      /** Words that must all occur, each also as the beginning of a longer one; "several words" in this order, -word for one that must not occur, or between alternatives. Case and accents do not matter. */
      query: string;
      /** Only memories that have all of these. */
      tags?: string[] | undefined;
      /** Only memories whose metadata contains this. */
      metadata?: Record<string, unknown> | undefined;
      /** How many to answer at most, 1 to 100. */
      limit?: number | undefined;
    }; output: {
      memories: FoundMemory[];
    } };
    /** Delete a memory */
    "delete": { input: {
      /** Id of the memory. */
      id: string;
    } | {
      /** Names the memory within its account, project and end user. */
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
      /** When it starts runs: one of `cron`, `everySeconds` and `at`. */
      on: {
        /** A crontab line of five fields: minute, hour, day of the month, month, day of the week. Names (`MON-FRI`), steps (`*\/15`), `L` (the last day) and `#` (`MON#1`: the first Monday) are known. */
        cron?: string | undefined;
        /** The time zone of `cron`, by its IANA name; by default UTC. */
        timezone?: string | undefined;
        /** Every so many seconds, counted from when it was put. */
        everySeconds?: number | undefined;
        /** Once, at this moment. */
        at?: string | undefined;
      };
      /** The run that it creates, as `POST /runs` takes it. */
      start: {
        /** The service, e.g. `managed-memory`. */
        serviceId: string;
        /** The service's operation, e.g. `put`. */
        operationId: string;
        /** The operation's input; `GET /capabilities/{serviceId}` has its schema. */
        input: unknown;
        /** The connection whose credential the operation uses, where it uses one. */
        connectionId?: string | undefined;
        /** How many times it is tried at most. */
        maxAttempts?: number | undefined;
        /** After how many seconds it is given up, if it has not ended. */
        expiresInSeconds?: number | undefined;
      };
      /** What becomes of a time at which a run of it has not ended: it is passed over (`skip`), started once that has ended (`queue_one`: one waits, others are passed over), started beside it (`allow`), or that is cancelled and it is started then (`cancel_previous`). */
      overlap?: "skip" | "queue_one" | "allow" | "cancel_previous" | undefined;
      /** How late a run may be started, where nothing could be started at its time; later ones are missed. */
      catchUpSeconds?: number | undefined;
      /** Starts each run by up to so many seconds later, another number for each. */
      jitterSeconds?: number | undefined;
      /** After how many runs in a row that failed, or could not be started, it is paused. */
      pauseAfterFailures?: number | undefined;
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
      /** How many to answer at most, 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    }; output: {
      triggers: Trigger[];
      /** Pass it as `cursor` for the next page; null at the end. */
      nextCursor: string | null;
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
      /** The first moment of the time to make up for. */
      from: string;
      /** The moment after it, not in the future. */
      to: string;
    }; output: {
      trigger: Trigger;
      /** How many runs will be started. */
      asked: number;
      /** How many of the times had a run, or wait for theirs. */
      left: number;
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
      /** What has happened. */
      name: string;
      /** Which one it is about, e.g. an order's number. */
      key?: string | undefined;
      /** What steps that waited for it read; 64 KB of JSON at most. Null by default. */
      data?: unknown;
      /** Your own id of it, e.g. that of a provider's delivery: within a day it counts once, and further ones answer as the first. */
      id?: string | undefined;
    }; output: SentEvent };
  };
}
