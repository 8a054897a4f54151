/** The list is the layout: an open artifact lies over it. */
export default function ArtifactsPage() {
  return null;
}
