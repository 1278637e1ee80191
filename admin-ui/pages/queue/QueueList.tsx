import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { QueueRow } from '../../../server/dashboard/commands/queue.js';
import { useMay } from '../../access/use-access.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { ClaimTag, StateTag, Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { useKeys } from '../../shell/use-keys.js';
import { SelectionBar } from './SelectionBar.js';
import type { useQueue } from './use-queue.js';
import { selectAlso, toggle, useSelection } from './use-selection.js';

const ROW = 92;
const AHEAD = 20;
const HERE = 'operators-queue-at';

type Props = { queue: ReturnType<typeof useQueue> };

/** Renders only visible rows and reads more near the end. */
export function QueueList({ queue: { rows, marks, query } }: Props) {
  const box = useRef<HTMLElement>(null);
  const [here, setHere] = useState(() => sessionStorage.getItem(HERE) ?? '');
  const go = useNavigate();
  const chosen = useSelection();
  const may = useMay('moderator');
  const [top, setTop] = useState(0);
  // The rows scroll with the page: a scroll bar of its own traps fingers on
  // phones.
  useLayoutEffect(() => {
    const { scrollY } = window;
    setTop((box.current?.getBoundingClientRect().top ?? 0) + scrollY);
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    scrollMargin: top,
    // The heights of header and selection, and of the hint.
    scrollPaddingStart: 112,
    scrollPaddingEnd: 96,
    estimateSize: () => ROW,
    getItemKey: (n) => rows[n]?.subject ?? n,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (last < rows.length - AHEAD) return;
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const place = rows.findIndex(({ subject }) => subject === here);
  const select = (subject: string) => {
    sessionStorage.setItem(HERE, subject);
    setHere(subject);
  };
  const move = (by: number) => {
    const n = Math.min(Math.max(place + by, 0), rows.length - 1);
    const row = rows[n];
    if (row === undefined) return;
    select(row.subject);
    virtual.scrollToIndex(n);
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>(`[data-index="${n}"] a`)
        ?.focus({ preventScroll: true }),
    );
  };
  const open = (decide: boolean) => {
    const row = rows[place];
    if (row === undefined) return;
    void go({
      to: '/item/$subject',
      params: { subject: row.subject },
      ...(decide ? { search: { decide: '1' } as never } : {}),
    });
  };
  const anchor = useRef(place);
  const chosenOf = ({ subject, last_decision_id: seen }: QueueRow) => ({
    ...{ subject, seen },
  });
  /** With Shift all rows from the last taken one. */
  const take = (n: number, range: boolean) => {
    const row = rows[n];
    if (row === undefined) return;
    if (range && anchor.current >= 0) {
      const [from, to] = [n, anchor.current].sort((a, b) => a - b);
      selectAlso(rows.slice(from, (to ?? n) + 1).map(chosenOf));
    } else {
      toggle(chosenOf(row));
    }
    anchor.current = n;
    select(row.subject);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () => open(false),
    d: () => (chosen.size > 0 ? void go({ to: '/bulk' }) : open(true)),
    x: () => take(place, false),
    X: () => take(place, true),
  });
  return (
    <>
      <SelectionBar here={rows[place]} rows={rows} />
      <section ref={box} className="virtual" aria-label="Subjects that wait">
        <ul style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-here={row.subject === here}
                data-done={marks.has(row.subject)}
                className="queue-row"
                aria-setsize={hasNextPage ? -1 : rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start - top}px)` }}
                onFocus={() => select(row.subject)}
              >
                {may ? (
                  <input
                    type="checkbox"
                    className="queue-check"
                    aria-label={`Select ${row.subject}`}
                    checked={chosen.has(row.subject)}
                    onChange={() => {}}
                    onClick={({ shiftKey }) => take(index, shiftKey)}
                  />
                ) : null}
                <Row row={row} mark={marks.get(row.subject)} />
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

type RowProps = { row: QueueRow; mark: string | undefined };

function Row({ row, mark }: RowProps) {
  const { subject, title, excerpt, author, claim, reasons } = row;
  return (
    <>
      <Link to="/item/$subject" params={{ subject }} className="queue-title">
        <span className="unseen-label">
          {plain(row.kind)} {subject.split(':')[1]}:{' '}
        </span>
        <Inert text={title ?? excerpt ?? 'Removed'} />
      </Link>
      {title === null || excerpt === null ? null : (
        <span className="queue-excerpt">
          <Inert text={excerpt.replaceAll('\n', ' ')} />
        </span>
      )}
      <span className="queue-line">
        <span>{subject}</span>
        <span>{row.room}</span>
        <Inert text={author} />
        {row.reports === 0 ? null : (
          <span>{counted(row.reports, 'report')}</span>
        )}
        {row.appeals === 0 ? null : <Tag tone="warn">Appeal</Tag>}
        {reasons.length === 0 ? null : (
          <span>{reasons.map(plain).join(', ')}</span>
        )}
        <StateTag state={row.state} />
        <span>
          reported <Time at={row.first_at} />
        </span>
        {claim === null ? null : <ClaimTag claim={claim} />}
        {mark === undefined ? null : <Tag tone="info">{mark}</Tag>}
      </span>
    </>
  );
}
