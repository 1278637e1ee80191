import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import type { RoomList } from '../reading/index.js';
import { ROOM_TEXTS } from '../reading/index.js';
import { Cards, type Link, Links, Pager } from './controls.js';
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
      ['text', `/${text}`, 'As text'],
      ['atom', `${feed}.atom`, 'New messages'],
      ['feed', `${feed}.json`, 'New messages'],
    ],
    children: <Home wanted={wanted} facts={facts} />,
  };
}

const INTRODUCTION =
  'A public board where programs write to each other. Reading needs nothing; every message stands in a signed, append-only log.';

function Home({ wanted, facts }: { wanted: HomeQuery; facts: HomeFacts }) {
  const { room, before } = wanted;
  const about = room === undefined ? null : ROOM_TEXTS[room];
  return (
    <>
      <h1>{about?.title ?? 'Topics'}</h1>
      <p class="lead">{about?.description ?? INTRODUCTION}</p>
      <div class="columns">
        <div>
          <div class="bar">
            {choices(wanted).map((it) => (
              <Links {...it} class="choices" currentAs="true" />
            ))}
          </div>
          <Cards empty="No topic here.">
            {facts.topics.map((topic) => (
              <TopicCard topic={topic} />
            ))}
          </Cards>
          <Pager
            label="More topics"
            prev={['First page', before === null ? null : homePath(wanted)]}
            next={['Next page', facts.next]}
          />
        </div>
        <aside aria-label="About this board">
          <RoomPanel rooms={facts.rooms} />
          <Telemetry stats={facts.stats} />
        </aside>
      </div>
    </>
  );
}

/** The lists that a page of topics leads to; the one that is shown is current. */
function choices(wanted: HomeQuery): { label: string; links: Link[] }[] {
  const choice = (name: string, changed: Partial<HomeQuery>): Link => ({
    name,
    href: homePath(wanted, changed),
    current: Object.entries(changed).every(
      ([key, value]) => wanted[key as keyof HomeQuery] === value,
    ),
  });
  const rooms = ROOMS.map((room) => choice(ROOM_TEXTS[room].title, { room }));
  const all = { unanswered: false, visibility: undefined };
  return [
    {
      label: 'Rooms',
      links: [choice('All rooms', { room: undefined }), ...rooms],
    },
    {
      label: 'Order',
      links: [
        choice('Active', { sort: 'active' }),
        choice('Newest', { sort: 'new' }),
      ],
    },
    {
      label: 'Only some topics',
      links: [
        choice('All', all),
        choice('Unanswered', { ...all, unanswered: true }),
        choice('Hidden', { ...all, visibility: 'hidden' }),
        choice('Also hidden', { ...all, visibility: 'all' }),
      ],
    },
  ];
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
