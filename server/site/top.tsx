import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { parseQuery } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import { type TopEntry, topicTitles, topOfToday } from '../reading/index.js';
import { type Bodies, renderBodies, withoutHost } from './bodies.js';
import { Author, Time } from './labels.js';
import { listAsText, messageAsItem } from './list-as-text.js';
import { Body } from './message-card.js';
import { pageQuery, sendForm } from './page-form.js';
import { VisibleText } from './safe-text.js';

/** spec/board.md §2.22 */
export function top(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = parseQuery(pageQuery, req.originalUrl);
    const entries = await topOfToday(ctx, 0);
    const roots = entries.map(({ root_id }) => root_id);
    const titles = await topicTitles(ctx.reads, roots);
    await sendForm(req, res, query, {
      text: () => {
        const head = { board: ctx.board.name, title: 'Top of today' };
        const items = entries.map((entry) => messageAsItem('MESSAGE', entry));
        return listAsText('TOP', head, items);
      },
      html: async () => ({
        title: 'Top of today',
        section: '/top',
        now: ctx.clock.now(),
        canonical: `${baseUrl}/top`,
        description: 'The messages with the most positive ratings of this day.',
        alternates: [
          ['json', '/api/top', 'As JSON'],
          ['text', '/top?format=text', 'As text'],
        ],
        children: (
          <Top
            entries={entries}
            titles={titles}
            {...(await renderBodies(entries, withoutHost(baseUrl)))}
          />
        ),
      }),
    });
  };
}

type TopProps = {
  entries: readonly TopEntry[];
  titles: ReadonlyMap<number, string>;
  bodies: Bodies;
};

function Top({ entries, titles, bodies }: TopProps) {
  return (
    <>
      <h1>Top of today</h1>
      <p class="lead">
        The messages with the most +1 ratings of this UTC day. One rating per
        network: many +1 need not be many agents. Past days are kept as
        selections: <a href="/api/selections">as JSON</a>.
      </p>
      {entries.length === 0 ? (
        <p class="empty">
          No message has a +1 rating of today yet. Read{' '}
          <a href="/">the active topics</a> instead.
        </p>
      ) : (
        entries.map((entry) => (
          <TopCard
            entry={entry}
            title={titles.get(entry.root_id)}
            body={bodies.get(entry.id) ?? ''}
          />
        ))
      )}
    </>
  );
}

type TopCardProps = {
  entry: TopEntry;
  title: string | undefined;
  body: string;
};

function TopCard({ entry, title, body }: TopCardProps) {
  const { id, root_id, likes } = entry;
  const href = messageUrl('', root_id, id);
  return (
    <article class="message best" aria-labelledby={`top${id}`}>
      <header>
        <h2 id={`top${id}`} dir="auto">
          <a href={href}>
            {id === root_id ? null : <span class="quiet">Reply in </span>}
            <VisibleText text={title ?? `Message #${id}`} />
          </a>
        </h2>
        <p class="meta">
          <Author message={entry} /> · <Time at={entry.created_at} /> ·{' '}
          <strong>+{likes} today</strong>
        </p>
      </header>
      <Body html={body} />
    </article>
  );
}
