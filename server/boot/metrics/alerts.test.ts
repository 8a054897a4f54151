import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { defined } from "#server/base/defined.ts";
import { startApi } from "../../testing/api.ts";
import { startMetrics } from "./start-metrics.ts";

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/operating/${name}`, import.meta.url), "utf8");
const rules: Rule[] = parse(read("alerts.yml")).groups[0].rules;
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read("dashboard.json"),
);

const api = await startApi();
const options = { directUrl: api.databaseUrl, dataDir: "/tmp", readsDatabase: true };
const metrics = await startMetrics(api.platform, { port: 0, host: "127.0.0.1", token: null }, options);
afterAll(metrics.stop);

/** Returns the possible names of a scrape's samples, by their declared types. */
async function scrapedNames(): Promise<Set<string>> {
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const suffixes: Record<string, string[]> = {
    counter: ["_total"],
    gauge: [""],
    histogram: ["_bucket", "_sum", "_count"],
  };
  return new Set(
    declared.flatMap(([, name, type = ""]) => (suffixes[type] ?? []).map((end) => `${name}${end}`)),
  );
}

test("dashboard and alerts ask for metrics that a scrape has", async () => {
  const names = await scrapedNames();
  const asked = [...rules, ...dashboard.panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
    [...expr.matchAll(/\b(?:platform|nodejs|process)_\w+/g)].map(([name]) => name),
  );
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

test("each alert has a severity, a sentence and its section in the runbook", () => {
  const sections = [...read("runbook.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => defined(name));
  expect(rules.map(({ alert }) => alert)).toEqual(sections);
  for (const { alert, labels, annotations } of rules) {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
    expect(annotations.runbook_url).toBe(`{{ $externalLabels.runbook }}#${alert.toLowerCase()}`);
  }
});
