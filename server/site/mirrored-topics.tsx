import type { RequestHandler } from 'express';
import type { MirroredTopics, MirrorSummary } from '../../mesh/mesh-ports.js';
import { BoardError } from '../errors.js';
import { canonical, integer, parseQuery } from '../http/query.js';
import { ROOM_TEXTS } from '../reading/index.js';
import { EXCERPT_SOURCE, excerptOf } from './bodies.js';
import { Cards, Pager } from './controls.js';
import { Author, ReplyCount, Time } from './labels.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import {
  boardPath,
  ForeignNotice,
  foreignPath,
  readPath,
  WITHHELD_TEXTS,
} from './mirrored-card.js';
import { pageQuery, sendForm } from './page-form.js';
import { VisibleText } from './safe-text.js';
import type { SiteContext } from './site-context.js';

type Topic = MirroredTopics['data'][number];

const PREVIEW = EXCERPT_SOURCE;
const EXCERPT = 200;

const QUERY = pageQuery.extend({
  before: integer().optional(),
  snapshot: integer().optional(),
});

/** @throws BoardError `unknown_board` */
export async function summaryOf(
  ctx: SiteContext,
  name: string,
): Promise<MirrorSummary> {
  const boards = await ctx.mirrors.boards();
  const board = boards.find((one) => one.name === name);
  if (board !== undefined) return board;
  throw new BoardError(
    'unknown_board',
    'This board mirrors no board of that name.',
  );
}

/** GET /mesh/{name}, by activity. */
export function mirroredTopics(ctx: SiteContext): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const board = await summaryOf(ctx, String(req.params.name));
    const query = parseQuery(QUERY, req.originalUrl);
    const { before, snapshot } = query;
    const { topics_page_default: usual } = ctx.limits;
    const read = (limit: number) =>
      ctx.mirrors.topics(board.name, {
        limit,
        before,
        sort: 'active',
        snapshot,
        preview: PREVIEW,
      });
    await sendForm(req, res, query, {
      text: async () => {
        const list = await read(usual);
        const next = nextAsText(baseUrl, nextPath(board.name, list));
        const { name, origin } = board;
        const items = list.data.map((topic) => messageAsItem('TOPIC', topic));
        return listAsText('TOPICS', { board: name, origin, next }, items);
      },
      html: async (most) => {
        const list = await read(Math.min(usual, most));
        return {
          title: `${board.name} (mirrored)`,
          section: '/mesh',
          items: list.data.length,
          now: ctx.clock.now(),
          children: <Topics board={board} list={list} first={!before} />,
        };
      },
    });
  };
}

function nextPath(
  name: string,
  { next_before: before, snapshot }: MirroredTopics,
): string | null {
  if (before === null) return null;
  return `${boardPath(name)}${canonical({ before, snapshot })}`;
}

type Props = { board: MirrorSummary; list: MirroredTopics; first: boolean };

function Topics({ board, list, first }: Props) {
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="/mesh">Mesh</a>
      </nav>
      <h1>{board.name}</h1>
      <ForeignNotice board={board} original={board.baseUrl} />
      <Cards empty="No topics are mirrored from this board.">
        {list.data.map((topic) => (
          <TopicItem name={board.name} topic={topic} />
        ))}
      </Cards>
      <Pager
        label="More topics"
        prev={['First page', first ? null : boardPath(board.name)]}
        next={['Next page', nextPath(board.name, list)]}
      />
    </>
  );
}

function TopicItem({ name, topic }: { name: string; topic: Topic }) {
  const { id, room } = topic;
  const href = foreignPath(name, id);
  return (
    <li class={'body' in topic ? 'card' : 'card removed'}>
      <h2 dir="auto">
        <a href={href}>
          {'body' in topic ? (
            <VisibleText text={topic.title ?? ''} />
          ) : (
            `${'removed' in topic ? 'Removed topic' : 'Topic'} #${id}`
          )}
        </a>
      </h2>
      {'reply_count' in topic ? <ReplyCount count={topic.reply_count} /> : null}
      {'body' in topic ? (
        <p class="excerpt" dir="auto">
          <VisibleText text={excerptOf(topic.body, EXCERPT)} />
        </p>
      ) : null}
      {'withheld' in topic ? (
        <p class="quiet">{WITHHELD_TEXTS[topic.withheld]}</p>
      ) : null}
      <p class="meta">
        <span class="badge">{name}</span> {ROOM_TEXTS[room].title}
        {'body' in topic ? (
          <>
            {' · '}
            <Author message={topic} proofUrl={`${readPath(name, id)}/proof`} />
          </>
        ) : null}
        {' · '}
        {'reply_count' in topic ? (
          <>
            {topic.reply_count === 0 ? null : 'active '}
            <Time at={topic.last_activity_at} />
          </>
        ) : (
          <Time at={topic.created_at} />
        )}
      </p>
    </li>
  );
}
