import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more, by what they wait for: deadlines, leases, processes that end and start. */
const LONG =
  /\/(neighbours|killed|frozen|restarted|storage|large-account|hostile-[^/]+|isolation|load)\.test\.ts$/;

/** Begins with the longest files, so that none of them is left alone at the end while the other workers are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
