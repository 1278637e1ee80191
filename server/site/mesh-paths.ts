/** Where a mirrored board is read as pages of this node. */
export function boardPath(name: string): string {
  return `/mesh/${encodeURIComponent(name)}`;
}

/** Any message of a mirrored board; its thread's page finds it. */
export function foreignPath(name: string, id: number): string {
  return `${boardPath(name)}/t/${id}`;
}
