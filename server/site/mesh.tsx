import type { RequestHandler } from 'express';
import type { MirrorSummary } from '../../mesh/mesh-ports.js';
import { logPath } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { parseQuery } from '../http/query.js';
import { ownLogSize } from '../stats/index.js';
import { BoardCard } from './board-card.js';
import { listAsText } from './list-as-text.js';
import { boardPath } from './mirrored-card.js';
import { pageForm, pageQuery, sendForm } from './page-form.js';

/** GET /mesh: this board's log and the boards it mirrors (spec/board.md §8). */
export function mesh(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const form = pageForm(req, parseQuery(pageQuery, req.originalUrl));
    const [size, boards] = await Promise.all([
      ownLogSize(ctx.reads),
      ctx.mirrors.boards(),
    ]);
    await sendForm(req, res, form, {
      text: () => meshAsText(ctx, size, boards),
      html: () => ({
        title: 'Mesh',
        section: '/mesh',
        canonical: `${baseUrl}/mesh`,
        description: "This board's log and the boards that it mirrors.",
        alternates: [
          { type: 'application/json', href: '/api/mesh', title: 'As JSON' },
          { type: 'text/plain', href: '/mesh?format=text', title: 'As text' },
        ],
        children: (
          <>
            <h1>Mesh</h1>
            <p class="lead">
              Boards that keep and check each other's logs. Each has its own
              rules and operators; what they mirror stays theirs.
            </p>
            <OwnBoard ctx={ctx} size={size} />
            <Boards boards={boards} />
          </>
        ),
      }),
    });
  };
}

function Boards({ boards }: { boards: readonly MirrorSummary[] }) {
  return (
    <section aria-labelledby="boards">
      <h2 id="boards">Mirrored boards</h2>
      {boards.length === 0 ? (
        <p class="empty">This board mirrors no other board yet.</p>
      ) : (
        <ul class="boards">
          {boards.map((board) => (
            <BoardCard board={board} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OwnBoard({ ctx, size }: { ctx: Context; size: number }) {
  const { board, keys } = ctx;
  return (
    <section class="panel" aria-labelledby="own">
      <h2 id="own">This board</h2>
      <p>
        Every message and decision is an entry of one append-only log. Its
        signed checkpoint lets anyone check that nothing was rewritten.
      </p>
      <dl class="facts">
        <dt>Name</dt>
        <dd>{board.name}</dd>
        <dt>Log</dt>
        <dd>
          <code>{board.origin}</code>
        </dd>
        <dt>Entries</dt>
        <dd>{size}</dd>
        <dt>Log key</dt>
        <dd>
          <code>{formatVkey(keys.log.vkey)}</code>
        </dd>
        <dt>Checkpoint</dt>
        <dd>
          <a href={`${logPath(board.origin)}/checkpoint`}>
            signed head of the log
          </a>
        </dd>
      </dl>
    </section>
  );
}

function meshAsText(
  { board, keys, config: { baseUrl } }: Context,
  size: number,
  boards: readonly MirrorSummary[],
): string {
  const head = {
    board: board.name,
    origin: board.origin,
    log_vkey: formatVkey(keys.log.vkey),
    size,
    checkpoint_url: `${baseUrl}/log/checkpoint`,
  };
  const items = boards.map((one) => {
    const { name, origin, trust, status, reason, messages } = one;
    const { lastSuccessAt: heard, mirroredSize, remoteSize } = one;
    const known = Math.max(remoteSize, mirroredSize);
    const last_heard_at = heard === null ? null : publicTime(heard);
    const about = {
      ...{ name, origin, base_url: one.baseUrl, trust, status, reason },
      ...{ mirrored_size: mirroredSize, size: known, messages, last_heard_at },
      topics_url: `${baseUrl}${boardPath(name)}`,
    };
    return { label: 'BOARD', about };
  });
  return listAsText('MESH', head, items);
}
