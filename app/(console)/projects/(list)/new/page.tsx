import type { Metadata } from "next";
import { LazyNewProject } from "#app/(console)/projects/(list)/new/lazy-new-project.tsx";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New project" };

export default function NewProjectPage() {
  return <LazyNewProject over={routes.projects.list()} />;
}
