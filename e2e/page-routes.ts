import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The routes of all pages of the console and of signing in, without the groups in brackets. */
export const pageRoutes = globSync("app/**/page.tsx", { cwd: root }).map(
  (file) => file.replace(/^app|\/\([^)]*\)|\/page\.tsx$/g, "") || "/",
);

const variables = (route: string) => route.split("[").length;
const matchers = pageRoutes
  .toSorted((one, other) => variables(one) - variables(other))
  .map((route) => ({ route, matches: new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`) }));

/** Returns the route of a path; literal segments win over parameters. */
export const routeOf = (path: string) => matchers.find(({ matches }) => matches.test(path))?.route;
