/** The layout renders the overview, because the first steps' side modals lie over it. */
export default function OverviewPage() {
  return null;
}
