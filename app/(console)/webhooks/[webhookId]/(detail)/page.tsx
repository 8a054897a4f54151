/** The webhook is the layout: side modals lie over it. */
export default function WebhookPage() {
  return null;
}
