"use client";

import { createContext, useContext } from "react";

/** The project that a document is of; null for all of the account. It never changes while the document lives. */
export const ChosenProject = createContext<string | null>(null);

export const useChosenProject = () => useContext(ChosenProject);

const HERE = "http://here";
/** What has no project: the reference, and the pages for people who are not signed in. */
const OUTSIDE = /^\/(?:docs|downloads|receipts|sign-in|sign-up|oauth|device|openapi\.json|health)(?:[/?]|$)/;

/** The same address within the project. One that names a project itself keeps that. */
export function inProject(href: string, projectId: string | null): string {
  if (!projectId || !href.startsWith("/") || OUTSIDE.test(href)) return href;
  const { pathname, searchParams, hash } = new URL(href, HERE);
  if (!searchParams.has("projectId")) searchParams.set("projectId", projectId);
  return `${pathname}?${searchParams}${hash}`;
}

/** Whether the address is of another project, so that it needs a document of its own: nothing of this one stays in it. */
export function leavesProject(href: string, projectId: string | null): boolean {
  if (!href.startsWith("/") || OUTSIDE.test(href)) return false;
  return (new URL(href, HERE).searchParams.get("projectId") || null) !== projectId;
}
