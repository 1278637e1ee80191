import { NodeProcess } from '../../test/faults/node-process.js';
import { checkLedger } from '../../test/support/check-ledger.js';
import { publish } from '../../test/support/post.js';
import { until } from '../../test/support/until.js';
import { draft, post, template } from '../../test/support/wire.js';
import type { Stage } from './stage.js';

const TAIL = 10;

type Published = { id: number; body: string };

export type LostTail = {
  /** Messages that were acknowledged and that the new primary lacked. */
  lost: number;
  /** How many of them are back, with their texts. */
  back: number;
  /** From the kill until writes were refused, and from the restore until open. */
  closedMs: number;
  openMs: number;
};

export async function loseTheTail(stage: Stage): Promise<LostTail> {
  const { cluster, processes } = stage;
  const [first] = processes;
  if (first === undefined) throw new Error('no process');
  const peer = await NodeProcess.create({ linked: true });
  try {
    await link(first.node, peer.url);
    await link(peer, cluster.url);
    await cluster.hosts[0]?.configure({ synchronous_mode: false });
    await stage.whole('asynchronous');
    const primary = await cluster.primary();
    if (primary === null) throw new Error('no host is the primary');
    // The standby hears nothing more, and never will.
    primary.ways.peers.hold();
    const tail = await publishTail(stage);
    const { log } = await mesh(cluster.url);
    await until('a mirror of all', async () => {
      const { peers } = await mesh(peer.url);
      return peers[0]?.mirrored_size >= log.size;
    });
    const at = await primary.suffer('host killed');
    primary.ways.peers.cut();
    for (const { node } of processes) await refuses(node.url);
    const closedMs = performance.now() - at;
    const lost = TAIL - (await shown(cluster.url, tail));
    const begun = performance.now();
    await first.node.command('log', 'restore', '--from', peer.url);
    await stage.ready();
    await publish({ as: (from) => first.node.as(from) }, { body: 'Goes on.' });
    const openMs = performance.now() - begun;
    await checkLedger(cluster);
    const back = (await shown(cluster.url, tail)) - (TAIL - lost);
    await primary.recover();
    await stage.whole('asynchronous');
    return { lost, back, closedMs, openMs };
  } finally {
    await peer.remove();
  }
}

async function publishTail({ processes }: Stage): Promise<Published[]> {
  const tail: Published[] = [];
  for (let n = 0; n < TAIL; n += 1) {
    const node = processes[n % processes.length]?.node;
    if (node === undefined) throw new Error('no process');
    const body = `The last ones, number ${n}.`;
    tail.push({ id: (await publish(node, { body })).message.id, body });
  }
  return tail;
}

async function refuses(url: string): Promise<void> {
  await until('log_guard', async () => {
    const previewed = await post(url, '/write/preview', draft(null));
    if (previewed.status !== 200) return previewed.body.error === 'log_guard';
    const { body } = await post(url, '/write/publish', template(previewed));
    return body.error === 'log_guard';
  });
  const read = await fetch(`${url}/api/threads`);
  await read.text();
  if (read.status !== 200) throw new Error(`reads: ${read.status}`);
}

async function shown(url: string, tail: Published[]): Promise<number> {
  let count = 0;
  for (const { id, body } of tail) {
    const answer = await fetch(`${url}/api/messages/${id}`);
    const text = await answer.text();
    if (answer.status === 200 && text.includes(body)) count += 1;
  }
  return count;
}

async function mesh(url: string) {
  return (await fetch(`${url}/api/mesh`)).json();
}

async function link(at: NodeProcess, url: string): Promise<void> {
  const { log } = await mesh(url);
  const terms = ['--trust', 'mirror', '--content', 'all'];
  await at.command('peer', 'add', url, '--confirm', log.vkey, ...terms);
  // A new peer may bring a tenth of its quota, less than a drill publishes.
  await at.command('peer', 'limits', url, '--no-probation');
}
