import { publicTime } from '../../server/clock.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { messageUrl } from '../../server/http/urls.js';
import {
  decidedVisibility,
  type MessageRow,
  type ThreadOptions,
  type ThreadPage,
  threadPage,
  type ViewOptions,
} from '../../server/reading/index.js';
import type { MirroredPollView } from './answers.js';
import {
  type MirroredPoll,
  type MirroredRoot,
  type MirroredRow,
  mirrorSource,
} from './mirror-source.sql.js';
import { boardPath, hiddenHere, type MirroredBoard } from './mirrored-board.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';

const rootOf = (root: ThreadPage['root']) => root as unknown as MirroredRoot;

/** @param steps how to reply; null: not offered */
export function mirroredThreads<Steps extends object>(
  ctx: Context,
  board: MirroredBoard,
  steps: (rootId: number) => Promise<Steps | null>,
) {
  const { parents_max: parentsMax, references_max: referencesMax } = ctx.limits;
  const source = mirrorSource(board);
  return {
    source,
    url: `${boardPath(ctx.config.baseUrl, board.name)}/thread`,
    page: async (id: number, options: ThreadOptions) => {
      const { window, view, parentPreview } = options;
      const { preview } = view;
      const cuts = { preview, parentPreview, parentsMax, referencesMax };
      const page = await threadPage(ctx.reads, id, window, cuts, source);
      if (page === null) throw unknownThread();
      if (rootOf(page.root).hidden) throw hiddenHere();
      return page;
    },
    show: (row: MessageRow, view: ViewOptions) =>
      mirroredItem(row as MirroredRow, mirroredView(board, view)),
    visibility: ({ visibility }: ThreadPage['root']) =>
      decidedVisibility(visibility),
    poll: (root: ThreadPage['root']) => {
      const url = messageUrl(board.baseUrl, root.id, root.id);
      const { poll } = rootOf(root);
      return poll && mirroredPoll(poll, rootOf(root), url, ctx.clock.now());
    },
    // Replies need only the hash of a text that is not stored.
    steps: async (root: ThreadPage['root']) =>
      rootOf(root).status === 'removed' ? null : await steps(root.id),
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
