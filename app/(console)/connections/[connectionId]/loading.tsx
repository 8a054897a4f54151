import { DetailPageSkeleton } from "#components/ui/skeleton.tsx";

export default DetailPageSkeleton;
