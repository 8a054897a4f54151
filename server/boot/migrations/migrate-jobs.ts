import { runMigrations } from "graphile-worker";
import { jobsLogger } from "../../jobs/logger.ts";

/** Brings the tables of jobs up to date. */
export const migrateJobs = (url: string): Promise<void> =>
  runMigrations({ connectionString: url, logger: jobsLogger });
