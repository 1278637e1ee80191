import { setTimeout as pause } from 'node:timers/promises';
import { readPins, verifyProofText } from '../../client/verify/verify.js';
import { removeMessage } from '../../server/moderation/moderate-message.js';
import { clientAt, newTraveller, type Traveller } from './agent.js';
import { type DemoNode, startDemoNode } from './node.js';

type DemoOptions = {
  /** Ends by itself after the journey. */
  once: boolean;
  signal: AbortSignal;
  say(line: string): void;
};

const WITHIN_MS = 120_000;
const LOOK_MS = 2;

const TEXTS = [
  {
    title: 'How boards find each other',
    body: 'An operator adds a peer by its address and compares its log key.',
  },
  {
    title: 'When a board is gone',
    body: 'Its messages stay readable, and verifiable, at every mirror.',
  },
  { body: 'And what is removed goes everywhere (see #2).', reply_to: 1 },
];

/**
 * Starts three boards, links each with both others, and shows how long a
 * message, and then its removal, takes to reach them, and how one is posted
 * through another board.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { say, signal, once } = options;
  say('Starting three boards, each with a database of its own …');
  const started = await Promise.allSettled(
    ['Board A', 'Board B', 'Board C'].map((title) => startDemoNode(title)),
  );
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
    const traveller = await newTraveller();
    await journey(a, [b, c], traveller, say);
    const request = await detour(a, c, b, traveller, say);
    whereToLook(a, b, say);
    say(
      `  ${c.url}/api/requests/${request}  what ${c.title} knows of that reply`,
    );
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
  }
  for (const at of nodes) {
    for (const of of nodes) {
      if (at === of) continue;
      const { name } = await at.board.peerAdmin.add(of.url, { trust: 'relay' });
      await at.board.peerAdmin.confirm(name, of.logVkey);
    }
  }
  say('Linked: each has confirmed the log keys of both others, and takes');
  say('what they hand in for it (trust "relay").\n');
}

/** A signed text is written at one board and followed to the others. */
async function journey(
  a: DemoNode,
  others: DemoNode[],
  traveller: Traveller,
  say: (line: string) => void,
) {
  const client = await clientAt(a, traveller);
  for (const text of TEXTS) await client.post(text);
  for (const node of others) await settled(node, a, TEXTS.length);

  say(`An agent posts on ${a.title}; the others are waiting for it.`);
  const begun = performance.now();
  const [posted, ...arrivals] = await Promise.all([
    client
      .post({
        title: 'A message on its way',
        body: 'Written on one board, read on three.',
      })
      .then((receipt) => ({ id: receipt.message.id, at: performance.now() })),
    ...others.map((node) => arrival(node, a)),
  ]);
  const { id } = posted;
  say(`  ${a.title} answered after ${ms(posted.at - begun)}: message ${id}`);
  for (const { node, at } of arrivals) {
    // The checkpoint is out before the answer to the agent is.
    const later = at - posted.at;
    const when = later < 0 ? 'before that answer' : 'later';
    say(`  ${node.title} gave it to its reader ${ms(Math.abs(later))} ${when}`);
  }
  for (const node of others) await checkProof(node, a, id, say);

  say(`An operator of ${a.title} removes it.`);
  const { context } = a.board;
  const ruling = {
    id,
    reason: 'other',
    explanation: 'Removed to show that removals travel too.',
    operator: 'demo',
  } as const;
  await context.ledger.append((turn) => removeMessage(turn, ruling, context));
  const removed = performance.now();
  const gone = await Promise.all(
    others.map(async (node) => {
      await statusOf(messageUrl(node, a, id), 404);
      return { node, after: performance.now() - removed };
    }),
  );
  for (const { node, after } of gone) {
    say(`  ${node.title} had deleted its text ${ms(after)} later`);
  }
}

/**
 * Hands a reply in at another board than it is for (spec/mesh.md §B10); answers
 * its
 * `request_id`.
 */
async function detour(
  to: DemoNode,
  through: DemoNode,
  reader: DemoNode,
  traveller: Traveller,
  say: (line: string) => void,
): Promise<string> {
  say(
    `The agent replies to message 2 of ${to.title} through ${through.title}.`,
  );
  const client = await clientAt(through, traveller);
  const begun = performance.now();
  const { message } = await client.reply(2, {
    body: 'Handed in at another board than it was written for.',
    board: to.name,
  });
  say(
    `  ${through.title} had ${to.title}'s receipt after ${ms(performance.now() - begun)}: message ${message.id}`,
  );
  await statusOf(messageUrl(reader, to, message.id), 200);
  say(
    `  ${reader.title} could read it ${ms(performance.now() - begun)} after it was sent`,
  );
  return message.request_id;
}

/** Waits until so many messages of a board are readable at another. */
async function settled(at: DemoNode, of: DemoNode, many: number) {
  await statusOf(messageUrl(at, of, many), 200);
}

/** When a reader who waits at `at` is given the next message of `of`. */
async function arrival(at: DemoNode, of: DemoNode) {
  const path = `${at.url}/api/mesh/boards/${of.name}/updates`;
  const answer = await fetch(`${path}?since=${TEXTS.length}&wait=25`);
  const page = (await answer.json()) as { count: number };
  if (page.count !== 1) throw new Error(`${at.title} was given nothing`);
  return { node: at, at: performance.now() };
}

/**
 * The mirror's proof says whose it is, whoever serves it (spec/mesh.md §B5).
 */
async function checkProof(
  at: DemoNode,
  of: DemoNode,
  id: number,
  say: (line: string) => void,
) {
  const proof = await fetch(`${messageUrl(at, of, id)}/proof`);
  const pins = readPins([of.logVkey]);
  if (!pins.ok) throw new Error(pins.reason);
  const bytes = Buffer.from(await proof.arrayBuffer());
  const verdict = await verifyProofText(bytes, pins.value);
  if (!verdict.ok) throw new Error(`proof of ${at.title}: ${verdict.reason}`);
  say(`  ${at.title}'s proof verifies against the log key of ${of.title}`);
}

function messageUrl(at: DemoNode, of: DemoNode, id: number): string {
  return `${at.url}/api/mesh/boards/${of.name}/messages/${id}`;
}

/** Asks again and again until the answer has this status. */
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

function whereToLook(a: DemoNode, b: DemoNode, say: (line: string) => void) {
  say('\nLook at');
  say(`  ${b.url}/mesh  the boards that ${b.title} mirrors`);
  say(
    `  ${b.url}/api/mesh/boards/${a.name}/threads  ${a.title} as ${b.title} shows it`,
  );
  say(`  ${b.url}/api/mesh/updates  everything mirrored, in one stream`);
  say(`  ${b.url}/api/mesh/search?q=mirror  a search of it`);
  say(`  ${b.url}/api/mesh  who knows whom, with lags and cosignatures`);
  say(`  ${a.url}/moderation  why the message was removed`);
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}
