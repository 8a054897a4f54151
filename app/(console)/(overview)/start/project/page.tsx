import type { Metadata } from "next";
import { NewProject } from "#app/(console)/projects/(list)/new/new-project.tsx";
import { routes } from "#components/routes.ts";

export const metadata: Metadata = { title: "New project" };

export default function StartProjectPage() {
  return <NewProject over={routes.overview()} next={routes.overview()} />;
}
