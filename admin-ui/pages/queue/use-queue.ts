import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  QueuePage,
  QueueRow,
} from '../../../server/dashboard/schemas/views.js';
import { useAccess } from '../../access/use-access.js';
import { ask } from '../../api/ask.js';
import { queryClient } from '../../api/query-client.js';
import type { ReceivedEvent } from '../../live/live-socket.js';
import { live } from '../../live/live-socket.js';
import { useEvents } from '../../live/use-live.js';
import type { QueueFilters } from './queue-input.js';

const PAGE = 100;
type Cursor = QueuePage['next'];
export type Marks = ReadonlyMap<string, string>;

/**
 * The rows of the queue as they were read, what has happened to them since,
 * and how many others have come. Rows change in place and never move.
 */
export function useQueue(filters: QueueFilters) {
  const key = useMemo(() => ['queue.list', 'rows', filters], [filters]);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      ask('queue.list', {
        ...filters,
        ...(pageParam === null ? {} : { after: pageParam }),
        limit: PAGE,
      }),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rows = useMemo(
    () => query.data?.pages.flatMap((page) => page.data) ?? [],
    [query.data],
  );
  const [marks, setMarks] = useState<Marks>(new Map());
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

  function onReport(event: Extract<ReceivedEvent, { kind: 'report' }>): void {
    const { subject, claimed_by: holder, status } = event;
    const row = rows.find((it) => it.subject === subject);
    if (row === undefined) {
      if (status === 'received') come(subject);
      return;
    }
    if (status === 'resolved' || status === 'dismissed') {
      mark(subject, `Reports ${status}`);
      return;
    }
    if ((row.claim?.operator ?? null) !== holder) {
      const mine = holder === alias;
      patch(key, subject, {
        claim:
          holder === null ? null : { operator: holder, mine, at: event.at },
      });
    } else if (event.report_id !== undefined && status === 'received') {
      mark(subject, 'New report');
    }
  }

  function onDecision(
    event: Extract<ReceivedEvent, { kind: 'decision' }>,
  ): void {
    for (const row of rows) {
      const polls = event.poll_id !== null;
      const same = polls
        ? row.subject === `poll:${event.poll_id}`
        : row.message_id === event.message_id;
      if (!same) continue;
      mark(row.subject, `Decided by ${event.operator}: ${event.action}`);
      patch(key, row.subject, { last_decision_id: event.decision_id });
    }
  }

  const renew = () => {
    setMarks(new Map());
    setFresh(new Set());
    void queryClient.resetQueries({ queryKey: key, exact: true });
  };
  const totals = query.data?.pages[0]?.totals ?? null;
  return { query, rows, marks, fresh: unseen(fresh, rows), renew, totals };
}

/** How many have come that no row shows: a list read since may hold them. */
function unseen(fresh: ReadonlySet<string>, rows: readonly QueueRow[]): number {
  const shown = new Set(rows.map(({ subject }) => subject));
  return [...fresh].filter((subject) => !shown.has(subject)).length;
}

/** Changes a row where it stands. */
function patch(
  key: readonly unknown[],
  subject: string,
  change: Partial<QueueRow>,
): void {
  queryClient.setQueryData<InfiniteData<QueuePage, Cursor>>(key, (before) =>
    before === undefined
      ? before
      : {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            data: page.data.map((row) =>
              row.subject === subject ? { ...row, ...change } : row,
            ),
          })),
        },
  );
}
