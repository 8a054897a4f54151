import { defined } from "#server/base/defined.ts";
import { AFTER_ROWS, type DumpObject } from "./objects.ts";

/** Objects depend on each other so that no order of statements works. */
export class NoOrder extends Error {}

export interface Order {
  before: DumpObject[];
  after: DumpObject[];
}

const byRank = (a: DumpObject, b: DumpObject) =>
  a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** True for tables, which must exist before the rows. */
const isTable = ({ key, name }: DumpObject) => key.startsWith("pg_class/") && name.startsWith("table ");

/**
 * Sorts objects so that each follows those it needs, otherwise by rank. A view or function in a dependency cycle is
 * created twice: first as a stand-in.
 */
export function orderObjects(objects: readonly DumpObject[]): Order {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const all = [...objects];

  /** Returns the stand-in of an object, which the object later replaces. */
  function standInOf(object: DumpObject): DumpObject | null {
    if (object.standIn === null) return null;
    const key = `${object.key}/stand-in`;
    const known = byKey.get(key);
    if (known) return known;
    const made: DumpObject = {
      ...object,
      key,
      sql: [object.standIn],
      needs: object.standInNeeds,
      standIn: null,
      standInNeeds: [],
    };
    object.needs.push(key);
    byKey.set(key, made);
    all.push(made);
    return made;
  }

  function redirect(from: DumpObject, to: DumpObject): boolean {
    const standIn = from.key === `${to.key}/stand-in` ? null : standInOf(to);
    if (!standIn) return false;
    from.needs = from.needs.map((key) => (key === to.key ? standIn.key : key));
    return true;
  }

  const needed = (object: DumpObject) => object.needs.map((key) => defined(byKey.get(key)));

  /** Returns the objects that are created after the rows, and those that need one. */
  function findLate(): Set<DumpObject> {
    const users = new Map<DumpObject, DumpObject[]>(all.map((object) => [object, []]));
    for (const object of all) for (const other of needed(object)) users.get(other)?.push(object);
    const late = new Set(all.filter(({ rank }) => rank >= AFTER_ROWS));
    for (const object of late) for (const user of users.get(object) ?? []) late.add(user);
    return late;
  }

  /** An object that tables need must not wait for the rows: such a view gets a stand-in. */
  function freeTables(): void {
    const late = findLate();
    const early = new Set(all.filter(isTable));
    for (const object of early) {
      for (const other of needed(object)) {
        if (other.rank >= AFTER_ROWS) throw new NoOrder(`${object.name}, which needs ${other.name}`);
        if (!late.has(other) || !redirect(object, other)) early.add(other);
      }
      for (const other of needed(object)) early.add(other);
    }
  }

  /** Breaks a cycle in which each object needs the next; returns the object whose needs have changed. */
  function breakCycle(cycle: readonly DumpObject[]): DumpObject {
    const steps = cycle.map((object, place) => ({
      from: object,
      to: defined(cycle[(place + 1) % cycle.length]),
    }));
    // A view gets a stand-in rather than a function.
    steps.sort((a, b) => b.to.rank - a.to.rank);
    const broken = steps.find(({ from, to }) => redirect(from, to));
    if (broken) return broken.from;
    throw new NoOrder(`${cycle.map(({ name }) => name).join(", ")}, which need each other`);
  }

  /** Follows needs from each object in turn, with an explicit stack instead of recursion. */
  function sort(): DumpObject[] {
    const sorted: DumpObject[] = [];
    const done = new Set<DumpObject>();
    const open = new Set<DumpObject>();
    const enter = (object: DumpObject) => {
      open.add(object);
      return { object, rest: needed(object).sort(byRank) };
    };
    for (const start of [...all].sort(byRank)) {
      if (done.has(start)) continue;
      const path = [enter(start)];
      for (let top = path.at(-1); top; top = path.at(-1)) {
        const next = top.rest.shift();
        if (!next) {
          path.pop();
          open.delete(top.object);
          done.add(top.object);
          sorted.push(top.object);
        } else if (open.has(next)) {
          const cycle = path.slice(path.findIndex(({ object }) => object === next));
          const from = breakCycle(cycle.map(({ object }) => object));
          while (path.at(-1)?.object !== from) open.delete(defined(path.pop()?.object));
          path[path.length - 1] = enter(from);
        } else if (!done.has(next)) path.push(enter(next));
      }
    }
    // Stand-ins that were created on the way were needed, and so visited.
    return sorted;
  }

  freeTables();
  const sorted = sort();
  const late = findLate();
  return {
    before: sorted.filter((object) => !late.has(object)),
    after: sorted.filter((object) => late.has(object)),
  };
}
