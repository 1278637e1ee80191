import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { QueueRow } from '../../../server/dashboard/commands/queue.js';
import { useMay } from '../../access/use-access.js';
import { useRead } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { ClaimTag, StateTag, Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { named, plain } from '../../parts/words.js';
import { useKeys } from '../../shell/use-keys.js';
import { KIND_WORDS } from './queue-input.js';
import type { useQueue } from './use-queue.js';
import {
  chosenOf,
  MOST,
  select,
  selectAlso,
  selectable,
  toggle,
  useSelection,
} from './use-selection.js';

const ROW = 92;
const AHEAD = 20;
const HERE = 'operators-queue-at';

type Props = { queue: ReturnType<typeof useQueue> };

/** Renders only visible rows and reads more near the end. */
export function QueueList({ queue: { rows: all, marks, query } }: Props) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { rows, copies } = folded(all, unfolded);
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
  const stand = (subject: string) => {
    sessionStorage.setItem(HERE, subject);
    setHere(subject);
  };
  const move = (by: number) => {
    const n = Math.min(Math.max(place + by, 0), rows.length - 1);
    const row = rows[n];
    if (row === undefined) return;
    stand(row.subject);
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
    stand(row.subject);
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
      <SelectionBar here={rows[place]} rows={all} />
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
                onFocus={() => stand(row.subject)}
              >
                {may ? (
                  <input
                    type="checkbox"
                    className="queue-check"
                    aria-label={`Select ${named(row.subject).toLowerCase()}`}
                    checked={chosen.has(row.subject)}
                    disabled={!selectable(row)}
                    onChange={() => {}}
                    onClick={({ shiftKey }) => take(index, shiftKey)}
                  />
                ) : null}
                <Row row={row} mark={marks.get(row.subject)} />
                {copies.has(row.subject) ? (
                  <Copies
                    row={row}
                    count={copies.get(row.subject) ?? 0}
                    unfolded={unfolded.has(row.text_key ?? '')}
                    unfold={(key) =>
                      setUnfolded((before) => {
                        const after = new Set(before);
                        if (!after.delete(key)) after.add(key);
                        return after;
                      })
                    }
                  />
                ) : null}
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

/** Copies of a text are in the row of its first, until that is unfolded. */
function folded(all: readonly QueueRow[], unfolded: ReadonlySet<string>) {
  const first = new Map<string, string>();
  const copies = new Map<string, number>();
  const rows = all.filter(({ subject, text_key: key }) => {
    const before = key === null ? undefined : first.get(key);
    if (before === undefined) {
      if (key !== null) first.set(key, subject);
      return true;
    }
    copies.set(before, (copies.get(before) ?? 1) + 1);
    return unfolded.has(key ?? '');
  });
  return { rows, copies };
}

type CopiesProps = {
  row: QueueRow;
  count: number;
  unfolded: boolean;
  unfold: (key: string) => void;
};

function Copies({ row, count: n, unfolded, unfold }: CopiesProps) {
  const may = useMay('moderator');
  const go = useNavigate();
  const decide = useRead('queue.select', ({ data }) => {
    select(data.map(chosenOf));
    void go({ to: '/bulk' });
  });
  return (
    <div className="row">
      <Button
        size="compact-xs"
        aria-expanded={unfolded}
        onClick={() => unfold(row.text_key ?? '')}
      >
        {unfolded ? 'Fold' : 'Show'} {count(n)} copies
      </Button>
      {may ? (
        <Button
          size="compact-xs"
          loading={decide.isPending}
          onClick={() => decide.mutate({ subject: row.subject, by: 'text' })}
        >
          Decide all {count(n)}
        </Button>
      ) : null}
      <Failure error={decide.error} />
    </div>
  );
}

type RowProps = { row: QueueRow; mark: string | undefined };

function Row({ row, mark }: RowProps) {
  const { subject, title, excerpt, author, claim, reasons, kept } = row;
  return (
    <>
      <Link to="/item/$subject" params={{ subject }} className="queue-title">
        <span className="unseen-label">{named(subject)}: </span>
        <Inert text={title ?? excerpt ?? 'Removed'} />
      </Link>
      {title === null || excerpt === null ? null : (
        <span className="queue-excerpt">
          <Inert text={excerpt.replaceAll('\n', ' ')} />
        </span>
      )}
      <span className="queue-line">
        <span>
          {named(subject)},{' '}
          {subject.startsWith('message:') ? KIND_WORDS[row.kind][0] : ''} in{' '}
          {row.room}
          {author === null ? '' : ' by '}
          <Inert text={author} />
        </span>
        {row.reports === 0 ? null : (
          <span>
            {counted(row.reports, 'report')}
            {reasons.length === 0
              ? ''
              : `: ${reasons.map(plain).join(', ').toLowerCase()}`}
          </span>
        )}
        {row.appeals === 0 ? null : <Tag tone="warn">Appeal</Tag>}
        {row.repeated === 0 ? null : (
          <span>{row.repeated} of them after it was kept</span>
        )}
        <StateTag state={row.state} />
        <span>
          reported <Time at={row.first_at} />
        </span>
        {kept === null ? null : (
          <Tag tone="warn">
            Kept by <Inert text={kept.operator} />, <Time at={kept.at} />
          </Tag>
        )}
        {claim === null ? null : <ClaimTag claim={claim} />}
        {mark === undefined ? null : <Tag tone="info">{mark}</Tag>}
      </span>
    </>
  );
}

const SAME = ['text', 'name', 'key', 'link'] as const;

type SelectionBarProps = {
  /** The row with the keyboard focus. */
  here: QueueRow | undefined;
  rows: readonly QueueRow[];
};

function SelectionBar({ here, rows }: SelectionBarProps) {
  const may = useMay('moderator');
  const chosen = useSelection();
  const go = useNavigate();
  const same = useRead('queue.select', ({ data }) =>
    selectAlso(data.map(chosenOf)),
  );
  const ask = (by: (typeof SAME)[number]) =>
    here !== undefined && same.mutate({ subject: here.subject, by });
  const decide = () => void go({ to: '/bulk' });
  useKeys({ s: () => ask('text') });
  if (!may) return null;
  const n = chosen.size;
  return (
    <div className="selection" role="toolbar" aria-label="Selection">
      <div className="row selection-now">
        <span className="strong" role="status">
          {n === 0 ? 'Nothing selected' : `${count(n)} selected`}
          {same.data?.more ? `, the most at once (${count(MOST)})` : ''}
        </span>
        <Button variant="filled" disabled={n === 0} onClick={decide}>
          Decide for {n === 1 ? 'it' : 'all'}
        </Button>
        <Button disabled={n === 0} onClick={() => select([])}>
          Clear
        </Button>
      </div>
      <Button
        disabled={rows.length === 0}
        onClick={() => selectAlso(rows.map(chosenOf))}
      >
        Select {counted(rows.filter(selectable).length, 'loaded row')}
      </Button>
      <fieldset className="same">
        <legend className="dim">All with the same</legend>
        {SAME.map((by) => (
          <Button
            key={by}
            disabled={here === undefined || here.kind === 'poll'}
            loading={same.isPending && same.variables.by === by}
            onClick={() => ask(by)}
          >
            {by}
          </Button>
        ))}
      </fieldset>
      <Failure error={same.error} />
    </div>
  );
}
