export type Branch<T> = {
  message: T;
  replies: readonly Branch<T>[];
  /** Replies on this page, wherever they are shown. */
  answered: number;
  /** Its parent is neither the opening message nor right above. */
  apart: boolean;
};

/** Deeper replies stay at the last level. */
const LEVELS = 3;

type Linked = { id: number; reply_to: number | null };

/**
 * Replies by ID, in {@link LEVELS} levels; deeper ones follow their parent
 * there. A reply to another page's message begins a branch.
 */
export function threadTree<T extends Linked>(
  rootId: number,
  messages: readonly T[],
): Branch<T>[] {
  const replies = messages.filter(({ id }) => id !== rootId);
  const here = new Set(replies.map(({ id }) => id));
  const byParent = new Map<number, T[]>();
  for (const one of replies) {
    const { reply_to: to } = one;
    const parent = to !== null && here.has(to) ? to : rootId;
    const others = byParent.get(parent);
    if (others === undefined) byParent.set(parent, [one]);
    else others.push(one);
  }
  const of = (id: number) => byParent.get(id) ?? [];

  /** `flat`: after their parent, not under it. */
  function branches(id: number, level: number, flat: boolean): Branch<T>[] {
    return of(id).flatMap((message): Branch<T>[] => {
      const around = level < LEVELS;
      const inner = branches(message.id, level + (around ? 1 : 0), !around);
      const { reply_to: to } = message;
      const branch = {
        message,
        replies: around ? inner : [],
        answered: of(message.id).length,
        apart: to !== rootId && (flat || to !== id),
      };
      return around ? [branch] : [branch, ...inner];
    });
  }

  return branches(rootId, 1, false);
}

export function sizeOf(branches: readonly Branch<unknown>[]): number {
  return branches.reduce((sum, { replies }) => sum + 1 + sizeOf(replies), 0);
}
