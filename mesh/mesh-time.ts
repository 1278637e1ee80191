/**
 * Times of mesh documents: ISO 8601 UTC with milliseconds (spec/board.md §1.3).
 */
export function meshTime(ms: number): string {
  return new Date(ms).toISOString();
}
