import type { z } from "zod";
import type { StreamKind } from "./open-streams.ts";

/** The events that an operation streams. */
export interface StreamOutput {
  description: string;
  /** Each event's name with its description and data. */
  events: Record<string, { description: string; data: z.ZodObject }>;
  /** The form of event ids, which clients send back as `Last-Event-ID`. */
  id: { description: string; example: string };
}

/** An event to send; `data` is JSON on one line. */
export interface StreamEvent {
  event: string;
  id?: string;
  data: string;
}

/** Yields events in sending order, a few at a time; ends when no more will come. */
export type OpenEvents = (signal: AbortSignal) => AsyncGenerator<readonly StreamEvent[], void>;

/** The result of a handler that streams events. */
export class StreamResult {
  /** Null if the client has received everything and need not reconnect. */
  readonly open: OpenEvents | null;
  readonly accountId: string;
  readonly kind: StreamKind;
  /**
   * Judges again whether the caller may continue, and throws if not; by default judges the call as at its
   * start.
   */
  readonly judge: (() => Promise<void>) | undefined;

  constructor(
    accountId: string,
    open: OpenEvents | null,
    { kind = "key", judge }: { kind?: StreamKind; judge?: () => Promise<void> } = {},
  ) {
    this.accountId = accountId;
    this.open = open;
    this.kind = kind;
    this.judge = judge;
  }
}
