import type { RequestHandler } from 'express';
import type {
  MirroredItem,
  MirroredNothing,
  MirroredThread,
  MirrorSummary,
} from '../../mesh/mesh-ports.js';
import { BoardError } from '../errors.js';
import { parseQuery, pathInteger } from '../http/query.js';
import { inText, threadText } from '../http/text-form.js';
import { messageUrl } from '../http/urls.js';
import { type Bodies, excerptOf, renderBodies } from './bodies.js';
import { Pager, type Steps } from './controls.js';
import { type Parent, QUOTE, Replies } from './message-card.js';
import {
  boardPath,
  ForeignNotice,
  foreignPath,
  MirroredCard,
} from './mirrored-card.js';
import { summaryOf } from './mirrored-topics.js';
import { redirect, sendForm } from './page-form.js';
import { Poll } from './poll.js';
import { VisibleText } from './safe-text.js';
import type { SiteContext } from './site-context.js';
import { type Branch, sizeOf, threadTree } from './thread-tree.js';
import { PAGE_SIZE, threadRequest } from './thread-window.js';

type MirroredFacts = {
  board: MirrorSummary;
  read: MirroredThread | MirroredNothing;
  bodies: Bodies;
  wanted: number | null;
};

function Thread({ facts, name }: { facts: MirroredFacts; name: string }) {
  const { board, read } = facts;
  const steps = stepsOf(facts);
  const items: readonly MirroredItem[] = read.data;
  const opening = 'opening_message' in read ? read.opening_message : undefined;
  const all = opening === undefined ? items : [opening, ...items];
  const opener = items.find(({ id }) => id === read.root_id);
  const tree = threadTree(read.root_id, items);
  return (
    <div class="thread">
      <nav class="trail" aria-label="Where this is">
        <a href="/mesh">Mesh</a> <span aria-hidden="true">›</span>{' '}
        <a href={boardPath(board.name)}>{board.name}</a>
      </nav>
      <h1 dir="auto">
        <VisibleText text={name} />
      </h1>
      <ForeignNotice
        board={board}
        original={messageUrl(board.baseUrl, read.root_id, read.root_id)}
      />
      {read.visibility.state === 'visible' ? null : (
        <p class="notice">Its own board leaves this topic out of lists.</p>
      )}
      <Pager label="Parts of this thread, above" {...steps} />
      {opener === undefined ? null : (
        <Item facts={facts} branch={branchOf(opener)} known={all} />
      )}
      {tree.map((branch) => (
        <Item facts={facts} branch={branch} known={all} />
      ))}
      {items.length === 0 ? (
        <p class="empty">Nothing newer in this thread.</p>
      ) : null}
      <Pager label="Parts of this thread" {...steps} />
    </div>
  );
}

const branchOf = (message: MirroredItem): Branch<MirroredItem> => ({
  message,
  replies: [],
  answered: 0,
  apart: false,
});

type ItemProps = {
  facts: MirroredFacts;
  branch: Branch<MirroredItem>;
  known: readonly MirroredItem[];
};

function Item({ facts, branch, known }: ItemProps) {
  const { board, read, bodies, wanted } = facts;
  const { message, replies, answered, apart } = branch;
  const { id } = message;
  const opening = id === read.root_id;
  const poll = opening && 'poll' in read ? read.poll : undefined;
  const place = {
    opening,
    wanted: wanted === id,
    parent: apart ? parentOf(facts, known, message.reply_to) : null,
    answers:
      answered > 0 && replies.length > 0
        ? { count: answered, href: `#r${id}` }
        : null,
    replies:
      replies.length === 0 ? null : (
        <Replies id={id} count={sizeOf(replies)}>
          {replies.map((reply) => (
            <Item facts={facts} branch={reply} known={known} />
          ))}
        </Replies>
      ),
  };
  return (
    <MirroredCard
      name={board.name}
      item={message}
      body={bodies.get(id)}
      place={place}
    >
      {poll === undefined ? null : <Poll poll={poll} />}
    </MirroredCard>
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
    quote:
      known !== undefined && 'body' in known
        ? excerptOf(known.body, QUOTE)
        : null,
  };
}

function stepsOf({ board, read }: MirroredFacts): Steps {
  const path = foreignPath(board.name, read.root_id);
  const [first] = read.data;
  const isLater = first && 'previous' in read && read.previous !== null;
  return {
    prev: ['Older', isLater ? `${path}?before=${first.id}` : null],
    next: [
      'Next page',
      read.next === null ? null : `${path}?since=${read.cursor}`,
    ],
  };
}

/** Queries as on `/t/{root}`. A reply's ID: 302. */
export function mirroredThread(ctx: SiteContext): RequestHandler {
  const { baseUrl } = ctx.config;
  const asked = threadRequest(ctx.limits);
  return async (req, res) => {
    const board = await summaryOf(ctx, String(req.params.name));
    const id = pathInteger(req.params.id);
    if (id === null) {
      throw new BoardError(
        'thread_not_found',
        'No message of the mirrored board has this number.',
      );
    }
    const query = parseQuery(asked, req.originalUrl);
    const { message, since, last, before } = query;
    // No numbered pages: it begins at the wanted message.
    const part =
      message === null
        ? { since, last, before: before ?? undefined }
        : { since: Math.max(0, message - 1), last: 0 };
    const readPart = (limit: number) =>
      ctx.mirrors.thread(board.name, id, {
        ...part,
        last: Math.min(part.last, limit),
        limit,
        preview: 0,
      });
    const read = await readPart(PAGE_SIZE);
    if (read.root_id !== id) {
      const root = foreignPath(board.name, read.root_id);
      redirect(res, `${baseUrl}${root}?message=${id}#m${id}`);
      return;
    }
    await sendForm(req, res, query, {
      text: () => threadText(read, inText(false)),
      html: async (most) => {
        const isWhole = read.data.length <= most;
        const shown = isWhole ? read : await readPart(most);
        const { bodies, fits } = await renderBodies(shown.data, ({ id }) =>
          foreignPath(board.name, id),
        );
        const facts = { board, read: shown, bodies, wanted: message };
        const title = 'title' in read ? read.title : null;
        const name = title ?? `Topic #${read.root_id}`;
        return {
          title: `${name} (from ${board.name})`, // never indexed
          section: '/mesh',
          items: shown.data.length,
          fits,
          now: ctx.clock.now(),
          children: <Thread facts={facts} name={name} />,
        };
      },
    });
  };
}

/** Also says how to act on it. */
