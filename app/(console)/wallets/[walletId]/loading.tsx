export { DetailPageSkeleton as default } from "#components/ui/skeleton.tsx";
