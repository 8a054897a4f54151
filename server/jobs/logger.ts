import { Logger } from "graphile-worker";
import { log } from "../log.ts";

/** The job library's log as part of ours: without what it says of every single job, and without stacks in its sentences. */
export const jobsLogger = new Logger(() => (level, message, meta) => {
  const fields = meta?.error === undefined ? {} : { error: meta.error };
  const [sentence = ""] = message.split("\n", 1);
  if (level === "error") log.error(sentence, fields);
  if (level === "warning") log.warn(sentence, fields);
});
