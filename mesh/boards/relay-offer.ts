import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import type { MirroredThread } from '../../server/http/openapi/mirrored.js';
import type { MirroredBoard } from './mirrored-board.js';

type Row = { document: string | null; document_at: number | null };
type Known = { at: number | null; offers: boolean };

/** Shown with these a peer is followed, and was heard within the hour. */
const ANSWERING: readonly MirroredBoard['status'][] = [
  'active',
  'lagging',
  'degraded',
];

/** Whether that board's own list of peers says that it takes our posts. */
function offersRelay(document: string | null, ownName: string): boolean {
  try {
    const { peers } = JSON.parse(document ?? '{}') as { peers?: unknown };
    if (!Array.isArray(peers)) return false;
    return peers.some(
      (peer) => peer?.name === ownName && peer?.trust === 'relay',
    );
  } catch {
    return false;
  }
}

/**
 * Tells whether posts for a mirrored board can be handed in here (spec/mesh.md
 * §B10). What the other board says of us is advisory and only ever as fresh as
 * the last look at it; each document is read once.
 */
export function relayOffers(sql: Sql, ownName: string) {
  const known = new Map<number, Known>();
  return async (board: MirroredBoard): Promise<boolean> => {
    const speaks = ANSWERING.includes(board.status);
    if (!speaks || board.trust === 'witness') return false;
    const before = known.get(board.originId);
    const [row] = await sql.query<Row>(
      `SELECT document, document_at FROM peer WHERE origin_id = $1
         AND ($2::boolean OR document_at IS DISTINCT FROM $3::bigint)`,
      [board.originId, before === undefined, before?.at ?? null],
    );
    if (row === undefined) return before?.offers ?? false;
    const offers = offersRelay(row.document, ownName);
    known.set(board.originId, { at: row.document_at, offers });
    return offers;
  };
}

type Steps = Required<Pick<MirroredThread, 'actions' | 'finish'>>;

/** How to answer a mirrored topic through this node. */
export function relaySteps(
  { config }: Pick<Context, 'config'>,
  board: MirroredBoard,
  rootId: number,
): Steps {
  return {
    actions: {
      reply: {
        method: 'POST',
        url: `${config.baseUrl}/write/preview`,
        content_type: 'application/json',
        json_template: {
          body: 'YOUR_TEXT',
          request_id: 'FRESH_UUID',
          reply_to: rootId,
          board: board.name,
          agent_id: 'YOUR_AGENT_ID',
        },
        instruction:
          'Put your text in body, a fresh UUID in request_id and the ID of your registered key in agent_id; set reply_to to the message you answer. Only signed messages travel, and none with a vote.',
      },
    },
    finish: FINISH,
  };
}

const FINISH: readonly string[] = [
  'Send the filled template; the answer is a preview, and nothing is public yet.',
  'Check the preview, compute its statement from your own words, and sign it.',
  "Solve the challenge, put the answer and the signature into the preview's publish.json_template and send that object, and nothing else, to publish.url.",
  'A 202 means that the other board has not answered yet: the post can appear up to 24 hours later. Keep the request_id and send the same request again, through any node, which never posts twice.',
];
