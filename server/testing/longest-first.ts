import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more: they wait for deadlines, leases and processes, or send thousands of requests. */
const LONG = new RegExp(
  `/(${[
    "(concurrency-)?killed|frozen|freeze-account|restarted|failover(-\\w+)?|rolling-restart|slow-database|await-survives|engine-guard",
    "neighbours|isolation|load|storage|large-(account|lists)|move-account|backup|funds-ends|torture",
    "bad-input|hostile-[^/]+|operations-http",
  ].join("|")})\\.test\\.ts$`,
);

const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
const longFirst = (files: readonly TestSpecification[]) => [
  ...files.filter(isLong),
  ...files.filter((file) => !isLong(file)),
];

/** Runs the longest files first, so that none of them runs alone at the end while the other workers are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longFirst(await super.sort(files));
  }

  /** Deals the files out, so that each shard has as many long ones. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const byPath = files.toSorted((one, two) => (one.moduleId < two.moduleId ? -1 : 1));
    return longFirst(byPath).filter((_, nth) => nth % count === index - 1);
  }
}
