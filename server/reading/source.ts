import { pollOfRoot } from '../polls/poll-row.js';

/**
 * Where the statements of reads find messages: in the board's own tables, or
 * in a mirrored log's, shown to them under the same names (spec/mesh.md §B9).
 * So one statement answers for both, and neither can see the other's rows.
 */
export type Source = {
  /**
   * Common table expressions, each ending with a comma, that stand for the
   * board's tables; `n` is the first parameter that is free for `values`.
   */
  tables(n: number): string;
  values: readonly unknown[];
  /** Further columns of a message row `m`, each after a comma. */
  columns(m: string): string;
  /** The `PollRow` of the root `r` as JSON, or null. */
  poll(r: string): string;
};

/** The board's own messages. */
export const OWN: Source = {
  tables: () => '',
  values: [],
  columns: () => '',
  poll: pollOfRoot,
};
