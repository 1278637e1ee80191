import { expect } from 'chai';
import { boardKeys } from '../../../../server/ledger/board-keys.js';
import { type GateRule, startGate } from '../../../mesh/relay/gate.js';
import { type HandIn, relayBody } from '../../../mesh/relay/hand-in.js';
import { addKnown } from '../../../mesh/relay/linked-boards.js';
import {
  currentPair,
  newAgent,
  register,
  signed,
} from '../../../support/agent.js';
import { preview, request } from '../../../support/post.js';
import { randomBytes } from '../../../support/random.js';
import type { Walk } from './walk.js';

const PEER = 'board-p.example';

/** Posts from and for another board (spec/mesh.md §B10). */
export function walkRelay(begun: () => Walk): void {
  const seeds = { logKey: null, mirrorKey: null, nodeKey: null };
  const keys = () => {
    const boardSeed = randomBytes(32).toString('hex');
    return boardKeys({ ...seeds, boardSeed }, PEER, `${PEER}/log`);
  };

  it('takes posts from another node, and hands over its own', async () => {
    const { plain, test, send } = begun();
    const { writes } = plain.board.context;
    const known = { name: PEER, url: 'http://127.0.0.1:9', keys: keys() };
    await addKnown(writes, known);
    await writes.query(
      'UPDATE log_state SET size = 1 WHERE board = $1 AND size = 0',
      [PEER],
    );
    const board = plain.board.context.board.name;
    const from = { b: plain, clock: plain.clock };
    const author = newAgent();
    const handIn = (it: HandIn = {}) =>
      relayBody(from, author, {
        ...it,
        node: known.keys.node,
        statement: { board, ...it.statement },
        relay: { from: PEER, to: board, ...it.relay },
      });
    const path = '/api/mesh/relay';
    const body = handIn();
    await send(path, body, 201);
    await send(path, body, 200);
    await send(path, handIn({ relay: { at: 0 } }), 400);
    const parent = { id: begun().has.topic, hash: randomBytes(32) };
    await send(path, handIn({ statement: { parent } }), 409);
    await send(path, handIn({ relay: { from: 'board-q.example' } }), 403);

    const agent = await register(test);
    const post = async () => {
      const body = request({ agent_id: agent.id, board: PEER });
      const previewed = await preview(test, body);
      expect(previewed.status, previewed.text).to.equal(200);
      return { body, filled: signed(previewed, currentPair(agent)) };
    };
    const through = async (rule: GateRule, status: number) => {
      const gate = await startGate(plain.url, rule);
      const { body, filled } = await post();
      await writes.query('UPDATE peer SET base_url = $1 WHERE name = $2', [
        gate.url,
        PEER,
      ]);
      await send('/write/publish', filled, status);
      await test.as().get(`/api/requests/${body.request_id}`);
      await gate.close();
    };
    await through('drop', 202);
    const no = { error: 'peer_not_allowed', detail: 'No.' };
    await through({ status: 403, body: no }, 502);
    const { filled } = await post();
    const set = (status: string) =>
      writes.query('UPDATE peer SET status = $1 WHERE name = $2', [
        status,
        PEER,
      ]);
    await set('blocked');
    await send('/write/publish', filled, 404);
    await preview(test, request({ agent_id: agent.id, board: PEER }));
    await writes.query('DELETE FROM peer WHERE name = $1', [PEER]);
  });
}
