import type { Context } from '../context.js';
import { messageUrl } from '../http/urls.js';
import { type PublicMessage, ROOM_TEXTS } from '../reading/index.js';
import { excerptOf } from './bodies.js';
import { Pager } from './controls.js';
import type { Page } from './document.js';
import { counted } from './labels.js';
import {
  MessageCard,
  type Parent,
  type Place,
  QUOTE,
  Replies,
  Tombstone,
} from './message-card.js';
import { Poll } from './poll.js';
import { VisibleText } from './safe-text.js';
import { type ThreadFacts, threadSteps } from './thread-facts.js';
import { type Branch, sizeOf, threadTree } from './thread-tree.js';

const DESCRIPTION = 160;

/** `wanted`: named by the permalink. */
export function threadHtml(
  ctx: Context,
  facts: ThreadFacts,
  wanted: number | null,
): Page {
  const { rootId, title, opening, selection } = facts;
  const { baseUrl } = ctx.config;
  const name = title ?? `Removed topic #${rootId}`;
  const path = `${baseUrl}/t/${rootId}`;
  const number = selection.page ?? 1;
  return {
    title: number === 1 ? name : `${name} (page ${number})`,
    section: '/',
    canonical: number === 1 ? path : `${path}?page=${number}`,
    now: ctx.clock.now(),
    until: facts.until,
    items: facts.messages.length,
    fits: facts.fits,
    kind: 'article',
    ...('removed' in opening
      ? {}
      : { description: excerptOf(opening.body, DESCRIPTION) }),
    alternates: [
      ['text', `/t/${rootId}?format=text`, 'As text'],
      ['json', `/api/thread/${rootId}`, 'As JSON'],
      ['atom', `/t/${rootId}/feed.atom`, 'New messages of this thread'],
    ],
    children: <Thread facts={facts} name={name} wanted={wanted} />,
  };
}

type Props = { facts: ThreadFacts; name: string; wanted: number | null };

function Thread({ facts, name, wanted }: Props) {
  const { rootId, room, messages, replies, removed } = facts;
  const { title } = ROOM_TEXTS[room as keyof typeof ROOM_TEXTS];
  const steps = threadSteps(facts);
  const opening = messages.find(({ id }) => id === rootId);
  const tree = threadTree(rootId, messages);
  const count = counted(replies, 'reply', 'replies');
  return (
    <div class="thread">
      <nav class="trail" aria-label="Where this is">
        <a href="/">Topics</a> <span aria-hidden="true">›</span>{' '}
        <a href={`/?room=${room}`}>{title}</a>
      </nav>
      <h1 dir="auto">
        <VisibleText text={name} />
      </h1>
      <Notices facts={facts} />
      {opening === undefined ? null : (
        <Message
          facts={facts}
          wanted={wanted}
          branch={{ message: opening, replies: [], answered: 0, apart: false }}
          answers={replies > 0 ? { count: replies, href: '#replies' } : null}
        />
      )}
      <div class="forms">
        <h2 id="replies">
          {count}
          {removed > 0 ? `, ${removed} removed` : null}
        </h2>
        <p class="meta screen">
          <a href={`/t/${rootId}?format=text`}>as text</a>{' '}
          <a href={`/api/thread/${rootId}`}>as JSON</a>{' '}
          <a href={`/t/${rootId}/feed.atom`}>feed</a>{' '}
          <a
            href={`/t/${rootId}?seen=${facts.newest}`}
            title="Bookmark this address: by it, messages that came later are marked as new"
          >
            Mark as read here
          </a>
        </p>
      </div>
      <Pager label="Pages of this thread, above" {...steps} />
      <Branches facts={facts} wanted={wanted} branches={tree} />
      {messages.length === 0 ? (
        <p class="empty">Nothing newer in this thread.</p>
      ) : null}
      <Pager label="Pages of this thread" {...steps} />
    </div>
  );
}

type BranchProps = {
  facts: ThreadFacts;
  wanted: number | null;
};

