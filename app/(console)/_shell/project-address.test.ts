import { expect, test } from "vitest";
import { inProject, leavesProject } from "#components/ui/chosen-project.ts";
import { addressIn } from "./project-address.ts";

const SHOP = "proj_01m8bb9n2fftprxg2ad6ecxc7k";
const DESK = "proj_01m8bb9n2fftprxg2ad6ecxc7m";
const RUN = "run_01m8bb9n2fftprxg2ad6ecxc7k";

test.each([
  ["/runs", "", `/runs?projectId=${SHOP}`],
  ["/runs", "?status=failed&cursor=abc", `/runs?status=failed&projectId=${SHOP}`],
  ["/runs", `?projectId=${DESK}`, `/runs?projectId=${SHOP}`],
  [`/runs/${RUN}`, `?projectId=${DESK}&retry=a`, `/runs?projectId=${SHOP}`],
  ["/database/tables/orders_of_2026", "", `/database/tables/orders_of_2026?projectId=${SHOP}`],
  [`/projects/${DESK}/edit`, `?projectId=${DESK}`, `/projects/${SHOP}?projectId=${SHOP}`],
])("goes on from %s%s in a project at %s", (pathname, search, address) => {
  expect(addressIn(SHOP, { pathname, search })).toBe(address);
});

test("stays at the same resource when all projects are shown", () => {
  const search = `?projectId=${SHOP}&retry=a`;
  expect(addressIn(null, { pathname: `/runs/${RUN}`, search })).toBe(`/runs/${RUN}?retry=a`);
});

test.each([
  ["/runs", `/runs?projectId=${SHOP}`],
  ["/runs?status=failed#newest", `/runs?status=failed&projectId=${SHOP}#newest`],
  [`/usage?projectId=${DESK}`, `/usage?projectId=${DESK}`],
  ["/docs/projects.list", "/docs/projects.list"],
  ["https://example.com/runs", "https://example.com/runs"],
  ["#main", "#main"],
])("keeps %s in the project as %s", (href, address) => {
  expect(inProject(href, SHOP)).toBe(address);
});

test("recognises addresses that need a new document", () => {
  expect(leavesProject(`/runs?projectId=${SHOP}`, SHOP)).toBe(false);
  expect(leavesProject(`/runs?projectId=${DESK}`, SHOP)).toBe(true);
  expect(leavesProject(`/runs?projectId=${DESK}`, null)).toBe(true);
  expect(leavesProject("/runs", SHOP)).toBe(true);
  expect(leavesProject("/runs", null)).toBe(false);
  expect(leavesProject("/docs", SHOP)).toBe(false);
});
