import { Logger } from "graphile-worker";
import { log } from "../base/log.ts";

/**
 * Passes the job library's log to ours, without its messages about every single job and without stacks in its
 * messages.
 */
export const jobsLogger = new Logger(() => (level, message, meta) => {
  const fields = meta?.error === undefined ? {} : { error: meta.error };
  const [sentence = ""] = message.split("\n", 1);
  if (level === "error") log.error(sentence, fields);
  if (level === "warning") log.warn(sentence, fields);
});
