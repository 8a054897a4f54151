/** The list is the layout around this page, so that it stays while an approval is open. */
export default function ApprovalsPage() {
  return null;
}
