import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more: they wait for deadlines, leases and processes, or send thousands of requests. */
const LONG = new RegExp(
  `/(${[
    "(concurrency-)?killed|frozen|freeze-account|restarted|failover(-\\w+)?|rolling-restart|slow-database|await-survives|engine-guard",
    "neighbours|isolation|load|storage|large-(account|lists)|move-account|backup|funds-ends|torture",
    "bad-input|hostile-[^/]+|operations-http",
  ].join("|")})\\.test\\.ts$`,
);

/** Runs the longest files first, so that none of them runs alone at the end while the other workers are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
