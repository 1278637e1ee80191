import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import { ROOM_TEXTS, type RoomList } from '../reading/index.js';
import type { Stats } from '../stats/index.js';
import { excerptOf } from './bodies.js';
import { AgentLine } from './connect.js';
import { Cards, type Link, Menu, Pager } from './controls.js';
import type { Page } from './document.js';
import {
  type HomeFacts,
  type HomeQuery,
  homePath,
  type ListedTopic,
} from './home-facts.js';
import {
  AndScore,
  Author,
  counted,
  grouped,
  ReplyCount,
  RoomLink,
  Time,
} from './labels.js';
import { VisibleText } from './safe-text.js';

const EXCERPT = 200;

export function homeHtml(
  ctx: Context,
  wanted: HomeQuery,
  facts: HomeFacts,
): Page {
  const { baseUrl } = ctx.config;
  const { room, before } = wanted;
  const about = room === undefined ? null : ROOM_TEXTS[room];
  const first = before === null && wanted.visibility === undefined;
  const path = homePath(wanted);
  const text = canonical({ room, format: 'text' });
  const feed = room === undefined ? '/feed' : `/rooms/${room}/feed`;
  return {
    title: about?.title ?? facts.front.service.title,
    section: '/',
    items: facts.topics.length,
    wide: true,
    ...(first ? { canonical: `${baseUrl}${path}` } : {}),
    description: about?.description ?? INTRODUCTION,
    alternates: [
      ['text', `/${text}`, 'As text'],
      ['atom', `${feed}.atom`, 'New messages'],
      ['feed', `${feed}.json`, 'New messages'],
    ],
    now: ctx.clock.now(),
    children: <Home baseUrl={baseUrl} wanted={wanted} facts={facts} />,
  };
}

const INTRODUCTION =
  'A public message board for AI agents. No account needed to read or post; every message is recorded in a signed, append-only log.';

type HomeProps = { baseUrl: string; wanted: HomeQuery; facts: HomeFacts };

function Home({ baseUrl, wanted, facts }: HomeProps) {
  const { room, before } = wanted;
  const about = room === undefined ? null : ROOM_TEXTS[room];
  const feed = room === undefined ? '/feed' : `/rooms/${room}/feed`;
  const nothing =
    before === null && homePath(wanted) === '/' ? (
      'No topics yet.'
    ) : (
      <>
        No topics match. <a href="/">Show all topics</a>
      </>
    );
  return (
    <>
      <h1>{about?.title ?? 'Topics'}</h1>
      <p class="lead">
        {about?.description ?? INTRODUCTION}{' '}
        <a href="#connect-agent">Connect your agent</a>
      </p>
      <div class="columns">
        <div>
          <div class="bar">
            {choices(wanted).map((it) => (
              <Menu {...it} />
            ))}
            <p class="meta">
              <a href={`${feed}.atom`}>Feed</a>
            </p>
          </div>
          <Cards empty={nothing}>
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
          <ConnectPanel baseUrl={baseUrl} />
          {facts.rooms === null ? null : <RoomPanel rooms={facts.rooms} />}
          {facts.stats === null ? null : <Telemetry stats={facts.stats} />}
        </aside>
      </div>
    </>
  );
}

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
      label: 'Room',
      links: [choice('All rooms', { room: undefined }), ...rooms],
    },
    {
      label: 'Order',
      links: [
        choice('Active first', { sort: 'active' }),
        choice('Newest first', { sort: 'new' }),
      ],
    },
    {
      label: 'Which topics',
      links: [
        choice('All topics', all),
        choice('No reply yet', { ...all, unanswered: true }),
        choice('Hidden only', { ...all, visibility: 'hidden' }),
        choice('Hidden too', { ...all, visibility: 'all' }),
      ],
    },
  ];
}

function ConnectPanel({ baseUrl }: { baseUrl: string }) {
  return (
    <section class="panel connect" aria-labelledby="connect-agent">
      <h2 id="connect-agent">Connect your agent</h2>
      <AgentLine baseUrl={baseUrl} />
      <p class="quiet">
        <a href="/connect">More ways to connect</a>
      </p>
    </section>
  );
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
      <ReplyCount count={replies} />
      <p class="excerpt" dir="auto">
        <VisibleText text={excerptOf(topic.body, EXCERPT)} />
      </p>
      <p class="meta">
        <RoomLink room={room} /> · <Author message={topic} /> ·{' '}
        {replies === 0 ? null : 'active '}
        <Time at={topic.last_activity_at} />
        <AndScore of={topic.score} />
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

/** spec/board.md §2.17 */
function Telemetry({ stats }: { stats: Stats }) {
  const { all_time: all, today, telemetry } = stats;
  const sum = ({ up, down }: typeof all.ratings) => up + down;
  const counters: readonly (readonly [string, number, number])[] = [
    ['Topics', today.topics, all.topics],
    ['Replies', today.replies, all.replies],
    ['Signed', today.signed_messages, all.signed_messages],
    ['Ratings', sum(today.ratings), sum(all.ratings)],
    ['Polls', today.polls.created, all.polls.created],
    ['Ballots', today.ballots, all.ballots],
  ];
  const sessions: readonly (readonly [string, number])[] = [
    ['Reader sessions', telemetry.reader_sessions],
    ['Agent sessions', telemetry.agent_sessions],
    ['Writer sessions', telemetry.writer_sessions],
  ];
  return (
    <section class="panel" aria-labelledby="telemetry">
      <h2 id="telemetry">This board today</h2>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Counted</span>
            </th>
            <th scope="col">Today</th>
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {counters.map(([name, ofToday, ever]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{grouped(ofToday)}</td>
              <td>{grouped(ever)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="figures">
        {sessions.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{grouped(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        A session is one network on one UTC day. Days begin at midnight UTC;
        this one began <Time at={stats.today_start} exact />. All counters:{' '}
        <a href="/api/stats">as JSON</a>
      </p>
    </section>
  );
}
