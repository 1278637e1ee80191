import { createHash } from 'node:crypto';
import { Evidence } from '../../../../server/db/entities/mirror.js';
import { MirrorMessage } from '../../../../server/db/entities/mirror-message.js';
import { Peer } from '../../../../server/db/entities/peer.js';
import {
  type BoardKeys,
  boardKeys,
} from '../../../../server/ledger/board-keys.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../../../server/limits.js';
import { makeDailySelection } from '../../../../server/selections/daily-selection.js';
import { addPeer, startNode } from '../../../mesh/boards/support/linked.js';
import { pull } from '../../../mesh/boards/support/pull.js';
import { type HandIn, relayBody } from '../../../mesh/relay/hand-in.js';
import { confirmed } from '../../../mesh/support/two-boards.js';
import { type Agent, publishSigned, register } from '../../../support/agent.js';
import type { TestBoard } from '../../../support/board.js';
import { decideTo } from '../../../support/decide.js';
import { publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { openPoll, vote } from '../../polls/polling.js';
import { rate } from '../../votes/rating.js';

const PLENTY = 1_000_000;
const NO_SEEDS = { logKey: null, mirrorKey: null, nodeKey: null };
const DAY_MS = 86_400_000;

/** Whatever is spent, out of the way; sizes and bounds as they are. */
export const BOUNDLESS = Object.fromEntries(
  Object.keys(LIMIT_DEFAULTS)
    .filter((name) => /_(?:minute|minutes|hour|day|board|network)$/.test(name))
    .concat('open_polls_max', 'mesh_waits_total')
    .map((name) => [name, PLENTY]),
) as Partial<Record<LimitName, number>>;

export type Furnished = {
  topic: number;
  reply: number;
  signed: number;
  removed: number;
  poll: number;
  selection: number;
  card: string;
  agent: Agent;
  /** `request_id` of the reply, and of a report. */
  request: string;
  report: string;
  mirrored: Mirrored;
};

export type Mirrored = {
  name: string;
  /** Hex SHA-256 of its origin. */
  hash: string;
  /** Signed, like all of its messages. */
  topic: number;
  hidden: number;
  evidence: string;
  keys: BoardKeys;
};

const OTHER = 'board-m.example';

/** Mirrors a board that has ended since; its log stays readable. */
async function mirror(test: TestBoard): Promise<Mirrored> {
  const other = await startNode(OTHER);
  const { keys } = other.board.context;
  const origin = `${OTHER}/log`;
  const agent = await register(other);
  const topic = { title: 'Elsewhere', body: 'A text of another board.' };
  const said = await publishSigned(other, agent, topic);
  const { id } = said.message;
  const reply = await publishSigned(other, agent, { reply_to: id });
  const gone = await publishSigned(other, agent, { reply_to: id });
  await decideTo.remove(other, gone.message.id);
  await addPeer(test, other);
  await pull(test, other);
  await other.stop();
  const evidence = JSON.stringify({
    format: 'reserve-board/evidence/v1',
    kind: 'equivocation',
    origin,
    log_vkey: other.logVkey,
    first: 'one note\n',
    second: 'another note\n',
  });
  const bytes = Buffer.from(evidence);
  const digest = createHash('sha256').update(bytes).digest();
  const at = test.clock.now();
  const seen = { sha256: digest, origin, kind: 'equivocation', bytes, at };
  await rows(test).insert(Evidence, seen);
  const hidden = { hiddenAt: at, hiddenReason: 'Spam.' };
  await rows(test).update(MirrorMessage, { id: reply.message.id }, hidden);
  return {
    name: OTHER,
    hash: createHash('sha256').update(origin).digest('hex'),
    topic: id,
    hidden: reply.message.id,
    evidence: digest.toString('hex'),
    keys,
  };
}

export const PEER = 'board-p.example';

/** Another board that hands posts in, known to this one from the first call. */
export async function peerOf(test: TestBoard) {
  const { board } = test.board.context;
  const seeds = { boardSeed: 'ab'.repeat(32), ...NO_SEEDS };
  const keys = boardKeys(seeds, PEER, `${PEER}/log`);
  if (!(await rows(test).existsBy(Peer, { name: PEER }))) {
    const at = { name: PEER, url: 'http://127.0.0.1:9', identity: 'none' };
    const facts = { ...at, origin: `${PEER}/log`, keys };
    await confirmed(test, facts, 'relay', { content: 'all' });
  }
  return {
    hash: createHash('sha256').update(`${PEER}/log`).digest('hex'),
    relayed: (agent: Agent, it: HandIn = {}) =>
      relayBody({ b: test, clock: test.clock }, agent, {
        ...it,
        node: keys.node,
        statement: { board: board.name, ...it.statement },
        relay: { from: PEER, to: board.name, ...it.relay },
      }),
  };
}

export async function furnish(test: TestBoard): Promise<Furnished> {
  const opened = await publish(test, { body: 'The first text.' });
  const topic = opened.message.id;
  const first = await publish(test, {
    reply_to: topic,
    body: `See #${topic}.`,
    vote: 1,
  });
  const reply = first.message.id;
  await rate(test, reply, 1, '198.51.100.7');
  test.clock.advance(DAY_MS);
  await makeDailySelection(test.board.context);
  await rate(test, topic, 1, '198.51.100.8');
  const agent = await register(test);
  const { message } = await publishSigned(test, agent, { reply_to: topic });
  const gone = await publish(test, { reply_to: topic, body: 'Buy this.' });
  await decideTo.remove(test, gone.message.id);
  const poll = await openPoll(test);
  await vote(test, poll.id, 'a', '198.51.100.9');
  const report = randomUUID();
  await test
    .as()
    .post('/api/reports')
    .send({
      request_id: report,
      kind: 'report',
      message_id: topic,
      reason: 'spam',
    })
    .expect(201);
  const { body } = await test.as().get('/api/selections');
  const [selection] = body.data;
  return {
    topic,
    reply,
    signed: message.id,
    removed: gone.message.id,
    poll: poll.id,
    selection: selection.id,
    card: selection.cards[0].card_id,
    agent,
    request: first.message.request_id,
    report,
    mirrored: await mirror(test),
  };
}

export function addressOf(template: string, has: Furnished): string {
  const ids: Readonly<Record<string, string | number>> = {
    '/api/messages/{id}/proof': has.signed,
    '/api/polls/{id}': has.poll,
    '/api/polls/{id}/votes': has.poll,
    '/api/polls/{id}/votes/preview': has.poll,
    '/api/selections/{id}': has.selection,
    '/api/reports/{uuid}': has.report,
    '/report/{uuid}': has.report,
    '/api/mesh/boards/{name}/thread/{id}': has.mirrored.topic,
    '/api/mesh/boards/{name}/thread/{id}/text': has.mirrored.topic,
    '/api/mesh/boards/{name}/messages/{id}': has.mirrored.topic,
    '/api/mesh/boards/{name}/messages/{id}/proof': has.mirrored.topic,
    '/mesh/{name}/t/{id}': has.mirrored.topic,
  };
  const queries: Readonly<Record<string, string>> = {
    '/api/search': '?q=text',
    '/api/inbox': '?ids=1,999',
    '/api/mesh/search': '?q=text',
    '/log/consistency': '?from=1&to=2',
    '/log/content': '?index=1',
    '/log/feed': '?from=0',
  };
  const query = queries[template.replace('/mirror/{hash}', '/log')];
  const path = template
    .replace('{uuid}', String(ids[template] ?? has.request))
    .replace('{agent_id}', has.agent.id)
    .replace('{room}', 'lobby')
    .replace('/reference/{part}', '/reference/reading')
    .replace('{part}', 'reading.json')
    .replace(/\{(?:message_)?id\}/, String(ids[template] ?? has.topic))
    .replace('/protocol/{name}', '/protocol/mesh.md')
    .replace('{name}', has.mirrored.name)
    .replace('{hash}', has.mirrored.hash)
    .replace('{sha256}', has.mirrored.evidence)
    .replace('/tile/entries/*n', '/tile/entries/000.p/1')
    .replace('/tile/*n', '/tile/0/000.p/1')
    .replace('{L}', '0')
    .replace('{N}', '000')
    .replace('{W}', '1');
  const own = template.startsWith('/mirror/') ? '?index=2' : '?index=1';
  const asked = query === '?index=1' ? own : query;
  return `${path}${asked ?? ''}`;
}
