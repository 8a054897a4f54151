import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every page of the console and of signing in, by its route: groups in brackets are no part of it. */
export const pageRoutes = globSync("app/**/page.tsx", { cwd: root }).map(
  (file) => file.replace(/^app|\/\([^)]*\)|\/page\.tsx$/g, "") || "/",
);

const variables = (route: string) => route.split("[").length;
const matchers = pageRoutes
  .toSorted((one, other) => variables(one) - variables(other))
  .map((route) => ({ route, matches: new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`) }));

/** The route whose page stands at a path; what is spelled out wins over what varies. */
export const routeOf = (path: string) => matchers.find(({ matches }) => matches.test(path))?.route;
