import type { InfiniteData } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  QueuePage,
  QueueRow,
} from '../../../server/dashboard/commands/queue.js';
import type { LiveEvent } from '../../../server/dashboard/live/events.js';
import { useAccess } from '../../access/use-access.js';
import { ask } from '../../api/ask.js';
import { queryClient } from '../../api/query-client.js';
import { live } from '../../live/live-socket.js';
import { useEvents } from '../../live/use-live.js';
import { shown } from '../../parts/invisible.js';
import { usePages } from '../../parts/PagedList.js';
import { todo } from '../../parts/words.js';
import type { QueueFilters } from './queue-input.js';

/** Rows change in place and never move. */
export function useQueue(filters: QueueFilters) {
  const key = ['queue.list', 'rows', filters];
  const { query, rows, renew } = usePages(
    key,
    (after?: NonNullable<QueuePage['next']>) =>
      ask('queue.list', { ...filters, after, limit: 100 }),
  );
  const [marks, setMarks] = useState<ReadonlyMap<string, string>>(new Map());
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const alias = useAccess().data?.operator?.alias;
  const mark = (subject: string, text: string) =>
    setMarks((before) => new Map(before).set(subject, text));
  const come = (name: string) =>
    setFresh((before) => new Set(before).add(name));

  useEvents((event) => {
    if (event.kind === 'snapshot' && live.isGap()) come('a gap');
    if (event.kind === 'report') onReport(event);
    if (event.kind === 'decision') onDecision(event);
  });

  function onReport(event: LiveEvent<'report'>): void {
    const { subject, claimed_by: operator, status, at } = event;
    const row = rows.find((it) => it.subject === subject);
    if (row === undefined) {
      if (status === 'received') come(subject);
      return;
    }
    if (status === 'resolved' || status === 'dismissed') {
      mark(subject, `Reports ${status}`);
    } else if ((row.claim?.operator ?? null) !== operator) {
      const mine = operator === alias;
      const claim = operator === null ? null : { operator, mine, at };
      patch(key, subject, { claim });
    } else if (event.report_id !== undefined && status === 'received') {
      mark(subject, 'New report');
    }
  }

  function onDecision(event: LiveEvent<'decision'>): void {
    for (const { subject, kind, message_id, state } of rows) {
      const same =
        event.poll_id === null
          ? message_id === event.message_id && kind !== 'mirrored'
          : subject === `poll:${event.poll_id}`;
      if (!same) continue;
      mark(
        subject,
        `Decided by ${shown(event.operator)}: ${todo(event.action, state === 'hidden_by_ratings')}`,
      );
      patch(key, subject, { last_decision_id: event.decision_id });
    }
  }

  return {
    query,
    rows,
    marks,
    fresh: unseen(fresh, rows),
    renew: () => {
      setMarks(new Map());
      setFresh(new Set());
      renew();
    },
    totals: query.data?.pages[0]?.totals ?? null,
  };
}

/** New subjects that no row shows. */
function unseen(fresh: ReadonlySet<string>, rows: readonly QueueRow[]): number {
  const shown = new Set(rows.map(({ subject }) => subject));
  return [...fresh].filter((subject) => !shown.has(subject)).length;
}

function patch(
  key: readonly unknown[],
  subject: string,
  change: Partial<QueueRow>,
): void {
  const changed = (row: QueueRow) =>
    row.subject === subject ? { ...row, ...change } : row;
  queryClient.setQueryData<InfiniteData<QueuePage>>(
    key,
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          data: page.data.map(changed),
        })),
      },
  );
}
