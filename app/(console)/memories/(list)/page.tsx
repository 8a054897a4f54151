/** The list is the layout: the form of a new memory lies over it. */
export default function MemoriesPage() {
  return null;
}
