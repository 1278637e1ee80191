import { accepted } from '../../../../protocol/verdict.js';
import { Peer } from '../../../../server/db/entities/peer.js';
import type { TestBoard } from '../../../support/board.js';
import { rows } from '../../../support/rows.js';
import { pullerOf } from '../../support/driven.js';

/** Up to its origin and no further: reads want a mirror at rest. */
export async function pull(to: TestBoard, from: TestBoard): Promise<void> {
  const { name } = from.board.context.board;
  const { originId } = await rows(to).findOneByOrFail(Peer, { name });
  const puller = pullerOf(to, originId, {
    get: async (_url, path) => {
      const { status, text } = await from.as('198.51.100.1').get(path);
      return accepted({ status, body: Buffer.from(text) });
    },
  });
  const outcome = await puller.toEnd(Number.POSITIVE_INFINITY);
  await puller.end();
  if (outcome !== 'level') throw new Error(`the pull ended: ${outcome}`);
}
