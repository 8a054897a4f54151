/** The layout around this page shows the list, so that the list stays while an event is open. */
export default function AuditPage() {
  return null;
}
