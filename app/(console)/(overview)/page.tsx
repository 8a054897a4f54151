/** The overview is the layout: the first steps' side modals lie over it. */
export default function OverviewPage() {
  return null;
}
