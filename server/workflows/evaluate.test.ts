import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { childrenOf } from "./cpu-time.ts";
import { createEvaluator } from "./evaluate.ts";

const evaluate = createEvaluator({ milliseconds: 1000, processes: 2 });
const scope = () =>
  JSON.stringify({
    input: { name: "Ada", list: [3, 1, 2], nothing: null },
    steps: { greet: { id: "mem_1", tags: ["a"] } },
    item: { price: 2 },
    index: 4,
  });
const fill = (template: unknown) => evaluate("a", { template, path: "steps.x", scope, now: 0, seed: 1 });

test.each([
  ["{% input.list %}", [3, 1, 2]],
  ["{% steps.greet.tags %}", ["a"]],
  ["{% input.list[$ > 1] ~> $sum %}", 5],
  ["{% item.price * index %}", 8],
  ["Dear {% input.name %}, {% input.list %} {% input.none %}{% input.nothing %}!", "Dear Ada, [3,1,2] null!"],
  ["{%input.name%}{%index%}", "Ada4"],
  ["no expression", "no expression"],
  [
    { a: "{% input.none %}", b: ["{% input.none %}", "{% input.nothing %}"], c: { d: "{% index %}" } },
    { b: [null, null], c: { d: 4 } },
  ],
  ["{% $now() %}", "1970-01-01T00:00:00.000Z"],
  ["{% $now('[Y]-[M01]') & $millis() %}", "1970-010"],
])("fills %j", async (template, value) => {
  expect(await fill(template)).toEqual(value);
});

test("answers nothing where a lone expression selects nothing", async () => {
  expect(await fill("{% input.none %}")).toBeUndefined();
});

test("draws the same random numbers from the same seed", async () => {
  const draw = (seed: number) =>
    evaluate("a", { template: "{% [$random(), $shuffle([1..9])] %}", path: "", scope, now: 0, seed });
  expect(await draw(7)).toEqual(await draw(7));
  expect(await draw(7)).not.toEqual(await draw(8));
});

/** Returns the processes that evaluate for this one. */
const programs = () =>
  childrenOf(process.pid)
    .flatMap(childrenOf)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("expression-process"));

/** Suspends evaluation, as on an overloaded machine, until it is continued. */
function stopPrograms() {
  for (const pid of programs()) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of programs()) process.kill(pid, "SIGCONT");
  };
}

test("waits for an expression that a busy machine does not get to", async () => {
  await fill("{% index %}");
  const goOn = stopPrograms();
  const asked = fill("{% input.name %}");
  await sleep(2000);
  goOn();
  expect(await asked).toBe("Ada");
});

test("says that the machine is too busy where an expression gets no time at all", async () => {
  const hasty = createEvaluator({ milliseconds: 300, processes: 2 });
  const ask = () => hasty("a", { template: "{% input.name %}", path: "steps.x", scope, now: 0, seed: 1 });
  // A busy machine may take longer than that to start the process.
  const answered = () => expect.poll(() => ask().catch(() => undefined)).toBe("Ada");
  await answered();
  const goOn = stopPrograms();
  const refusal = {
    code: "service_unavailable",
    message: "steps.x: The machine is too busy to be waited for.",
  };
  await expect(ask()).rejects.toMatchObject(refusal);
  goOn();
  await answered();
});

test("names where an expression fails", async () => {
  await expect(fill({ text: "Pay {% input.name + 1 %}" })).rejects.toMatchObject({
    code: "invalid_request",
    message: 'steps.x.text: The left side of the "+" operator must evaluate to a number, at character 19.',
  });
});

test.each([
  ["calls itself for ever", "($f := function($n){$f($n + 1)}; $f(0))", "Not done within 1 s."],
  ["calls itself too deeply", "($f := function($n){1 + $f($n + 1)}; $f(0))", "Stack overflow."],
  ["backtracks for ever", `$match("${"a".repeat(40)}!", /^(a+)+$/)`, "Not done within 1 s."],
  ["makes too long a list", "[1..9999999].($ * 2)", ""],
  ["doubles a text for ever", "$length($reduce([1..60], function($a, $i){$a & $a}, 'x'))", ""],
  ["pads a text beyond the memory", "$pad('x', 100000000)", ""],
  ["fills the memory with a list", "$map([1..100000], function($i){[1..1000]})", ""],
  ["copies a text for ever", "$replace($pad('', 1000000, 'a'), 'a', $pad('', 1000, 'b'))", ""],
  ["fills the memory", "$map([1..90000], function($i){$pad('', 100000, '#' & $i)})", ""],
])("ends an expression that %s, and evaluates the next one", async (_, expression, message) => {
  await expect(fill(`{% ${expression} %}`)).rejects.toMatchObject({
    code: "query_limit_exceeded",
    message: expect.stringContaining(`steps.x: ${message}`),
  });
  expect(await fill("{% 1 + 1 %}")).toBe(2);
});

test.each([
  "''.constructor",
  "input.constructor",
  "input.__proto__",
  "$string.constructor",
  "$lookup({}, 'constructor')",
  "($f := function(){1}; $f.environment)",
  "$eval('process.env')",
  "$sum.implementation",
])("lets %s reach nothing", async (expression) => {
  expect(await fill(`{% ${expression} %}`)).toBeUndefined();
});

/** With a timeout so long that even a busy machine's processes fill their memory first. */
const patient = createEvaluator({ milliseconds: 6000, processes: 2 });

test("names the limit of memory", async () => {
  const task = { template: "{% $pad('x', 100000000) %}", path: "steps.x", scope, now: 0, seed: 1 };
  await expect(patient("a", task)).rejects.toMatchObject({
    code: "query_limit_exceeded",
    message: "steps.x: More memory than the 96 MB that it may use.",
  });
});

const ENDLESS = "($f := function(){$f()}; $f())";

/** Evaluates an expression for this account, and records when it is done. */
function ask(order: string[], accountId: string, expression = "1") {
  const task = { template: `{% ${expression} %}`, path: "", scope, now: 0, seed: 1 };
  return patient(accountId, task).then(
    () => order.push(accountId),
    () => order.push(`${accountId} fails`),
  );
}

test("answers other accounts while one has expressions that never end", async () => {
  const order: string[] = [];
  const endless = [ask(order, "a", ENDLESS), ask(order, "a", ENDLESS)];
  await Promise.all([...Array.from({ length: 6 }, () => ask(order, "b")), ask(order, "c")]);
  // Two processes take turns: the third is of the other account, whichever of them is quicker.
  expect(order.slice(0, 5)).toContain("c");
  expect(order).not.toContain("a fails");
  await Promise.all(endless);
});

test("isolates expressions from one another", async () => {
  await fill(`{% input ~> |$|{"__proto__": {"polluted": 1}, "constructor": 1}| %}`);
  await fill("{% ($string := function(){'mine'}; $millis := 5) %}");
  expect(await fill("{% {'a': {}.polluted, 'b': $string(1), 'c': $millis()} %}")).toEqual({ b: "1", c: 0 });
});
