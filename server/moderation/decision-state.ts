/** What became of a message (spec/board.md §2.19). */
export type ModerationState =
  | 'visible'
  | 'hidden_by_ratings'
  | 'hidden_by_decision'
  | 'restored'
  | 'removed'
  | 'erased';

export type StateRow = {
  removed_by: number | null;
  erased_by: number | null;
  visibility: string;
};

/** A removed message whose text is destroyed, by whatever way, is erased. */
export function moderationState(row: StateRow): ModerationState {
  if (row.erased_by !== null) return 'erased';
  if (row.removed_by !== null) return 'removed';
  switch (row.visibility) {
    case 'hidden_by_ratings':
    case 'hidden_by_decision':
      return row.visibility;
    case 'restored_by_decision':
      return 'restored';
    default:
      return 'visible';
  }
}
