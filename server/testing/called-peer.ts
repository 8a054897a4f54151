import { type Behaviour, startPeer } from "./peer.ts";

/**
 * A peer that the steps of workflows call at a path of their own, with such a step. It answers its path; below `/fail` 500;
 * what `behave` answers goes before that.
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
