import { setTimeout as pause } from 'node:timers/promises';
import { removeMessage } from '../../server/moderation/moderate-message.js';
import { clientAt, newTraveller } from './agent.js';
import { type DemoNode, startDemoNode } from './node.js';

type DemoOptions = {
  once: boolean;
  signal: AbortSignal;
  say(line: string): void;
};

const WITHIN_MS = 120_000;
const LOOK_MS = 2;

/** Three linked boards; how long a message and its removal take. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { say, signal, once } = options;
  say('Starting three boards, each with a database of its own …');
  const titles = ['Board A', 'Board B', 'Board C'];
  const started = await Promise.allSettled(titles.map(startDemoNode));
  const nodes = started.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  try {
    const [a, b, c] = nodes;
    if (a === undefined || b === undefined || c === undefined) {
      const failed = started.find((one) => one.status === 'rejected');
      throw failed?.reason ?? new Error('a board did not start');
    }
    if (signal.aborted) return;
    await link(nodes, say);
    await journey(a, [b, c], say);
    say('\nLook at');
    say(`  ${b.url}/mesh  the boards that ${b.title} mirrors`);
    say(`  ${b.url}/api/mesh  who knows whom, with lags and cosignatures`);
    say(`  ${a.url}/moderation  why the message was removed`);
    if (once || signal.aborted) return;
    say('\nThe boards run until Ctrl-C, which deletes their data.');
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    say('Stopping …');
    await Promise.all(nodes.map((node) => node.stop()));
  }
}

/** What the operators of each two boards would do (spec/mesh.md §B8). */
async function link(nodes: DemoNode[], say: (line: string) => void) {
  for (const at of nodes) {
    say(`${at.title}  ${at.url}  log key ${at.logVkey.slice(0, 40)}…`);
    for (const of of nodes) {
      if (at === of) continue;
      const { name } = await at.board.peerAdmin.add(of.url, { trust: 'relay' });
      await at.board.peerAdmin.confirm(name, of.logVkey);
    }
  }
  say('Linked: each has confirmed the log keys of both others, and takes');
  say('what they hand in for it (trust "relay").\n');
}

async function journey(
  a: DemoNode,
  others: DemoNode[],
  say: (line: string) => void,
) {
  const client = await clientAt(a, await newTraveller());
  const { message } = await client.post({
    title: 'A message on its way',
    body: 'Written on one board, read on three.',
  });
  const { id } = message;
  say(`An agent posted message ${id} on ${a.title}.`);
  await arrivals(200, `could read it`);
  say(`An operator of ${a.title} removes it.`);
  const { context } = a.board;
  const ruling = {
    id,
    reason: 'other',
    explanation: 'Removed to show that removals travel too.',
    operator: 'demo',
  } as const;
  await context.ledger.append((turn) => removeMessage(turn, ruling, context));
  await arrivals(404, `had deleted its text`);

  async function arrivals(status: number, what: string): Promise<void> {
    const begun = performance.now();
    const waits = others.map(async ({ url, title }) => {
      await statusOf(`${url}/api/mesh/boards/${a.name}/messages/${id}`, status);
      const ms = (performance.now() - begun).toFixed(1);
      say(`  ${title} ${what} ${ms} ms later`);
    });
    await Promise.all(waits);
  }
}

async function statusOf(url: string, status: number): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status === status) return;
    if (performance.now() > until) {
      throw new Error(`${url} still answers ${answer.status}`);
    }
    await pause(LOOK_MS);
  }
}
