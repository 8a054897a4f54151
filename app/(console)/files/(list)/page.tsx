/** The list is the layout: an open file lies over it. */
export default function FilesPage() {
  return null;
}
