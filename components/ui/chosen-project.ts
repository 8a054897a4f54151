"use client";

import { createContext, useContext } from "react";

/** The project of this document; null for the whole account. It never changes while the document is open. */
export const ChosenProject = createContext<string | null>(null);

export const useChosenProject = () => useContext(ChosenProject);

/** True if this document shows one project only. */
export const useIsInProject = () => useChosenProject() !== null;

const HERE = "http://here";
/** Addresses outside any project: the API reference, and the pages for signed-out people. */
const OUTSIDE = /^\/(?:docs|downloads|receipts|sign-in|sign-up|oauth|device|openapi\.json|health)(?:[/?]|$)/;

/** Returns the address within the project. An address that already names a project keeps it. */
export function inProject(href: string, projectId: string | null): string {
  if (!projectId || !href.startsWith("/") || OUTSIDE.test(href)) return href;
  const { pathname, searchParams, hash } = new URL(href, HERE);
  if (!searchParams.has("projectId")) searchParams.set("projectId", projectId);
  return `${pathname}?${searchParams}${hash}`;
}

/** True if the address belongs to another project and so needs a new document, which keeps no state of this one. */
export function leavesProject(href: string, projectId: string | null): boolean {
  if (!href.startsWith("/") || OUTSIDE.test(href)) return false;
  return (new URL(href, HERE).searchParams.get("projectId") || null) !== projectId;
}
