import type { RequestHandler } from 'express';
import { levelText, type MirrorSummary } from '../../mesh/mesh-ports.js';
import { logPath } from '../../protocol/board-name.js';
import { fingerprintOf, formatVkey } from '../../protocol/vkey.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { parseQuery } from '../http/query.js';
import { ownLogSize } from '../stats/index.js';
import { Facts } from './controls.js';
import { grouped, Time } from './labels.js';
import { listAsText } from './list-as-text.js';
import { boardPath } from './mirrored-card.js';
import { pageQuery, sendForm } from './page-form.js';
import { VisibleText } from './safe-text.js';
import type { SiteContext } from './site-context.js';

/** spec/board.md §8 */
export function mesh(ctx: SiteContext): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = parseQuery(pageQuery, req.originalUrl);
    const [size, boards] = await Promise.all([
      ownLogSize(ctx.reads),
      ctx.mirrors.boards(),
    ]);
    await sendForm(req, res, query, {
      text: () => meshAsText(ctx, size, boards),
      html: () => ({
        title: 'Mesh',
        section: '/mesh',
        canonical: `${baseUrl}/mesh`,
        description: "This board's log and the boards that it mirrors.",
        alternates: [
          ['json', '/api/mesh', 'As JSON'],
          ['text', '/mesh?format=text', 'As text'],
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
            <Joining />
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

function Joining() {
  return (
    <section aria-labelledby="joining">
      <h2 id="joining">Joining</h2>
      <p>
        Any software can join: <a href="/protocol/mesh.md">the protocol</a> and{' '}
        <a href="/protocol/mesh-vectors.json">worked values of its formats</a>.
      </p>
    </section>
  );
}

function OwnBoard({ ctx, size }: { ctx: Context; size: number }) {
  const { board, keys } = ctx;
  const checkpoint = `${logPath(board.origin)}/checkpoint`;
  return (
    <section class="panel" aria-labelledby="own">
      <h2 id="own">This board</h2>
      <p>
        Every message and decision is an entry of one append-only log. Its
        signed checkpoint lets anyone check that nothing was rewritten.
      </p>
      <Facts
        facts={[
          ['Name', board.name],
          ['Log', <code>{board.origin}</code>],
          ['Entries', grouped(size)],
          [
            'Log key',
            <>
              <code>{formatVkey(keys.log.vkey)}</code> fingerprint{' '}
              {fingerprintOf(formatVkey(keys.log.vkey))}
            </>,
          ],
          ['Checkpoint', <a href={checkpoint}>signed head of the log</a>],
        ]}
      />
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
    protocol_url: `${baseUrl}/protocol/mesh.md`,
  };
  const items = boards.map((one) => {
    const { name, origin, trust, level, status, reason, messages } = one;
    const { lastSuccessAt: heard, mirroredSize, remoteSize } = one;
    const known = Math.max(remoteSize, mirroredSize);
    const last_heard_at = heard === null ? null : publicTime(heard);
    const about = {
      name,
      origin,
      base_url: one.baseUrl,
      trust,
      level,
      status,
      reason,
      mirrored_size: mirroredSize,
      size: known,
      messages,
      last_heard_at,
      standstill: one.standstill,
      topics_url: `${baseUrl}${boardPath(name)}`,
    };
    return { label: 'BOARD', about };
  });
  return listAsText('MESH', head, items);
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  active: 'in step',
  lagging: 'behind',
  unreachable: 'not reached',
  degraded: 'with faults',
  paused: 'paused by the operators',
  quarantined: 'quarantined: its log contradicts itself',
  new_key: 'its log has ended',
  log_ended: 'its log has ended',
  unsupported_protocol: 'speaks another protocol',
};

/** A lag without a known missing entry: no answer lately. */
function statusText({ status, standstill, lagMs }: MirrorSummary): string {
  if (standstill === 'lagging' && lagMs === null) return 'not answering';
  return STATUS_TEXTS[standstill ?? status] ?? status;
}

function trustText({ trust, content }: MirrorSummary): string {
  const isKept = trust === 'mirror' || trust === 'relay';
  const all = isKept && content === 'all';
  return `${TRUST_TEXTS[trust]}${all ? ', texts of guests too' : ''}`;
}

const TRUST_TEXTS: Readonly<Record<MirrorSummary['trust'], string>> = {
  witness: 'its checkpoints are checked',
  proofs: 'its entries are checked, texts are not kept',
  mirror: 'its signed messages are kept and shown',
  relay: 'kept and shown; messages may pass through this board',
};

/** Of the oldest missing entry, roughly. */
function lagText(lagMs: number | null): string {
  if (lagMs === null) return 'not known';
  if (lagMs <= 0) return 'no known entry is missing';
  const seconds = Math.ceil(lagMs / 1000);
  if (seconds < 120) return `behind for ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `behind for ${minutes} min`;
  return `behind for ${Math.round(minutes / 60)} h`;
}

function BoardCard({ board }: { board: MirrorSummary }) {
  const { name, origin, reason, lastSuccessAt, mirroredSize } = board;
  const known = Math.max(board.remoteSize, mirroredSize);
  const heard =
    lastSuccessAt === null ? 'never' : <Time at={publicTime(lastSuccessAt)} />;
  return (
    <li class="panel">
      <h3>
        <a href={boardPath(name)}>{name}</a>{' '}
        <span class={board.standstill === null ? 'badge signed' : 'badge warn'}>
          {statusText(board)}
        </span>
      </h3>
      {reason === null ? null : (
        <p class="meta">
          <VisibleText text={reason} />
        </p>
      )}
      <Facts
        facts={[
          ['Log', <code>{origin}</code>],
          ['Trust', trustText(board)],
          ['Level', levelText(board.level)],
          ['Messages here', grouped(board.messages)],
          ['Verified entries', `${grouped(mirroredSize)} of ${grouped(known)}`],
          ['Lag', lagText(board.lagMs)],
          ['Last heard', heard],
          ['Read it', <Addresses board={board} />],
        ]}
      />
    </li>
  );
}

function Addresses({ board: { name, baseUrl } }: { board: MirrorSummary }) {
  const ofBoard = <span class="hidden">: {name}</span>;
  return (
    <>
      <a href={boardPath(name)}>its topics here{ofBoard}</a>,{' '}
      <a href={`/api/mesh/boards/${encodeURIComponent(name)}/threads`}>
        as JSON{ofBoard}
      </a>{' '}
      or{' '}
      <a href={baseUrl} rel="noopener noreferrer">
        at its own address{ofBoard}
      </a>
    </>
  );
}
