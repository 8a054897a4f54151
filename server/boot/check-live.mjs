// For a container's health check: whether the process beside it answers. A worker does on the port of its metrics.
const { ROLE, PORT = "3000", METRICS_PORT = "9464" } = process.env;
const port = ROLE === "worker" ? METRICS_PORT : PORT;
const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
