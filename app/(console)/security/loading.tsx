import { DetailPageSkeleton } from "#components/ui/skeleton.tsx";

export default function Loading() {
  return <DetailPageSkeleton />;
}
