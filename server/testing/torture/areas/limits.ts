import type { Area } from "../area.ts";

const PER_MINUTE = 40;
/** The number of concurrent calls in a burst. */
const AT_ONCE = 10;
const MINUTE_MS = 60_000;

interface Admitted {
  began: number;
  ended: number;
}

/** A key with a limit per minute on reading its balance exceeds it; both web processes together admit no more. */
export const limits: Area = {
  name: "limits",
  weight: 2,
  async start({ client, createAccount, marker }) {
    const { key: root } = await createAccount();
    const { secret: key } = await client.must({
      method: "POST",
      path: "/v1/api-keys",
      key: root,
      headers: { "idempotency-key": marker("limited") },
      body: {
        label: "Limited",
        scopes: ["credits:read"],
        limits: { "credits.balance.read": { requestsPerMinute: PER_MINUTE } },
      },
    });
    const admitted: Admitted[] = [];

    return {
      async call(random) {
        const calls = random.chance(0.2) ? AT_ONCE : 1;
        await Promise.all(
          Array.from({ length: calls }, async () => {
            const answer = await client.send({ method: "GET", path: "/v1/credits/balance", key }, random);
            if (answer?.status === 200) admitted.push(answer);
          }),
        );
      },

      /** Each call was admitted at some time between its start and its response. */
      async check() {
        const within = (first: Admitted) =>
          admitted.filter(({ began, ended }) => began >= first.began && ended <= first.began + MINUTE_MS)
            .length;
        const most = Math.max(0, ...admitted.map(within));
        return most <= PER_MINUTE ? [] : [`${most} calls were admitted in a minute, of ${PER_MINUTE}.`];
      },
    };
  },
};
