import type { MirrorSummary } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import type {
  MirroredItem,
  MirroredNothing,
  MirroredThread,
} from '../http/openapi/mirrored.js';
import { messageUrl } from '../http/urls.js';
import type { Page } from './document.js';
import { ForeignNotice } from './foreign-notice.js';
import { boardPath, foreignPath } from './mesh-paths.js';
import type { Parent } from './message-frame.js';
import { MirroredCard } from './mirrored-card.js';
import { Pager, type Step } from './pager.js';
import { Poll } from './poll.js';
import { Seen } from './safe-text.js';

export type MirroredFacts = {
  board: MirrorSummary;
  read: MirroredThread | MirroredNothing;
  bodies: ReadonlyMap<number, string>;
  wanted: number | null;
};

/** A thread of another board as a page of this one; never indexed. */
export function mirroredThreadHtml(ctx: Context, facts: MirroredFacts): Page {
  const { board, read } = facts;
  const title = 'title' in read ? read.title : null;
  const name = title ?? `Topic #${read.root_id}`;
  return {
    board: ctx.config.boardTitle,
    title: `${name} (from ${board.name})`,
    section: '/mesh',
    children: <Thread facts={facts} name={name} />,
  };
}

function Thread({ facts, name }: { facts: MirroredFacts; name: string }) {
  const { board, read } = facts;
  const steps = stepsOf(facts);
  const items: readonly MirroredItem[] = read.data;
  const opening = 'opening_message' in read ? read.opening_message : undefined;
  const all = opening === undefined ? items : [opening, ...items];
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="/mesh">Mesh</a> <span aria-hidden="true">›</span>{' '}
        <a href={boardPath(board.name)}>{board.name}</a>
      </nav>
      <h1 dir="auto">
        <Seen text={name} />
      </h1>
      <ForeignNotice
        board={board}
        original={messageUrl(board.baseUrl, read.root_id, read.root_id)}
      />
      {read.visibility.state === 'visible' ? null : (
        <p class="notice">Its own board leaves this topic out of lists.</p>
      )}
      <Pager label="Parts of this thread, above" steps={steps} />
      {'poll' in read && read.poll !== undefined ? (
        <Poll poll={read.poll} />
      ) : null}
      {items.map((item) => (
        <MirroredCard
          name={board.name}
          item={item}
          body={facts.bodies.get(item.id)}
          parent={parentOf(facts, all, item.reply_to)}
          wanted={facts.wanted === item.id}
        />
      ))}
      {items.length === 0 ? (
        <p class="empty">Nothing newer in this thread.</p>
      ) : null}
      <Pager label="Parts of this thread" steps={steps} />
    </>
  );
}

function parentOf(
  { board, read }: MirroredFacts,
  here: readonly MirroredItem[],
  id: number | null,
): Parent | null {
  if (id === null) return null;
  const parents = 'parent_messages' in read ? read.parent_messages : [];
  const known = [...here, ...parents].find((item) => item.id === id);
  const shown = read.data.some((item) => item.id === id);
  return {
    id,
    href: shown ? `#m${id}` : foreignPath(board.name, id),
    author: known !== undefined && 'author' in known ? known.author : null,
  };
}

function stepsOf({ board, read }: MirroredFacts): Step[] {
  const path = foreignPath(board.name, read.root_id);
  const first = read.data[0]?.id;
  const steps: Step[] = [];
  if (first !== undefined && 'previous' in read && read.previous !== null) {
    const href = `${path}?before=${first}`;
    steps.push({ href, name: 'Older', rel: 'prev' });
  }
  if (read.next !== null) {
    const href = `${path}?since=${read.cursor}`;
    steps.push({ href, name: 'Newer', rel: 'next' });
  }
  return steps;
}
