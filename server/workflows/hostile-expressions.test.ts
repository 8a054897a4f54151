import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { waitUntilGone } from "#server/boot/processes.ts";
import { startApi } from "#server/testing/api.ts";
import { runWith, startWorkerProcess } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const HOSTILE = [
  "$pad('x', 100000000)",
  `$match("${"a".repeat(40)}!", /^(a+)+$/)`,
  "($f := function($n){1 + $f($n + 1)}; $f(0))",
  "($f := function(){$f()}; $f())",
  "[1..9999999].($ * 2)",
  "$map([1..100000], function($i){[1..1000]})",
  "$map([1..90000], function($i){$pad('', 100000, '#' & $i)})",
  "$reduce([1..60], function($a, $i){$a & $a}, 'x')",
  "$length($string($map([1..99999], function($i){$pad('', 10000)})))",
  "$eval($join($map([1..2000], function($i){'['})))",
];

test("fails only the step of a hostile expression: other runs continue in the same process", async () => {
  const api = await startApi();
  const worker = await startWorkerProcess(api, tmpdir(), 8);
  onTestFinished(() => void worker.kill("SIGKILL"));
  const hostile = await createStarter(api);
  const neighbour = await createStarter(api);
  const wait = (expression: string) => ({
    name: "Test",
    steps: [{ id: "a", type: "wait", seconds: `{% ${expression} %}` }],
  });
  const attacks = await Promise.all(HOSTILE.map((expression) => hostile.start(wait(expression))));
  for (let nth = 0; nth < 20; nth++) {
    const id = await neighbour.start(wait("input.n - input.n"), { n: nth });
    expect((await runWith(api, neighbour.root, id, "succeeded")).error).toBeNull();
  }
  for (const id of attacks) {
    const { error } = await runWith(api, hostile.root, id, "failed");
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(query_limit_exceeded|invalid_request)$/),
      step: "steps.a",
    });
  }
  expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
});

/** Returns the descendants of a process, by id and command. */
function descendantsOf(pid: number): { pid: number; command: string }[] {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" });
  const all = stdout.split("\n").flatMap((line) => {
    const [, own, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return own ? [{ pid: Number(own), parent: Number(parent), command: command ?? "" }] : [];
  });
  const below = all.filter(({ parent, command }) => parent === pid && !command.startsWith("ps "));
  return below.flatMap((child) => [child, ...descendantsOf(child.pid)]);
}

/** Starts a process that evaluates an endless expression; returns it with the processes that it has started. */
async function startEndless() {
  const evaluator = new URL("evaluate.ts", import.meta.url);
  const task = `{ template: "{% ($f := function(){$f()}; $f()) %}", path: "", scope: () => "{}", now: 0, seed: 1 }`;
  const script = `
    import { createServer } from "node:net";
    import { createEvaluator } from ${JSON.stringify(evaluator.href)};
    createServer().listen(0, "127.0.0.1");
    createEvaluator({ milliseconds: 600_000 })("a", ${task});
    console.log("started");`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SECRET: "of the platform" },
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  await once(createInterface(parent.stdout), "line");
  const find = () => descendantsOf(defined(parent.pid));
  await expect
    .poll(() => find().some(({ command }) => /^\S*node .*expression-process/.test(command)))
    .toBe(true);
  return { parent, below: find() };
}

test("ends the evaluators of a killed platform, in the middle of an expression", async () => {
  const { parent, below } = await startEndless();
  parent.kill("SIGKILL");
  for (const { pid } of below) expect(await waitUntilGone(pid, 10_000)).toBe(true);
});

test("refuses to evaluate while the process has no file descriptors left, and survives that", () => {
  const evaluator = new URL("evaluate.ts", import.meta.url);
  const script = `
    import { closeSync, openSync } from "node:fs";
    import { createEvaluator } from ${JSON.stringify(evaluator.href)};
    const evaluate = createEvaluator({ milliseconds: 1000 });
    const fill = (template) =>
      evaluate("a", { template, path: "", scope: () => "{}", now: 0, seed: 1 }).catch(({ code }) => code);
    // Evaluations alone keep no process alive.
    const alive = setInterval(() => undefined, 1000);
    // Ends its process, so that the next one needs another.
    console.log(await fill("{% ($f := function(){$f()}; $f()) %}"));
    const held = [];
    try {
      for (;;) held.push(openSync("/dev/null"));
    } catch {}
    console.log(await fill("{% 1 + 1 %}"));
    for (const descriptor of held) closeSync(descriptor);
    console.log(await fill("{% 1 + 1 %}"));
    clearInterval(alive);`;
  const command = `ulimit -n 100; exec "$0" --input-type=module -e "$1"`;
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", command, process.execPath, script], {
    encoding: "utf8",
  });
  expect(stdout.split("\n").filter(Boolean), stderr).toEqual([
    "query_limit_exceeded",
    "service_unavailable",
    "2",
  ]);
});

/** Returns the open sockets of a process. */
function socketsOf(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).map((fd) => readlinkSync(`${folder}/${fd}`));
  return links.filter((link) => link.startsWith("socket:"));
}

test.runIf(process.platform === "linux")(
  "gives the evaluating process neither the platform's environment nor its connections, and a limit of memory",
  async () => {
    const { parent, below } = await startEndless();
    const program = below.find(({ command }) => /^\S*node /.test(command));
    expect(readFileSync(`/proc/${program?.pid}/environ`, "utf8")).not.toContain("SECRET");
    const limits = readFileSync(`/proc/${program?.pid}/limits`, "utf8");
    expect(limits).toMatch(/Max data size +838860800 +838860800/);
    const ofPlatform = new Set(socketsOf(parent.pid));
    expect(ofPlatform.size).toBeGreaterThan(0);
    expect(socketsOf(program?.pid).filter((socket) => ofPlatform.has(socket))).toEqual([]);
  },
);
