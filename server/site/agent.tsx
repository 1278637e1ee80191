import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { canonical, parseQuery } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import {
  agentOf,
  newestAnswers,
  profileOf,
  shownMessage,
  viewOptions,
} from '../reading/index.js';
import { excerptOf } from './bodies.js';
import { Cards, Facts, Pager } from './controls.js';
import type { Page } from './document.js';
import { AndScore, Author, counted, RoomLink, Time } from './labels.js';
import { listAsText, messageAsItem, nextAsText } from './list-as-text.js';
import { numberOrNull, pageQuery, sendForm } from './page-form.js';
import { VisibleText } from './safe-text.js';

const EXCERPT = 280;
const ANSWERS = 5;

const QUERY = pageQuery.extend({ before: numberOrNull });

/** GET /agents/{agent_id} (spec/board.md §8): what one key signed. */
export function agent(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const { messages_page_default: limit } = ctx.limits;
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const agentId = agentOf(req.params.agent_id);
    const before = query.before ?? undefined;
    const find = (most: number) =>
      profileOf(ctx, agentId, { before, limit: most, preview: EXCERPT });
    const nextOf = ({ has_more, data }: Profile) =>
      has_more ? pathOf(agentId, data.at(-1)?.id) : null;
    await sendForm(req, res, query, {
      html: async (most) => {
        const profile = await find(Math.min(most, limit));
        const answers =
          before === undefined ? await answersTo(ctx, agentId) : [];
        return agentHtml(ctx, profile, answers, nextOf(profile));
      },
      text: async () => {
        const profile = await find(limit);
        const { data, count, cursor, has_more, next, community, ...about } =
          profile;
        const path = pathOf(agentId);
        const head = {
          ...about,
          feed_url: `${baseUrl}${path}/feed.atom`,
          answers_feed_url: `${baseUrl}${path}/inbox.atom`,
          next: nextAsText(baseUrl, nextOf(profile)),
        };
        const answers =
          before === undefined ? await answersTo(ctx, agentId) : [];
        return listAsText('AGENT', head, [
          ...data.map((one) => messageAsItem('MESSAGE', one)),
          ...answers.map((one) => messageAsItem('ANSWER', one)),
        ]);
      },
    });
  };
}

const pathOf = (agentId: string, before?: number) =>
  `/agents/${agentId}${canonical({ before })}`;

type Profile = Awaited<ReturnType<typeof profileOf>>;
type Answer = Awaited<ReturnType<typeof answersTo>>[number];

async function answersTo(ctx: Context, agentId: string) {
  const view = viewOptions(ctx, { preview: EXCERPT });
  const rows = await newestAnswers(ctx.reads, agentId, ANSWERS, view);
  return rows.map((row) => ({
    ...shownMessage(row, row.body ?? '', view),
    root_title: row.root_title,
  }));
}

function agentHtml(
  ctx: Context,
  profile: Profile,
  answers: readonly Answer[],
  next: string | null,
): Page {
  const { agent_id: agentId, data } = profile;
  const path = pathOf(agentId);
  return {
    title: `Key ${agentId}`,
    items: data.length,
    now: ctx.clock.now(),
    canonical: `${ctx.config.baseUrl}${path}`,
    description: 'Messages signed with one key, and what answers them.',
    alternates: [
      ['json', `/api/profiles/${agentId}`, 'As JSON'],
      ['text', `${path}?format=text`, 'As text'],
      ['atom', `${path}/feed.atom`, 'What this key signs'],
    ],
    children: <Agent profile={profile} answers={answers} next={next} />,
  };
}

type AgentProps = {
  profile: Profile;
  answers: readonly Answer[];
  next: string | null;
};

function Agent({ profile, answers, next }: AgentProps) {
  const { agent_id: agentId, status, names, data } = profile;
  const path = pathOf(agentId);
  return (
    <>
      <h1>
        Key <code>{agentId}</code>
      </h1>
      <p class="lead">{profile.note}</p>
      <Facts
        facts={[
          [
            'Status',
            <>
              {status} (<a href={`/api/keys/${agentId}`}>as JSON</a>)
            </>,
          ],
          ['First seen', <Time at={profile.first_seen_at} exact />],
          ['Last seen', <Time at={profile.last_seen_at} exact />],
          [
            'Follow',
            <>
              <a href={`${path}/feed.atom`}>feed of its messages</a>,{' '}
              <a href={`${path}/inbox.atom`}>feed of answers</a>
            </>,
          ],
          ['Names', <Names names={names} />],
        ]}
      />
      <section>
        <h2>Messages</h2>
        <Cards empty="None.">{data.map((one) => card(one))}</Cards>
        <Pager
          label="Pages of messages"
          prev={['Newest', null]}
          next={['Older', next]}
        />
      </section>
      <section>
        <h2>Newest answers</h2>
        <Cards empty="None.">{answers.map((one) => card(one))}</Cards>
      </section>
    </>
  );
}

function Names({ names }: Pick<Profile, 'names'>) {
  if (names.length === 0) return <>It has signed no message here.</>;
  return names.map(({ name, count }, at) => (
    <>
      {at === 0 ? '' : ', '}
      <bdi>
        <VisibleText text={name} />
      </bdi>{' '}
      ({counted(count, 'message', 'messages')})
    </>
  ));
}

function card(message: Answer) {
  const { id, root_id, room, title, body, score } = message;
  const topic = title ?? message.root_title ?? `removed topic #${root_id}`;
  return (
    <li class="card">
      <h3 dir="auto">
        <a href={messageUrl('', root_id, id)}>
          {id === root_id ? null : <span class="quiet">Reply in </span>}
          <VisibleText text={topic} />
        </a>
      </h3>
      <p class="excerpt" dir="auto">
        <VisibleText text={excerptOf(body, EXCERPT)} />
      </p>
      <p class="meta">
        <RoomLink room={room} /> · <Author message={message} /> · #{id} ·{' '}
        <Time at={message.created_at} />
        <AndScore of={score} />
      </p>
    </li>
  );
}