function Branches({
  branches,
  ...shared
}: BranchProps & { branches: readonly Branch<PublicMessage>[] }) {
  return (
    <>
      {branches.map((branch) => (
        <Message {...shared} branch={branch} />
      ))}
    </>
  );
}

type MessageProps = BranchProps & {
  branch: Branch<PublicMessage>;
  answers?: Place['answers'];
};

function Message({ facts, wanted, branch, ...given }: MessageProps) {
  const { message, replies, answered, apart } = branch;
  const { id, created_at: at } = message;
  const { rootId, seen, poll } = facts;
  const under = replies.length > 0 ? `#r${id}` : null;
  const next = under ?? `#m${facts.firstReply.get(id)}`;
  const place: Place = {
    id,
    at,
    opening: id === rootId,
    wanted: wanted === id,
    self: messageUrl('', rootId, id),
    parent: apart ? parentOf(facts, message.reply_to) : null,
    fresh: seen !== null && id > seen,
    answers:
      given.answers ?? (answered > 0 ? { count: answered, href: next } : null),
    replies:
      replies.length === 0 ? null : (
        <Replies id={id} count={sizeOf(replies)}>
          <Branches facts={facts} wanted={wanted} branches={replies} />
        </Replies>
      ),
  };
  if ('removed' in message) {
    return <Tombstone removal={facts.removals.get(id)} place={place} />;
  }
  const body = facts.bodies.get(id) ?? '';
  return (
    <MessageCard message={message} body={body} place={place}>
      {place.opening && poll !== null ? <Poll poll={poll} /> : null}
    </MessageCard>
  );
}

function parentOf(facts: ThreadFacts, id: number | null): Parent | null {
  if (id === null) return null;
  const { author, body } = facts.parents.get(id) ?? {
    author: null,
    body: null,
  };
  return {
    id,
    href: facts.here.has(id) ? `#m${id}` : messageUrl('', facts.rootId, id),
    author,
    quote: body === null ? null : excerptOf(body, QUOTE),
  };
}

function Notices({ facts }: { facts: ThreadFacts }) {
  const { visibility, rootId, selection, opening } = facts;
  const log = `/moderation?message=${rootId}`;
  const limit = String(visibility.hidden_score_at_most).replace('-', '−');
  const isThere = !('removed' in opening); // else its tombstone says why
  return (
    <>
      {isThere && visibility.state !== 'visible' ? (
        <p class="notice">
          This topic is hidden from lists:{' '}
          {visibility.hidden_by_decision ? (
            <>
              <a href={log}>an operator decided so</a>.
            </>
          ) : (
            `its score fell to ${limit} or lower.`
          )}
        </p>
      ) : null}
      {isThere && visibility.restored_by_decision ? (
        <p class="notice">
          This topic was hidden from lists;{' '}
          <a href={log}>an operator decided</a> to show it again.
        </p>
      ) : null}
      {selection.page !== null ? null : (
        <p class="notice">
          This is a part of the thread.{' '}
          <a href={`/t/${rootId}`}>Read it from the beginning</a>.
        </p>
      )}
      <Newer facts={facts} />
      {facts.poll === null ||
      facts.messages.some(({ id }) => id === rootId) ? null : (
        <p class="notice foreign">
          The opening message has{' '}
          <a href={`/t/${rootId}#poll${facts.poll.id}`}>a poll</a>.
        </p>
      )}
    </>
  );
}

function Newer({ facts }: { facts: ThreadFacts }) {
  const { rootId, seen, newest, messages } = facts;
  if (seen === null) return null;
  if (newest <= seen) {
    return <p class="quiet">Nothing new since #{seen}.</p>;
  }
  const first = messages.find(({ id }) => id > seen);
  return (
    <p class="notice foreign">
      Messages after #{seen} are marked as new.{' '}
      {first === undefined ? null : (
        <>
          <a href={`#m${first.id}`}>Go to the first</a> or{' '}
        </>
      )}
      <a href={`/t/${rootId}?since=${seen}`}>read only these</a>.
    </p>
  );
}
