import type { TestProject } from "vitest/node";
import setup from "./global-setup.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** True if each test file's platform reaches its database through a transaction pooler. */
    pooled: true | undefined;
  }
}

export default async function setupPooled(project: TestProject) {
  const stop = await setup(project);
  project.provide("pooled", true);
  return stop;
}
