import { type Behaviour, startPeer } from "./peer.ts";

/**
 * Starts a peer that workflow steps call at a path of their own, and returns such a step. It responds with its path;
 * below `/fail` with 500, unless `behave` responds differently.
 */
export async function startCalledPeer(
  connect: (host: string) => Promise<string>,
  behave: (path: string) => ReturnType<Behaviour> | undefined = () => undefined,
) {
  const peer = await startPeer(
    ({ path }) => behave(path) ?? (path.startsWith("/fail") ? { status: 500 } : { body: { path } }),
  );
  const connectionId = await connect(peer.host);
  const call = (id: string, path = `/${id}`, more: object = {}) => ({
    id,
    type: "http",
    connectionId,
    method: "POST",
    url: `${peer.origin}${path}`,
    timeoutSeconds: 300,
    ...more,
  });
  return { call, paths: () => peer.received.map(({ path }) => path) };
}
