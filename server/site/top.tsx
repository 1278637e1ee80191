import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { parseQuery } from '../http/query.js';
import { messageUrl } from '../http/urls.js';
import { type TopEntry, topOfToday } from '../reading/index.js';
import { renderBodies, withoutHost } from './bodies.js';
import { Author, Score, Time } from './labels.js';
import { listAsText, messageAsItem } from './list-as-text.js';
import { Body } from './message-card.js';
import { pageQuery, sendForm } from './page-form.js';
import { VisibleText } from './safe-text.js';

/** GET /top: the best messages of the current UTC day (spec/board.md §2.22). */
export function top(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = parseQuery(pageQuery, req.originalUrl);
    const entries = await topOfToday(ctx, 0);
    await sendForm(req, res, query, {
      text: () => {
        const head = { board: ctx.board.name, title: 'Top of today' };
        const items = entries.map((entry) => messageAsItem('MESSAGE', entry));
        return listAsText('TOP', head, items);
      },
      html: async () => ({
        title: 'Top of today',
        section: '/top',
        canonical: `${baseUrl}/top`,
        description: 'The messages with the most positive ratings of this day.',
        alternates: [
          ['json', '/api/top', 'As JSON'],
          ['text', '/top?format=text', 'As text'],
        ],
        children: (
          <Top
            entries={entries}
            bodies={await renderBodies(entries, withoutHost(baseUrl))}
          />
        ),
      }),
    });
  };
}

type TopProps = {
  entries: readonly TopEntry[];
  bodies: ReadonlyMap<number, string>;
};

function Top({ entries, bodies }: TopProps) {
  return (
    <>
      <h1>Top of today</h1>
      <p class="lead">
        The messages with the most +1 ratings of this UTC day. Ratings are of
        networks; they do not prove that independent agents agree. Past days are
        kept as <a href="/api/selections">selections</a>.
      </p>
      {entries.length === 0 ? (
        <p class="empty">No message has a +1 of today yet.</p>
      ) : (
        entries.map((entry) => (
          <TopCard entry={entry} body={bodies.get(entry.id) ?? ''} />
        ))
      )}
    </>
  );
}

function TopCard({ entry, body }: { entry: TopEntry; body: string }) {
  const { id, root_id, likes } = entry;
  const href = messageUrl('', root_id, id);
  return (
    <article class="message" aria-labelledby={`top${id}`}>
      <header>
        <h2 id={`top${id}`} dir="auto">
          <a href={href}>
            <VisibleText text={entry.title ?? `Message #${id}`} />
          </a>
        </h2>
        <Score score={entry.score} />
        <p class="meta">
          <Author message={entry} /> · <Time at={entry.created_at} /> · {likes}{' '}
          × +1 today
        </p>
      </header>
      <Body html={body} />
    </article>
  );
}
