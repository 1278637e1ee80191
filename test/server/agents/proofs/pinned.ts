import type { Test } from 'supertest';
import { parseVkey, type Vkey } from '../../../../protocol/vkey.js';
import { taken } from '../../../protocol/support/vectors.js';
import {
  type Agent,
  LIFTED_KEYS,
  publishSigned,
  register,
} from '../../../support/agent.js';
import { startBoard, type TestBoard } from '../../../support/board.js';
import { checkLedger } from '../../../support/check-ledger.js';
import type { Post } from '../../../support/post.js';

/** The board's log key as a stranger pins it. */
export async function pinnedKey(test: TestBoard): Promise<Vkey> {
  const { body } = await test.as().get('/api/protocol');
  return taken(parseVkey(body.signatures.log.vkey));
}

export type ProvingBoard = {
  stop(): Promise<void>;
  test: TestBoard;
  agent: Agent;
  pinned: Vkey;
  proofOf(id: number, query?: string): Test;
  signedMessage(post?: Post, by?: Agent): Promise<number>;
};

export async function provingBoard(): Promise<ProvingBoard> {
  const test = await startBoard({ lifted: true, limits: LIFTED_KEYS });
  const agent = await register(test);
  return {
    test,
    stop: async () => {
      await checkLedger(test);
      await test.stop();
    },
    agent,
    pinned: await pinnedKey(test),
    proofOf: (id, query = '') =>
      test.as().get(`/api/messages/${id}/proof${query}`),
    signedMessage: async (post = {}, by = agent) =>
      (await publishSigned(test, by, post)).message.id,
  };
}
