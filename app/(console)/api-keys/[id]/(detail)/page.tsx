/** The key is the layout: side modals lie over it. */
export default function ApiKeyPage() {
  return null;
}
