import { createHash } from 'node:crypto';
import { startGate } from '../../../mesh/relay/gate.js';
import { type HandIn, handIn, postVia } from '../../../mesh/relay/hand-in.js';
import { A, addKnown, movePeer } from '../../../mesh/relay/linked-boards.js';
import { newAgent, register } from '../../../support/agent.js';
import { freshNetwork } from '../../../support/fresh-network.js';
import { preview } from '../../../support/post.js';
import { randomBytes } from '../../../support/random.js';
import type { Producers, Scene } from './scene.js';

const hand = (scene: Scene, it: HandIn) => handIn(scene, newAgent(), it);

/** Does something while B has another opinion of A or of its messages. */
async function whileB<T>(
  { b }: Scene,
  [change, undo]: readonly [string, string],
  work: () => PromiseLike<T>,
): Promise<T> {
  const { writes } = b.board.context;
  await writes.query(change);
  try {
    return await work();
  } finally {
    await writes.query(undo);
  }
}

/** Codes of what one board wants of another. */
export const OF_OTHER_BOARDS = {
  stale_statement: (scene) => hand(scene, { relay: { at: 0 } }),
  wrong_board: (scene) => hand(scene, { relay: { to: 'board-c.example' } }),
  peer_not_allowed: (scene) =>
    hand(scene, { relay: { from: 'board-c.example' } }),
  bad_content: (scene) =>
    hand(scene, { hashed: { salt: randomBytes(16), name: 'x', body: 'y' } }),
  parent_mismatch: (scene) => {
    const parent = { id: scene.root, hash: randomBytes(32) };
    return hand(scene, { statement: { parent } });
  },
  vote_not_portable: (scene) => {
    const parent = { id: scene.root, hash: randomBytes(32) };
    return hand(scene, { statement: { parent, vote: 1 } });
  },
  unavailable: async ({ a, b }) => {
    // A mirror that was not pulled has no signed head.
    const name = 'board-c.example';
    const { keys } = a.board.context;
    const { writes } = b.board.context;
    await addKnown(writes, { name, url: 'http://127.0.0.1:9', keys });
    const hash = createHash('sha256').update(`${name}/log`).digest('hex');
    return await b.as().get(`/mirror/${hash}/checkpoint`);
  },
  hidden_by_operator: (scene) =>
    whileB(
      scene,
      [
        "UPDATE mirror_message SET hidden_at = 1, hidden_reason = 'legal'",
        'UPDATE mirror_message SET hidden_at = NULL, hidden_reason = NULL',
      ],
      () => {
        const path = `/api/mesh/boards/${A}/messages/${scene.root}`;
        return scene.b.as().get(path);
      },
    ),
  origin_unreachable: async (scene) => {
    const { id } = await register(scene.b);
    return await whileB(
      scene,
      [
        "UPDATE peer SET status = 'paused'",
        "UPDATE peer SET status = 'active'",
      ],
      () => preview(scene.b, { agent_id: id, board: A }, freshNetwork()),
    );
  },
  origin_rejected: async ({ a, b }) => {
    const agent = await register(b);
    const refusal = { error: 'forbidden', detail: 'No.' };
    const gate = await startGate(a.url, { status: 403, body: refusal });
    await movePeer(b, A, gate.url);
    try {
      return (await postVia(b, agent)).answer;
    } finally {
      await movePeer(b, A, a.url);
      await gate.close();
    }
  },
} satisfies Producers;
