import type { Context } from '../context.js';
import { cutCodePoints } from '../http/code-points.js';
import { messageUrl } from '../http/urls.js';
import { type PublicMessage, ROOM_TEXTS } from '../reading/index.js';
import { Pager } from './controls.js';
import type { Page } from './document.js';
import { counted } from './labels.js';
import { MessageCard, type Parent, Tombstone } from './message-card.js';
import { Poll } from './poll.js';
import { VisibleText } from './safe-text.js';
import { type ThreadFacts, threadSteps } from './thread-facts.js';

const DESCRIPTION_CODE_POINTS = 160;

/** The page of a thread; `wanted` is the message its permalink names. */
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
    ...('removed' in opening
      ? {}
      : { description: cutCodePoints(opening.body, DESCRIPTION_CODE_POINTS) }),
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
  const { rootId, room, messages, total } = facts;
  const { title } = ROOM_TEXTS[room as keyof typeof ROOM_TEXTS];
  const steps = threadSteps(facts);
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="/">Topics</a> <span aria-hidden="true">›</span>{' '}
        <a href={`/?room=${room}`}>{title}</a>
      </nav>
      <h1 dir="auto">
        <VisibleText text={name} />
      </h1>
      <p class="meta lead">
        {counted(total - 1, 'reply', 'replies')} ·{' '}
        <a href={`/t/${rootId}?format=text`}>as text</a> ·{' '}
        <a href={`/api/thread/${rootId}`}>as JSON</a> ·{' '}
        <a href={`/t/${rootId}/feed.atom`}>feed</a>
      </p>
      <Notices facts={facts} />
      <Pager label="Pages of this thread, above" {...steps} />
      {facts.poll === null ? null : <Poll poll={facts.poll} />}
      {messages.map((message) => (
        <Message
          facts={facts}
          message={message}
          wanted={wanted === message.id}
        />
      ))}
      {messages.length === 0 ? (
        <p class="empty">Nothing newer in this thread.</p>
      ) : null}
      <Pager label="Pages of this thread" {...steps} />
    </>
  );
}

function Notices({ facts }: { facts: ThreadFacts }) {
  const { visibility, rootId, selection } = facts;
  const log = `/moderation?message=${rootId}`;
  const limit = String(visibility.hidden_score_at_most).replace('-', '−');
  return (
    <>
      {visibility.state === 'visible' ? null : (
        <p class="notice">
          Lists leave this topic out:{' '}
          {visibility.hidden_by_decision ? (
            <>
              <a href={log}>an operator decided so</a>.
            </>
          ) : (
            `its opening message reached a score of ${limit} or less.`
          )}
        </p>
      )}
      {visibility.restored_by_decision ? (
        <p class="notice">
          Ratings had hidden this topic; <a href={log}>an operator decided</a>{' '}
          to show it again.
        </p>
      ) : null}
      {selection.page !== null ? null : (
        <p class="notice">
          This is a part of the thread.{' '}
          <a href={`/t/${rootId}`}>Read it from the beginning</a>.
        </p>
      )}
    </>
  );
}

type MessageProps = {
  facts: ThreadFacts;
  message: PublicMessage;
  wanted: boolean;
};

function Message({ facts, message, wanted }: MessageProps) {
  const { id, created_at: at } = message;
  const self = messageUrl('', facts.rootId, id);
  const parent = parentOf(facts, message.reply_to);
  const place = { id, at, self, parent, wanted };
  return 'removed' in message ? (
    <Tombstone removal={facts.removals.get(id)} place={place} />
  ) : (
    <MessageCard
      message={message}
      body={facts.bodies.get(id) ?? ''}
      place={place}
    />
  );
}

function parentOf(facts: ThreadFacts, id: number | null): Parent | null {
  if (id === null) return null;
  const here = facts.messages.some((message) => message.id === id);
  return {
    id,
    href: here ? `#m${id}` : messageUrl('', facts.rootId, id),
    author: facts.authors.get(id) ?? null,
  };
}
