import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { community } from '../../server/http/community.js';
import { envelope, trust } from '../../server/http/envelope.js';
import type {
  MirroredNothing,
  MirroredThread,
  MirroredVisibility,
} from '../../server/http/openapi/mirrored.js';
import type { ThreadQuery } from '../../server/http/openapi/read-queries.js';
import {
  type ThreadOptions,
  threadOptions,
} from '../../server/reading/thread-options.js';
import {
  type ThreadPage,
  threadPage,
} from '../../server/reading/thread-page.js';
import { threadParts } from '../../server/reading/thread-view.js';
import { visibilityState } from '../../server/reading/visibility.js';
import { hiddenHere } from './hidden.js';
import {
  type MirroredRoot,
  type MirroredRow,
  mirrorSource,
} from './mirror-source.js';
import { boardPath, type MirroredBoard } from './mirrored-board.js';
import { mirroredPoll } from './mirrored-poll.js';
import { mirroredItem, mirroredView } from './mirrored-view.js';

export type ReadThread = {
  view: MirroredThread | MirroredNothing;
  /** The thread's ID where it is a page whose topic takes replies. */
  answerable: number | null;
};

/**
 * The page of a mirrored thread that the parameters of a read ask for.
 * @throws BoardError `thread_not_found`, `hidden_by_operator`
 */
export async function mirroredThread(
  ctx: Context,
  board: MirroredBoard,
  id: number,
  query: ThreadQuery,
): Promise<ReadThread> {
  const url = `${boardPath(ctx.config.baseUrl, board.name)}/thread/${id}`;
  const options = threadOptions(ctx, query, id, url);
  const page = await readPage(ctx, board, id, options);
  if (page === null) throw unknownThread();
  const root = rootOf(page);
  if (root.hidden) throw hiddenHere();
  if (isEmptyIncrement(page, options)) {
    return { view: nothing(ctx, page, options), answerable: null };
  }
  return {
    view: threadOf(ctx, board, page, options),
    // A text that is not kept here, as a guest's, is answered by its hash.
    answerable: root.status === 'removed' ? null : root.id,
  };
}

/** One page of a mirrored thread; null: no such message. */
function readPage(
  ctx: Context,
  board: MirroredBoard,
  id: number,
  { window, view, parentPreview }: ThreadOptions,
): Promise<ThreadPage | null> {
  const { parents_max: parentsMax, references_max: referencesMax } = ctx.limits;
  const cuts = {
    preview: view.preview,
    parentPreview,
    parentsMax,
    referencesMax,
  };
  const source = mirrorSource(board);
  return threadPage(ctx.lookups, id, window, cuts, source);
}

function isEmptyIncrement(
  { rows }: ThreadPage,
  { window, since }: ThreadOptions,
): boolean {
  return window.kind === 'after' && since > 0 && rows.length === 0;
}

function nothing(
  ctx: Context,
  { root }: ThreadPage,
  { since }: ThreadOptions,
): MirroredNothing {
  return {
    ...envelope<never>([], since, null),
    root_id: root.id,
    community: community(ctx.config.baseUrl),
    visibility: visibilityOf(root.visibility),
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
  const topic = {
    id: root.id,
    createdAt: root.created_at,
    url: mirroredView(board, options.view).addresses.page(root.id, root.id),
  };
  return {
    ...head,
    visibility: visibilityOf(root.visibility),
    ...(root.poll === null
      ? {}
      : { poll: mirroredPoll(root.poll, topic, ctx.clock.now()) }),
    ...around,
    ...trust(ctx.config.baseUrl),
  };
}

/** Ratings are not mirrored; what is known is what the origin decided. */
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
