/** A message in the tree of a page: its replies are shown under it. */
export type Branch<T> = {
  message: T;
  replies: readonly Branch<T>[];
  /** How many replies of this page name it, wherever they are shown. */
  answered: number;
  /** What it answers is neither the opening message nor right above it. */
  apart: boolean;
};

/** Levels of replies under the opening message; deeper ones stay at the last. */
const LEVELS = 3;

type Linked = { id: number; reply_to: number | null };

/**
 * The replies of a page, ascending by ID, as a tree of {@link LEVELS} levels.
 * What answers the last level follows there, after what it answers. A reply to a
 * message of another page begins a branch of its own.
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

  /** `flat`: what they answer is above them, and not around them. */
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

/** How many messages are in the branches. */
export function sizeOf(branches: readonly Branch<unknown>[]): number {
  return branches.reduce((sum, { replies }) => sum + 1 + sizeOf(replies), 0);
}
