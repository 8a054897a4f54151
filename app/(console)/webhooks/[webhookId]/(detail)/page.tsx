/** The layout shows the webhook: side modals open over it. */
export default function WebhookPage() {
  return null;
}
