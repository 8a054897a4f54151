import { Logger } from "graphile-worker";
import { log } from "../log.ts";

/** The job library's log as part of ours; what it tells of every single job is left out. */
export const jobsLogger = new Logger(() => (level, message, meta) => {
  const fields = meta?.error === undefined ? {} : { error: meta.error };
  if (level === "error") log.error(message, fields);
  if (level === "warning") log.warn(message, fields);
});
