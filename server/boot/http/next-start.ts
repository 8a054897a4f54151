import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionsOf } from "#db/connections.ts";
import { log } from "../../base/log.ts";
import { type Env, readEnv } from "../../env/read-env.ts";
import { SettingsError } from "../../env/settings-error.ts";
import { runningPlatform } from "../../platform.ts";
import { routes } from "../../routes.ts";
import { received } from "../../transports/route-handlers.ts";
import { checkConnections } from "../connections.ts";
import { startEngines } from "../engines/engines.ts";
import { startParts } from "../parts.ts";
import { explainStart, runProcess, STOP_MS, type Stop } from "../run-process.ts";
import { createAddressReader } from "./client-address.ts";
import { closeServer } from "./close-server.ts";
import { answerHeaders, forwardedHeaders } from "./server-headers.ts";

interface Started {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

/** Refuses settings that need other processes beside this one, which `npm start` would start. */
function checkSettings({ role, databaseUrl }: Env) {
  const problems = [
    ...(role === "web"
      ? []
      : [
          `ROLE is ${role}; \`next start\` is the web alone. Set it to web, and start a worker by \`ROLE=worker npm start\`.`,
        ]),
    ...(databaseUrl
      ? []
      : [
          "DATABASE_URL is missing; `next start` has no embedded databases and chains. Set it, or use `npm start`.",
        ]),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
}

/**
 * Keeps each request of Next.js's server for the route handlers, and gives that server the behaviour of our own.
 * Returns a stop that ends the streams, lets requests finish, and closes the server.
 */
function watchRequests({ baseUrl, trustedProxies, drainSeconds }: Env): Stop {
  const stopping = new AbortController();
  const readAddress = createAddressReader(trustedProxies);
  const always = new Map(Object.entries(answerHeaders(baseUrl)));
  let listening: Server | undefined;
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as Started;
    listening = server;
    const remoteAddress = readAddress(request);
    Object.assign(request.headers, forwardedHeaders(baseUrl, remoteAddress));
    response.setHeaders(always);
    const { rawHeaders } = request;
    received.enterWith({
      rawHeaders,
      remoteAddress,
      handlers: routes,
      cut: () => void response.destroy(),
      stopping: stopping.signal,
    });
  });
  return async () => {
    runningPlatform()?.streams.drain();
    await sleep(drainSeconds * 1000);
    if (listening) await closeServer(listening, 10_000, () => stopping.abort());
  };
}

async function start(stops: Stop[]) {
  const env = readEnv();
  checkSettings(env);
  process.env.NEXTAUTH_URL = env.baseUrl;
  const starting = startEngines(env, stops).then(async ({ engines }) => {
    await checkConnections(engines.directUrl, connectionsOf("web", env.metrics !== null));
    return engines;
  });
  const platform = await startParts({ web: false, worker: false, relayer: false }, env, starting, stops);
  stops.push(await platform.changes.listen((await starting).directUrl));
  stops.push(watchRequests(env));
}

/**
 * Starts the platform in the process of `next start`, and stops it before that process ends; see `instrumentation.ts`.
 */
export async function startInNext(): Promise<void> {
  // Next.js would end the process as soon as its server is closed, while the platform is still open.
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  await new Promise<void>((started) => {
    const stop = runProcess((stops) => start(stops).then(started), {
      stopMs: STOP_MS,
      explain: (error) => log.error(explainStart(error) ?? "The platform did not start.", { error }),
    });
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stop(0));
  });
}
