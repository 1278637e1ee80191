import { useSyncExternalStore } from 'react';
import type { QueueRow } from '../../../server/dashboard/commands/queue.js';
import type { Selected } from '../../../server/dashboard/commands/select.sql.js';
import { Listeners } from '../../api/listeners.js';

/** `seen`: the newest decision that the operator saw; the rest names it. */
export type Chosen = {
  subject: string;
  seen: number | null;
  name?: string | null;
  author?: string | null;
  reason?: string | null;
  reports?: number;
  /** By ratings. */
  hidden?: boolean;
};

export function chosenOf(row: QueueRow | Selected): Chosen {
  const { subject, last_decision_id: seen, author, reports } = row;
  const name = (row.title ?? row.excerpt)?.slice(0, 80) ?? null;
  const hidden =
    'state' in row ? row.state === 'hidden_by_ratings' : row.hidden;
  const reason = row.main_reason;
  return { subject, seen, name, author, reason, reports, hidden };
}

export type Selection = ReadonlyMap<string, Chosen>;

const NAME = 'operators-selection';
/** At most per bulk. */
export const MOST = 10_000;

const changes = new Listeners();
let selection: Selection = kept();

function kept(): Selection {
  try {
    const list = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as Chosen[];
    return new Map(list.map((it) => [it.subject, it]));
  } catch {
    return new Map();
  }
}

/** Decisions are about this board's messages. */
export const selectable = ({ subject }: { subject: string }): boolean =>
  !subject.startsWith('mirrored:');

/** Kept outside the page: a reload loses no selection. */
export function select(some: Iterable<Chosen>): void {
  const list = [...some].filter(selectable).slice(0, MOST);
  selection = new Map(list.map((it) => [it.subject, it]));
  sessionStorage.setItem(NAME, JSON.stringify(list));
  changes.tell();
}

export function selectAlso(some: readonly Chosen[]): void {
  select([...selection.values(), ...some]);
}

export function toggle(one: Chosen): void {
  const others = new Map(selection);
  if (!others.delete(one.subject)) others.set(one.subject, one);
  select(others.values());
}

export function useSelection(): Selection {
  return useSyncExternalStore(changes.add, () => selection);
}
