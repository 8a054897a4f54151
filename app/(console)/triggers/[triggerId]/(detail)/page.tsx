/** The trigger is the layout: side modals lie over it. */
export default function TriggerPage() {
  return null;
}
