/** The list is the layout around this page, so that it stays while an event is open. */
export default function AuditPage() {
  return null;
}
