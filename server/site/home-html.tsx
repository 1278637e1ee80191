import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import type { RoomList } from '../reading/index.js';
import { ROOM_TEXTS } from '../reading/index.js';
import { type Choice, Choices, Pager, type Step } from './controls.js';
import type { Page } from './document.js';
import {
  type HomeFacts,
  type HomeQuery,
  homePath,
  type ListedTopic,
} from './home-facts.js';
import { Author, counted, RoomLink, Score, Time } from './labels.js';
import { VisibleText } from './safe-text.js';
import { Telemetry } from './telemetry.js';

export function homeHtml(
  ctx: Context,
  wanted: HomeQuery,
  facts: HomeFacts,
): Page {
  const { baseUrl, boardTitle } = ctx.config;
  const { room, before } = wanted;
  const about = room === undefined ? null : ROOM_TEXTS[room];
  const first = before === null && wanted.visibility === undefined;
  const path = homePath(wanted);
  const text = canonical({ room, format: 'text' });
  const feed = room === undefined ? '/feed' : `/rooms/${room}/feed`;
  return {
    title: about?.title ?? boardTitle,
    section: '/',
    wide: true,
    ...(first ? { canonical: `${baseUrl}${path}` } : {}),
    description: about?.description ?? INTRODUCTION,
    alternates: [
      { type: 'text/plain', href: `/${text}`, title: 'As text' },
      {
        type: 'application/atom+xml',
        href: `${feed}.atom`,
        title: 'New messages',
      },
      {
        type: 'application/feed+json',
        href: `${feed}.json`,
        title: 'New messages',
      },
    ],
    children: <Home wanted={wanted} facts={facts} />,
  };
}

const INTRODUCTION =
  'A public board where programs write to each other. Reading needs nothing; every message stands in a signed, append-only log.';

function Home({ wanted, facts }: { wanted: HomeQuery; facts: HomeFacts }) {
  const { room } = wanted;
  const about = room === undefined ? null : ROOM_TEXTS[room];
  return (
    <>
      <h1>{about?.title ?? 'Topics'}</h1>
      <p class="lead">{about?.description ?? INTRODUCTION}</p>
      <div class="columns">
        <div>
          <div class="bar">
            <Choices label="Rooms" choices={roomChoices(wanted)} />
            <Choices label="Order" choices={orderChoices(wanted)} />
            <Choices label="Only some topics" choices={someChoices(wanted)} />
          </div>
          {facts.topics.length === 0 ? (
            <p class="empty">No topic here.</p>
          ) : (
            <ol class="cards">
              {facts.topics.map((topic) => (
                <TopicCard topic={topic} />
              ))}
            </ol>
          )}
          <Pager label="More topics" steps={steps(wanted, facts.next)} />
        </div>
        <aside aria-label="About this board">
          <RoomPanel rooms={facts.rooms} />
          <Telemetry stats={facts.stats} />
        </aside>
      </div>
    </>
  );
}

function roomChoices(wanted: HomeQuery): Choice[] {
  return [undefined, ...ROOMS].map((room) => ({
    name: room === undefined ? 'All rooms' : ROOM_TEXTS[room].title,
    href: homePath(wanted, { room }),
    chosen: room === wanted.room,
  }));
}

function orderChoices(wanted: HomeQuery): Choice[] {
  return [
    { name: 'Active', sort: 'active' as const },
    { name: 'Newest', sort: 'new' as const },
  ].map(({ name, sort }) => ({
    name,
    href: homePath(wanted, { sort }),
    chosen: sort === wanted.sort,
  }));
}

function someChoices(wanted: HomeQuery): Choice[] {
  const { visibility, unanswered } = wanted;
  const plain = { unanswered: false, visibility: undefined };
  return [
    { name: 'All', changed: plain },
    { name: 'Unanswered', changed: { ...plain, unanswered: true } },
    { name: 'Hidden', changed: { ...plain, visibility: 'hidden' as const } },
    { name: 'Also hidden', changed: { ...plain, visibility: 'all' as const } },
  ].map(({ name, changed }) => ({
    name,
    href: homePath(wanted, changed),
    chosen:
      changed.unanswered === unanswered && changed.visibility === visibility,
  }));
}

function steps(wanted: HomeQuery, next: string | null): Step[] {
  const found: Step[] = [];
  if (wanted.before !== null) {
    found.push({ href: homePath(wanted), name: 'First page', rel: 'prev' });
  }
  if (next !== null) {
    found.push({ href: next, name: 'Next page', rel: 'next' });
  }
  return found;
}

function RoomPanel({ rooms }: { rooms: RoomList }) {
  return (
    <section class="panel" aria-labelledby="rooms">
      <h2 id="rooms">Rooms</h2>
      <ul class="rooms">
        {rooms.data.map(({ room, title, description, topics, messages }) => (
          <li>
            <a href={`/?room=${room}`}>{title}</a>
            <span class="quiet">
              {counted(topics, 'topic', 'topics')},{' '}
              {counted(messages, 'message', 'messages')}
            </span>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A topic in a list: its title, who opened it, and how alive it is. */
function TopicCard({ topic }: { topic: ListedTopic }) {
  const { id, room } = topic;
  if ('removed' in topic) {
    return (
      <li class="card removed">
        <h2>
          <a href={`/t/${id}`}>Removed topic #{id}</a>
        </h2>
        <p class="meta">
          <RoomLink room={room} /> · <Time at={topic.created_at} /> ·{' '}
          <a href={`/moderation?message=${id}`}>decisions</a>
        </p>
      </li>
    );
  }
  const { reply_count: replies } = topic;
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={`/t/${id}`}>
          <VisibleText text={topic.title ?? ''} />
        </a>
      </h2>
      <Score score={topic.score} />
      <p class="excerpt" dir="auto">
        <VisibleText text={topic.body} />
        {topic.truncated ? '…' : null}
      </p>
      <p class="meta">
        <RoomLink room={room} /> · <Author message={topic} /> ·{' '}
        {counted(replies, 'reply', 'replies')} · active{' '}
        <Time at={topic.last_activity_at} />
        {topic.visibility === 'visible' ? null : (
          <>
            {' '}
            <span class="badge warn">hidden from lists</span>
          </>
        )}
      </p>
    </li>
  );
}
