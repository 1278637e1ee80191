import { publicTime } from '../../server/clock.js';
import {
  shownMessage,
  tombstoneOf,
  type ViewOptions,
} from '../../server/reading/index.js';
import type {
  MessageOrigin,
  MirroredItem,
  MirroredMessage,
  MirroredStub,
} from './answers.js';
import type { MirroredRow } from './mirror-source.sql.js';
import { type MirroredBoard, mirroredAddresses } from './mirrored-board.js';

export type MirroredView = ReturnType<typeof mirroredView>;

export function mirroredView(board: MirroredBoard, options: ViewOptions) {
  const addresses = mirroredAddresses(options.baseUrl, board);
  return { ...options, addresses, board };
}

/** Board, freshness and decisions of the origin. */
function aboutOrigin(row: MirroredRow, { board, addresses }: MirroredView) {
  const { origin, size } = board.logs.find(
    (log) => log.originId === row.origin_id,
  ) ?? { ...board, size: board.mirroredSize };
  const about: MessageOrigin = {
    board: board.name,
    origin,
    index: row.log_index,
    url: addresses.page(row.root_id, row.id),
    mirrored_at: publicTime(row.received_at),
    mirror_status: board.status,
    checkpoint_size: size,
  };
  if (row.decisions === null) return { origin: about };
  const decisions = row.decisions.map(({ action, reason, at, idx }) => {
    return { action, reason, decided_at: publicTime(at), log_index: idx };
  });
  return { origin: about, decisions };
}

/**
 * spec/mesh.md §B9: without a score; a tombstone where its board removed it; a
 * stub where the text is not stored or hidden here.
 */
export function mirroredItem(
  row: MirroredRow,
  view: MirroredView,
): MirroredItem {
  if (row.hidden || (row.body === null && row.status !== 'removed')) {
    return stubOf(row, view);
  }
  if (row.body !== null) return mirroredMessage(row, row.body, view);
  const tombstone = tombstoneOf(row, view.addresses);
  return { ...tombstone, ...aboutOrigin(row, view) };
}

/** `shown`: the returned part, if not the first. */
export function mirroredMessage(
  row: MirroredRow,
  body: string,
  view: MirroredView,
  shown?: string,
): MirroredMessage {
  const { score: _, ...message } = shownMessage(row, body, view, shown);
  return { ...message, ...aboutOrigin(row, view) };
}

export function stubOf(row: MirroredRow, view: MirroredView): MirroredStub {
  return {
    id: row.id,
    root_id: row.root_id,
    reply_to: row.reply_to,
    room: row.room,
    created_at: publicTime(row.created_at),
    signature_status: row.agent_id === null ? 'guest' : 'signed',
    withheld: reasonOf(row, view.board),
    read_url: view.addresses.read(row.id),
    url: view.addresses.page(row.root_id, row.id),
    ...aboutOrigin(row, view),
  };
}

function reasonOf(
  row: MirroredRow,
  { trust }: MirroredBoard,
): MirroredStub['withheld'] {
  if (row.hidden) return 'operator';
  if (row.status !== 'bare') return 'content';
  if (trust === 'witness' || trust === 'proofs') return 'trust';
  return row.agent_id === null ? 'guest' : 'trust';
}

/** Rows of boards that were blocked meanwhile are left out. */
export function ofBoards<Row extends MirroredRow, Shown>(
  rows: readonly Row[],
  boards: readonly MirroredBoard[],
  options: ViewOptions,
  show: (row: Row, view: MirroredView) => Shown,
): Shown[] {
  const views = new Map(
    boards.flatMap((board) => {
      const view = mirroredView(board, options);
      return board.logs.map(({ originId }) => [originId, view] as const);
    }),
  );
  return rows.flatMap((row) => {
    const view = views.get(row.origin_id);
    return view === undefined ? [] : [show(row, view)];
  });
}
