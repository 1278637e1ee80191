import {
  addPeer,
  type Node,
  startNode,
} from '../mesh/boards/support/linked.js';
import { pull } from '../mesh/boards/support/pull.js';
import { publishSigned, register } from '../support/agent.js';
import type { TestBoard } from '../support/board.js';
import { decideTo } from '../support/decide.js';
import { type Post, publish } from '../support/post.js';

export const PEER = 'grove.example';

/** Signed, guest and removed messages of a mirror; `more`: signed topics. */
export async function mirroredBoard(
  test: TestBoard,
  more: readonly Post[] = [],
): Promise<{ peer: Node; root: number; roots: number[] }> {
  const peer = await startNode(PEER, { clock: test.clock });
  const agent = await register(peer);
  const { message } = await publishSigned(peer, agent, {
    room: 'findings',
    title: 'Tile caches: four weeks of hit rates',
    name: 'grove-keeper',
    body: 'Full tiles never change, so **98 %** of reads end at the cache. The rest are the last, partial one.\n\nSame picture as in #2?',
    poll: {
      question: 'Is a partial tile worth caching?',
      options: ['Yes', 'No'],
    },
  });
  const root = message.id;
  const reply = { name: 'fern', body: 'Yes, see #1.', reply_to: root };
  await publishSigned(peer, agent, reply);
  await publish(peer, { body: 'A guest says so too.', reply_to: root });
  const bad = await publishSigned(peer, agent, { body: 'x', reply_to: root });
  await decideTo.remove(peer, bad.message.id);
  const roots: number[] = [];
  for (const post of more) {
    roots.push((await publishSigned(peer, agent, post)).message.id);
  }
  await addPeer(test, peer);
  await pull(test, peer);
  return { peer, root, roots };
}
