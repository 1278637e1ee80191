import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import type { ThreadQuery } from '../../server/http/openapi/parameters.js';
import { community, envelope, trust } from '../../server/http/send.js';
import {
  type ThreadOptions,
  type ThreadPage,
  threadOptions,
  threadPage,
  threadParts,
  visibilityState,
} from '../../server/reading/index.js';
import type {
  MirroredNothing,
  MirroredPollView,
  MirroredThread,
  MirroredVisibility,
} from './answers.js';
import {
  type MirroredPoll,
  type MirroredRoot,
  type MirroredRow,
  mirrorSource,
} from './mirror-source.sql.js';
import { boardPath, hiddenHere, type MirroredBoard } from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';

export type ReadThread = {
  view: MirroredThread | MirroredNothing;
  /** The thread's ID where replies are possible. */
  answerable: number | null;
};

/** @throws BoardError `thread_not_found`, `hidden_by_operator` */
export async function mirroredThread(
  ctx: Context,
  board: MirroredBoard,
  id: number,
  query: ThreadQuery,
): Promise<ReadThread> {
  const { baseUrl } = ctx.config;
  const url = `${boardPath(baseUrl, board.name)}/thread/${id}`;
  const options = threadOptions(ctx, query, id, url);
  const { window, view, parentPreview, since } = options;
  const { parents_max: parentsMax, references_max: referencesMax } = ctx.limits;
  const { preview } = view;
  const cuts = { preview, parentPreview, parentsMax, referencesMax };
  const source = mirrorSource(board);
  const page = await threadPage(ctx.reads, id, window, cuts, source);
  if (page === null) throw unknownThread();
  const root = rootOf(page);
  if (root.hidden) throw hiddenHere();
  if (window.kind === 'after' && since > 0 && page.rows.length === 0) {
    const nothing: MirroredNothing = {
      ...envelope<never>([], since, null),
      root_id: root.id,
      community: community(baseUrl),
      visibility: visibilityOf(root.visibility),
    };
    return { view: nothing, answerable: null };
  }
  return {
    view: threadOf(ctx, board, page, options),
    // Replies need only the hash of a text that is not stored.
    answerable: root.status === 'removed' ? null : root.id,
  };
}

function rootOf({ root }: ThreadPage) {
  return root as unknown as MirroredRoot & { visibility: string };
}

function threadOf(
  ctx: Context,
  board: MirroredBoard,
  page: ThreadPage,
  options: ThreadOptions,
): MirroredThread {
  const { head, around } = threadParts(
    page,
    options,
    ctx.limits.parents_max,
    (row, view) => mirroredItem(row as MirroredRow, mirroredView(board, view)),
  );
  const root = rootOf(page);
  const { addresses } = mirroredView(board, options.view);
  const url = addresses.page(root.id, root.id);
  const poll = root.poll && mirroredPoll(root.poll, root, url, ctx.clock.now());
  return {
    ...head,
    visibility: visibilityOf(root.visibility),
    ...(poll === null ? {} : { poll }),
    ...around,
    ...trust(ctx.config.baseUrl),
  };
}

/** Without ratings, which are not mirrored. */
function visibilityOf(stored: string): MirroredVisibility {
  return {
    state: visibilityState(stored),
    ...(stored === 'restored_by_decision'
      ? { restored_by_decision: true }
      : {}),
    ...(stored === 'hidden_by_decision' ? { hidden_by_decision: true } : {}),
  };
}

export function unknownThread(): BoardError {
  return new BoardError(
    'thread_not_found',
    'This node mirrors no message with this ID of that board.',
  );
}

type Kind = NonNullable<MirroredPollView['proposal']>['kind'];

const PROPOSAL_OPTIONS = ['support', 'oppose', 'abstain'];
const HOUR_MS = 3_600_000;

/**
 * Ballots are not mirrored: counts are unknown until the closing entry, and
 * votes are impossible here.
 */
function mirroredPoll(
  { id, content, close, decision }: MirroredPoll,
  root: MirroredRoot,
  url: string,
  now: number,
): MirroredPollView {
  const {
    kind,
    question,
    options = PROPOSAL_OPTIONS,
    summary = null,
  } = content;
  const hours = content.duration_hours ?? 0;
  const closesAt = root.created_at + hours * HOUR_MS;
  const isClosed = close !== null || now >= closesAt;
  const voided = close?.result === 'voided';
  const winner = close?.winner ?? null;
  return {
    id,
    root_id: root.id,
    type: kind === undefined ? 'survey' : 'proposal',
    question,
    options: [...options],
    ...(kind && { proposal: { kind: kind as Kind, summary } }),
    state: isClosed ? 'closed' : 'open',
    close_reason: isClosed ? (voided ? 'topic_removed' : 'deadline') : null,
    created_at: publicTime(root.created_at),
    closes_at: publicTime(closesAt),
    tally: {
      counts: close?.counts ?? null,
      voters: close?.voters ?? null,
      result: close === null || close.result === 'voided' ? null : close.result,
      winner: winner === null ? null : (options[winner] ?? null),
    },
    voting: null,
    decision: decision && {
      outcome: decision.outcome,
      decided_at: publicTime(decidedAt(decision, root, now)),
    },
    url,
  };
}

/**
 * At most its entry's time (spec/mesh.md §B11): an origin may write any time,
 * even one that is no date.
 */
function decidedAt(
  { at, index }: NonNullable<MirroredPoll['decision']>,
  { decisions }: MirroredRoot,
  now: number,
): number {
  const entry = decisions?.find(({ idx }) => idx === index);
  return Math.min(entry?.at ?? at, now);
}
