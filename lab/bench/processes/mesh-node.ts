import { type DemoNode, startDemoNode } from '../../mesh-demo/node.js';
import { liftedLimits } from '../set-up/settings.js';
import { answer } from './answer.js';

export type MeshNodeQuestion =
  | { ask: 'start'; title: string }
  | { ask: 'link'; url: string; logVkey: string }
  | { ask: 'commit' };

/** What others have to know of a node. */
export type MeshNodeFacts = Pick<DemoNode, 'name' | 'url' | 'logVkey'>;

let node: DemoNode | null = null;

function started(): DemoNode {
  if (node === null) throw new Error('the node is not started');
  return node;
}

async function start(title: string): Promise<MeshNodeFacts> {
  node = await startDemoNode(title, { BOARD_LIMITS: liftedLimits() });
  await node.board.context.writes.query('CREATE TABLE bare_commit (at bigint)');
  const { name, url, logVkey } = node;
  return { name, url, logVkey };
}

/** What an operator does to follow another board (spec/mesh.md §B8). */
async function link(url: string, logVkey: string): Promise<void> {
  const { peerAdmin } = started().board;
  const { name } = await peerAdmin.add(url, { trust: 'mirror' });
  await peerAdmin.confirm(name, logVkey);
}

/** Milliseconds that one committed row takes. */
async function commit(): Promise<number> {
  const { writes } = started().board.context;
  const begun = performance.now();
  await writes.query('INSERT INTO bare_commit VALUES ($1)', [Date.now()]);
  return performance.now() - begun;
}

answer<MeshNodeQuestion>(
  async (question) => {
    if (question.ask === 'start') return await start(question.title);
    if (question.ask === 'commit') return await commit();
    return await link(question.url, question.logVkey);
  },
  async () => await node?.stop(),
);
