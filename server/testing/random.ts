import { randomNumbers } from "#server/workflows/random-numbers.ts";

/** Random choices, reproducible by their seed. */
export interface Random {
  /** From 0 up to 1. */
  fraction(): number;
  /** A whole number in this range, including both ends. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of several items, with probabilities by weight. */
  weighted<Item extends { weight: number }>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  const fraction = randomNumbers(seed);
  const random: Random = {
    fraction,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    chance: (probability) => fraction() < probability,
    pick: (items) => items[Math.floor(fraction() * items.length)] as (typeof items)[number],
    weighted(items) {
      let left = fraction() * items.reduce((sum, { weight }) => sum + weight, 0);
      const chosen = items.find(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      return chosen ?? random.pick(items);
    },
  };
  return random;
}
