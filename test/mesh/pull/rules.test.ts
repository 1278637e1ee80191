// One file though it is long: one table, a row for each word that mesh.md
// prints, so that a word without a row is found.
import { readFile } from 'node:fs/promises';
import { cosign, formatCheckpoint } from '../../../protocol/checkpoint.js';
import { cutNote } from '../../../protocol/entry.js';
import { agentId, signKeyEvent } from '../../../protocol/key.js';
import { formatNote, parseNote } from '../../../protocol/note.js';
import type { KeyPair } from '../../../protocol/signing.js';
import { LogEntry } from '../../../server/db/entities/log.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { recordFaults } from '../../faults/report.js';
import { taken } from '../../protocol/support/vectors.js';
import {
  type Agent,
  advance,
  freshPair,
  newAgent,
  nextEvent,
  pairOf,
  signEvent,
} from '../../support/agent.js';
import { given as givenFor } from '../../support/hooks.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import {
  HostilePeer,
  type Mode,
  peerWith,
  sendJson,
} from '../support/hostile-peer.js';
import { noise, ScriptedLog, type WirePage } from '../support/scripted-log.js';
import { meshBoard, mirrored, sizeOf } from '../support/two-boards.js';
import { answers, changed, hangUp, limits } from './scripted-peer.js';

/** Entries of each log that are shown before its peer begins to lie. */
const HONEST = 4;
const AT = 1_768_478_400_000;
const SMALL_ORDER =
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa';

type It = {
  log: ScriptedLog;
  agent: Agent;
  topic: ReturnType<ScriptedLog['post']>;
};

function begun(name: string): It {
  const log = new ScriptedLog(name, AT);
  const agent = newAgent();
  log.key(agent);
  const topic = log.post({ agent });
  log.post({ agent, parent: topic });
  log.post({ agent, parent: topic });
  return { log, agent, topic };
}

function key({ log }: It, agent: string, seq: number, embedded: string): void {
  log.entry({ type: 'key', at: AT, agent, seq, embedded });
}

function next({ log, agent }: It, op: 'rotate' | 'revoke'): Agent {
  const before = { ...agent, events: [...agent.events] };
  advance(agent, op);
  log.key(agent);
  return before;
}

function rotatedBy(it: It, pair: KeyPair): void {
  const event = nextEvent(it.agent, 'rotate', { key: pair.publicKey });
  key(it, it.agent.id, event.seq, signKeyEvent(event, pair));
}

function rotatedAgain(it: It): void {
  const event = nextEvent(it.agent, 'rotate', { at: AT + it.log.size });
  const before = it.agent.events.pop();
  const other = nextEvent(it.agent, 'rotate', { at: event.at });
  if (before !== undefined) it.agent.events.push(before);
  key(it, it.agent.id, 1, signEvent(it.agent, other));
}

const edited =
  (
    make: (it: It) => unknown,
    ...edits: [from: string | RegExp, to: string][]
  ) =>
  (it: It): void => {
    const log = it.log.fork(it.log.size);
    log.lastId = it.log.lastId;
    make({ ...it, log });
    const leaf = log.leaves.at(-1) ?? '';
    const lie = edits.reduce((text, edit) => text.replace(...edit), leaf);
    if (lie === leaf) throw new Error('nothing was edited');
    it.log.contents.set(it.log.leaf(lie), log.contents.get(log.size - 1));
  };

const POLL = { question: 'Which?', options: ['a', 'b'], duration_hours: 24 };
const SALT = 'AAAAAAAAAAAAAAAAAAAAAA==';
const HASH = 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=';
const registers = ({ log }: It) => log.key(newAgent());
const guest = ({ log }: It) => log.post();
const reply = ({ log, topic }: It) => log.post({ parent: topic });
const vote = ({ log, agent, topic }: It) =>
  log.post({ agent, parent: topic, statement: { vote: 1 } });
const removes = ({ log, topic: { id, hash: target } }: It) => {
  const by = { by: 'operator', reason: 'spam', explain: null } as const;
  log.entry({ type: 'remove', at: AT, id, target, ...by });
};
const decides = ({ log, topic: { id, hash: target } }: It) =>
  log.entry({
    ...{ type: 'decision', at: AT, id, target },
    ...{ action: 'hide', explain: null },
  });
const closes = ({ log, topic: { id } }: It) => {
  const won = { result: 'selected', winner: 1, voters: 2 } as const;
  log.entry({ type: 'poll', at: AT, id, poll: id, counts: [0, 2], ...won });
};

function registered(it: It, agent: string, keyBytes?: Uint8Array): void {
  const other = newAgent({ rotatable: false });
  const [event] = other.events;
  if (event === undefined) throw new Error('no event');
  const changed = { ...event, agent, key: keyBytes ?? event.key };
  key(it, agent, 0, signKeyEvent(changed, pairOf(other, 0)));
}

function anchored({ log }: It, ...boards: string[]): void {
  const other = new ScriptedLog('other.example', AT);
  other.post();
  const note = taken(parseNote(other.head()));
  const { origin, size } = other;
  const body = formatCheckpoint({ origin, size, root: other.root() });
  const lines = boards.map((board) =>
    cosign(body, AT / 1000, new ScriptedLog(board, AT).keys.mirror),
  );
  const embedded = cutNote(note, [...note.signatures, ...lines]);
  log.entry({ type: 'anchor', at: AT, embedded });
}

/** By rule and fault; stored as invalid and counted, not held against peers. */
const ENTRIES: Record<string, (it: It) => void> = {
  'B2.2 key_sequence: an event out of its order': ({ log, agent }) => {
    for (const op of ['rotate', 'rotate'] as const) advance(agent, op);
    log.key(agent);
  },
  'B2.2 key_revoked: an event after the last one': (it) => {
    for (const op of ['revoke', 'revoke'] as const) next(it, op);
  },
  'B2.2 key_conflict: a third event of one seq': (it) => {
    next(it, 'rotate');
    for (let n = 0; n < 2; n += 1) rotatedAgain(it);
  },
  'B2.2 signature_invalid: a key of no commitment': (it) =>
    rotatedBy(it, freshPair()),
  'B2.2 key_superseded: a former key': (it) => {
    next(it, 'rotate');
    rotatedBy(it, pairOf(it.agent, 0));
  },
  'B2.2 signature_invalid: a rotation of a key that has no next': (it) => {
    const agent = newAgent({ rotatable: false });
    it.log.key(agent);
    rotatedBy({ ...it, agent }, freshPair());
  },
  'B2.2 signature_invalid: a registration that another key signed': ({
    log,
  }) => {
    const { id, events } = newAgent();
    const [event] = events;
    if (event === undefined) throw new Error('no event');
    const embedded = signKeyEvent(event, freshPair());
    log.entry({ type: 'key', at: AT, agent: id, seq: 0, embedded });
  },
  'B2.2 key_sequence: a hash of no event before it': (it) => {
    const prev = noise('prev');
    const event = nextEvent(it.agent, 'rotate', { prev });
    key(it, it.agent.id, 1, signEvent(it.agent, event));
  },
  'B2.2 key_sequence: a 65th event': (it) => {
    for (let seq = 1; seq <= 64; seq += 1) next(it, 'rotate');
  },
  'B2.2 bad_entry: a registration with an event before it': edited(registers, [
    'prev -',
    `prev ${HASH}`,
  ]),
  'B2.2 bad_entry: a rotation without an event before it': edited(
    (it: It) => next(it, 'rotate'),
    [/prev \S+/, 'prev -'],
  ),
  'B2.2 bad_entry: an end with a next key': edited(
    (it: It) => next(it, 'revoke'),
    ['next -', `next ${HASH}`],
  ),
  'B2.2 bad_entry: zeros in place of no next key': edited(registers, [
    /next \S+/,
    `next ${'A'.repeat(43)}=`,
  ]),
  'B2.1 bad_entry: an agent id that does not derive': (it) =>
    registered(it, newAgent().id),
  'B2.3 weak_key: a key of small order': (it) => {
    const weak = new Uint8Array(Buffer.from(SMALL_ORDER, 'hex'));
    registered(it, agentId(weak, null), weak);
  },
  'B2.4 key_unknown: a post of a stranger': ({ log }) => {
    log.post({ agent: newAgent() });
  },
  'B2.4 key_superseded: a post by a former key': (it) => {
    it.log.post({ agent: next(it, 'rotate') });
  },
  'B2.4 key_revoked: a post of an ended agent': (it) => {
    it.log.post({ agent: next(it, 'revoke') });
  },
  'B2.4 key_conflicted: a post after a conflict': (it) => {
    next(it, 'rotate');
    rotatedAgain(it);
    it.log.post({ agent: it.agent });
  },
  'B3.1 over_limits: NUL in a text': ({ log }) => {
    log.post({ content: { body: 'a\0b' } });
  },
  'B3.1 bad_shape: a title on a reply': ({ log, topic }) => {
    log.post({ parent: topic, content: { title: 'On a reply' } });
  },
  'B3.1 bad_shape: a topic without a title': ({ log }) => {
    log.post({ content: { title: undefined } as never });
  },
  'B3.1 bad_shape: a poll that its entry does not name': edited(
    ({ log }) => log.post({ content: { poll: POLL } }),
    [/\npoll \d+/, ''],
  ),
  'B3.1 over_limits: a text that is too long': ({ log }) => {
    log.post({ content: { body: 'a'.repeat(20_000) } });
  },
  'B3.2 bad_entry: a room that is none': edited(guest, [
    'room lobby',
    'room kitchen',
  ]),
  'B3.2 bad_entry: a statement in another order': edited(guest, [
    /(request .*\n)(at .*\n)/,
    '$2$1',
  ]),
  'B3.2 bad_entry: a request of capitals': edited(guest, [
    /request \S+/,
    'request 16FD2706-8BAF-433B-82EB-8C7FADA847DA',
  ]),
  'B3.3 bad_entry: a vote of a guest': edited(
    guest,
    ['post/v1', 'post/v2'],
    ['content', 'vote +1\ncontent'],
    ['via -', 'via -\nvote-result counted'],
  ),
  'B3.3 bad_entry: a vote for two': edited(
    vote,
    ['vote +1', 'vote +2'],
    ['via -', 'via -\nvote-result counted'],
  ),
  'B3.2 wrong_board: a post for another board': ({ log, agent }) => {
    log.post({ agent, statement: { board: 'other.example' } });
  },
  'B3.2 signature_invalid: another key under an agent’s name': (it) => {
    it.log.post({ agent: { ...newAgent(), id: it.agent.id } });
  },
  'B3.2 parent_mismatch: another parent': ({ log, agent, topic }) => {
    log.post({ agent, parent: { ...topic, hash: noise('parent') } });
  },
  'B3.2 parent_unknown: a parent of nobody': ({ log, agent }) => {
    log.lastId += 1; // an id that is used up, by a leaf that is no entry
    log.leaf(`reserve-board/entry/v1\ntype post\nat ${AT}\nid ${log.lastId}\n`);
    const parent = { id: log.lastId, root: 1, hash: noise('nobody') };
    log.post({ agent, parent });
  },
  'B3.2 wrong_room: a reply in another room': ({ log, agent, topic }) => {
    log.post({ agent, parent: topic, statement: { room: 'workshop' } });
  },
  'B3.3 signature_invalid: a vote that is turned': ({ log, agent, topic }) => {
    const copy = log.fork(log.size);
    copy.lastId = log.lastId;
    copy.post({ agent, parent: topic, statement: { vote: 1 } });
    const leaf = copy.leaves.at(-1) ?? '';
    const counted = leaf.replace('via -', 'via -\nvote-result counted');
    log.leaf(counted.replace('vote +1', 'vote -1'));
  },
  'B4.1 bad_entry: a leaf that is none': ({ log }) => {
    log.leaf('not an entry at all');
  },
  'B4.1 bad_entry: a leaf of 8,193 bytes': ({ log }) => {
    const start = `reserve-board/entry/v1\ntype later\nat ${AT}\n`;
    log.leaf(`${start.padEnd(8192, 'x')}\n`);
  },
  'B4.1 bad_entry: its time before its type': edited(guest, [
    /(type .*\n)(at .*\n)/,
    '$2$1',
  ]),
  'B4.1 bad_entry: its root before its id': edited(guest, [
    /(id .*\n)(root .*\n)/,
    '$2$1',
  ]),
  'B4.1 bad_entry: a key under another seq': edited(registers, [
    'seq 0',
    'seq 1',
  ]),
  'B4.1 bad_entry: a topic in another thread': edited(guest, [
    /root \d+/,
    'root 1',
  ]),
  'B4.1 bad_entry: a reply that is no later than its parent': ({
    log,
    topic,
  }) => {
    log.post({ parent: { ...topic, id: log.lastId + 1 } });
  },
  'B4.1 bad_entry: a board that cannot be': edited(guest, [
    'via -',
    'via nobody',
  ]),
  'B4.1 bad_entry: a vote without its result': vote,
  'B4.1 bad_entry: a result without a vote': edited(reply, [
    'via -',
    'via -\nvote-result counted',
  ]),
  'B4.1 bad_entry: a poll on a reply': edited(reply, [
    'via -',
    'via -\npoll 1',
  ]),
  'B4.1 bad_entry: a line that no type has': edited(guest, [
    'via -',
    'via -\nmood good',
  ]),
  'B4.1 bad_entry: a removal for no reason': edited(removes, [
    'reason spam',
    'reason whim',
  ]),
  'B4.1 bad_entry: a removal by a stranger': edited(removes, [
    'by operator',
    'by stranger',
  ]),
  'B4.1 bad_entry: a decision that is none': edited(decides, [
    'action hide',
    'action shrug',
  ]),
  'B4.1 wrong_target: a decision about another text': edited(decides, [
    /target \S+/,
    `target ${HASH}`,
  ]),
  'B4.1 bad_entry: a poll of one option': edited(closes, [
    'counts 0,2',
    'counts 2',
  ]),
  'B4.1 bad_entry: a winner of a tie': edited(closes, [
    'result selected',
    'result tie',
  ]),
  'B4.1 bad_entry: a winner beyond the options': edited(closes, [
    'winner 1',
    'winner 2',
  ]),
  'B4.1 bad_entry: evidence of a kind with capitals': edited(
    ({ log }) => log.grow(1),
    ['kind equivocation', 'kind Equivocation'],
  ),
  'B4.1 wrong_board: an entry of another log': ({ log }) => {
    const { log: other } = begun('other.example');
    other.post();
    log.lastId += 1;
    log.leaf(other.leaves.at(-1) ?? '');
  },
  'B4.1 at_decreasing: a time before the last': ({ log, agent }) => {
    log.post({ agent, at: AT - 1 });
  },
  'B4.1 wrong_id: an id that was left out': ({ log, agent }) => {
    log.post({ agent, id: log.lastId + 5 });
  },
  'B4.1 wrong_root: a root of another thread': ({ log, agent, topic }) => {
    const other = log.post({ agent });
    log.post({ agent, parent: { ...other, root: topic.id } });
  },
  'B4.1 wrong_target: a removal of another text': ({ log, topic: { id } }) => {
    const by = { by: 'operator', reason: 'spam', explain: null } as const;
    const target = begun('other.example').topic.hash;
    log.entry({ type: 'remove', at: AT, id, target, ...by });
  },
  'B4.1 wrong_poll: the end of no poll': ({ log, topic: { id } }) => {
    const tie = { result: 'tie', winner: null, voters: 2 } as const;
    log.entry({ type: 'poll', at: AT, id, poll: 9, counts: [1, 1], ...tie });
  },
  'B4.1 bad_identity: an identity of another board': ({ log }) => {
    const other = new ScriptedLog('other.example', AT);
    const embedded = other.identity('https://other.example');
    log.entry({ type: 'board', at: AT, embedded });
  },
  'B4.2 bad_entry: a third line under an identity': ({ log }) => {
    const note = taken(parseNote(log.identity('https://liar.example')));
    const signatures = [...note.signatures, ...note.signatures.slice(1)];
    const embedded = formatNote({ ...note, signatures });
    log.leaf(`reserve-board/entry/v1\ntype board\nat ${AT}\n\n${embedded}`);
  },
  'B4.2 bad_entry: a second line under a key event': edited(registers, [
    /\n(— .*\n)$/,
    '\n$1$1',
  ]),
  'B4.2 bad_entry: a second line under a post': edited(
    ({ log, agent }: It) => log.post({ agent }),
    [/\n(— .*\n)$/, '\n$1$1'],
  ),
  'B4.2 bad_entry: a line under a guest’s statement': edited(guest, [
    /$/,
    `\n— a1yo4vra6fbac4f2gcfnwqle6xsiexgrox ${HASH}\n`,
  ]),
  'B4.2 bad_anchor: an anchor by another board': (it) =>
    anchored(it, 'other.example'),
  'B4.2 bad_entry: a third line under an anchor': (it) =>
    anchored(it, it.log.board, 'other.example'),
  'B7.2 repeated_request: a text said twice': ({ log, agent }) => {
    const request = '16fd2706-8baf-433b-82eb-8c7fada847da';
    for (const body of ['Once.', 'Twice.']) {
      log.post({ agent, content: { body }, statement: { request } });
    }
  },
};
/** These need an invalid entry, or two, before theirs. */
const BEFORE: Record<string, string[]> = { parent_unknown: ['bad_entry'] };

type Lie = (it: It, peer: HostilePeer) => Mode;

const page =
  (change: (page: WirePage) => object): Lie =>
  ({ log }) =>
    changed(log, (honest) => ({ ...honest, ...change(honest) }));

const feed =
  (body: string, headers: Record<string, string> = {}): Lie =>
  () =>
  ({ path, res }) => {
    if (path !== '/log/feed') return false;
    res.writeHead(200, headers).end(body);
    return true;
  };

/** Its log as it is, under this `Content-Type`. */
const typed =
  (type?: string): Lie =>
  ({ log }) =>
  ({ path, query, res }) => {
    if (path !== '/log/feed') return false;
    if (type !== undefined) res.setHeader('Content-Type', type);
    const page = log.page(Number(query.get('from')), 256, 'all');
    res.end(JSON.stringify(page));
    return true;
  };

const fork =
  (more: number, proofs = true): Lie =>
  ({ log }, peer) => {
    const other = log.fork(2).grow(more);
    return ({ path, query, res }) => {
      peer.log = other;
      if (path === '/log/feed' && query.get('limit') === '256') {
        const from = Number(query.get('from'));
        if (from > other.size) return false;
        sendJson(res, other.page(from, 256, 'all'));
      } else if (proofs) return false;
      else res.writeHead(404).end();
      return true;
    };
  };

const given =
  (change: object, content: { body?: string } = {}): Lie =>
  ({ log }) => {
    const { index } = log.post({ content });
    log.contents.set(index, {
      ...(log.contents.get(index) as object),
      ...change,
    });
    return () => false;
  };

const CORRUPT = 'degraded feed_corrupt feed_corrupt';
const stranger = () => new ScriptedLog('stranger.example', AT);
/** By rule and `status status_reason last_error.code`: what its page is. */
const PAGES: Record<string, Lie> = {
  'B7.1 active null bad_checkpoint: a head by another key': page(() => ({
    checkpoint: stranger().head(),
  })),
  'B7.1 active null bad_checkpoint: a page of another log': page(() => ({
    origin: 'x.example/log',
  })),
  [`B7.1 ${CORRUPT}: a cursor that was not asked for`]: page((it) => ({
    from: it.from + 1,
    to: it.to + 1,
  })),
  [`B7.1 ${CORRUPT}: more than its head`]: page(() => ({ to: 2 ** 53 })),
  [`B7.1 ${CORRUPT}: no entries`]: page(({ from }) => ({
    ...{ to: from, entries: [] },
  })),
  [`B7.1 ${CORRUPT}: another order`]: page(({ entries }) => ({
    entries: [...entries].reverse(),
  })),
  [`B8.2 ${CORRUPT}: leaves that its head does not have`]: page((it) => ({
    entries: it.entries.map(({ leaf }) => ({ leaf: `${leaf} ` })),
  })),
  [`B4.6 ${CORRUPT}: a page without members`]: page(() => ({
    ...{ to: undefined, entries: undefined },
  })),
  'B4.6 active null feed_corrupt: HTML of a proxy': feed('<!doctype html><p>'),
  'B4.6 active null feed_corrupt: nothing': feed(''),
  'B4.6 active null null: a right page as HTML': typed('text/html'),
  'B4.6 active null null: a right page of another charset': typed(
    'application/json; charset=utf-16',
  ),
  'B4.6 active null null: a right page without a type': typed(),
  'B6 active null unsupported_protocol: another protocol': page(() => ({
    protocol: 'reserve-mesh/2',
  })),
  'B7.3 active null http_500: a 500': () => answers({}, 500),
  'B7.3 active null unreachable: a hang-up': () => hangUp,
  'B11.1 active null redirected: a redirect': () => answers({}, 302),
  'B11.1 active null too_large: a giant page': feed('x'.repeat(3_000_000)),
  'B11.1 active null bad_encoding: another coding': feed('{}', {
    'Content-Encoding': 'br',
  }),
  'B11.1 degraded quota quota: more than a day allows': () => () => false,
  'B8.2 quarantined equivocation equivocation: a root for a root': fork(2),
  'B8.2 quarantined equivocation equivocation: two histories': fork(9),
  'B7.1 quarantined rolled_back rolled_back: a smaller log': fork(0),
  'B8.2 quarantined unresolved_view unresolved_view: no proof': fork(9, false),
  'B7.2 degraded invalid_entries null: eleven of them': ({ log }) => {
    for (let n = 0; n < 11; n += 1) log.leaf(`none ${n}`);
    return () => false;
  },
  'B7.2 degraded withheld_content null: a text that nobody gives': (it) => {
    it.log.contents.delete(it.log.post().index);
    return () => false;
  },
  'B3.1 degraded withheld_content null: another text': ({ log }) => {
    log.post({ given: { salt: SALT, name: 'x', body: 'other' } });
    return () => false;
  },
  'B3.1 degraded withheld_content null: a short salt': given({ salt: 'AAAA' }),
  'B3.1 degraded withheld_content null: a key too many': given({ mood: 'x' }),
  // Lax encoders make the same bytes of both.
  'B3.1 degraded withheld_content null: a lone surrogate': given(
    { body: 'a\ud800' },
    { body: 'a\ufffd' },
  ),
  'B11.1 degraded clock_skew null: an entry of the future': ({ log }) => {
    log.post({ at: AT + 10 * 365 * 86_400_000 });
    return () => false;
  },
};
/** These words have tests of their own, where hosts and times are made. */
const ELSEWHERE = ['bad_url', 'address_refused', 'timeout', 'http_<status>'];

const read = (title: string) => {
  const [, rule = '', words = ''] = /^(\S+) (.*?): /.exec(title) ?? [];
  return { rule, words };
};

/** Long, as its tables hold a lie for each rule of §B2 to §B8. */
describe('a peer that breaks one rule of docs/spec/mesh.md', () => {
  const peers = new Map<string, { peer: HostilePeer; originId: number }>();
  let lie = () => {};
  const lying = new Promise<void>((resolve) => {
    lie = resolve;
  });
  const { b } = givenFor(async () => {
    const b = await meshBoard('board-b.example', { limits });
    const stop = async () => {
      await b.stop();
      for (const { peer } of peers.values()) await peer.stop();
    };
    return { b, stop };
  });

  before(async () => {
    const lies = [...Object.keys(ENTRIES), ...Object.keys(PAGES)];
    for (const [nth, title] of lies.entries()) {
      const it = begun(`liar-${nth}.example`);
      const peer = await HostilePeer.start(it.log);
      ENTRIES[title]?.(it);
      const mode = PAGES[title]?.(it, peer);
      if (mode !== undefined) {
        for (let more = 0; more < 2; more += 1) it.log.post();
        peer.mode = honestAtFirst(it.log, mode);
      }
      const originId = await peerWith(b, peer);
      if (title.includes(' quota ')) {
        await rows(b).update(Peer, { originId }, { entriesDay: HONEST });
      }
      peers.set(title, { peer, originId });
    }
  });

  function honestAtFirst(log: ScriptedLog, mode: Mode): Mode {
    return async (asked) => {
      if (asked.path !== '/log/feed') return await mode(asked);
      const from = Number(asked.query.get('from'));
      if (from < HONEST) {
        sendJson(asked.res, log.page(from, HONEST - from, 'all', HONEST));
        return true;
      }
      await lying;
      return await mode(asked);
    };
  }

  const of = (title: string) => {
    const found = peers.get(title);
    if (found === undefined) throw new Error('no peer');
    return found;
  };
  async function shown(title: string) {
    const { body } = await b.as().get('/api/mesh');
    const origin = of(title).peer.log.origin;
    return body.peers.find((one: { origin: string }) => one.origin === origin);
  }
  async function words(title: string): Promise<string> {
    const { status, status_reason: why, last_error } = await shown(title);
    return `${status} ${why} ${last_error?.code ?? null}`;
  }

  for (const title of Object.keys(ENTRIES)) {
    const fault = read(title).words;
    it(`has an invalid entry, ${title}`, async () => {
      const { peer, originId } = of(title);
      await until('its log', async () => {
        return (await sizeOf(b, originId)) === peer.log.size;
      });
      const order = { idx: 'ASC' } as const;
      const where = { originId, status: 'invalid' } as const;
      const invalid = await rows(b).find(LogEntry, { where, order });
      const faults = [...(BEFORE[fault] ?? []), fault];
      expect(invalid.map((entry) => entry.fault)).to.deep.equal(faults);
      expect(await words(title)).to.equal('active null null');
      expect((await shown(title)).invalid_entries).to.equal(faults.length);
      const posts = await mirrored(b, originId);
      expect(posts.slice(0, 3).map(({ status }) => status)).to.deep.equal([
        ...['ok', 'ok', 'ok'],
      ]);
      const wrong = posts.filter(({ status }) => status === 'invalid');
      expect(wrong.map(({ body }) => body)).to.deep.equal(
        wrong.map(() => null),
      );
    });
  }

  /** Time goes on for these, and other peers are late then. */
  const isLater = (title: string) =>
    /rolled_back|unresolved_view|withheld/.test(title);
  const inTurn = Object.keys(PAGES).sort(
    (one, other) => Number(isLater(one)) - Number(isLater(other)),
  );
  for (const title of inTurn) {
    const wanted = read(title).words;
    const [status] = wanted.split(' ');
    it(`is called ${title}`, async () => {
      lie();
      const { peer, originId } = of(title);
      let now = '';
      await until(wanted, async () => {
        if (isLater(title)) {
          b.clock.advance(60_000);
          await b.board.background.peers.witness.round();
        }
        // On a slow machine the held question was given up; no clock ends that.
        if (/timeout$|^lagging/.test(now)) {
          const afresh = { retryAt: null, failures: 0 };
          await rows(b).update(Peer, { originId }, afresh);
        }
        await b.board.context.writes.query(
          `SELECT pg_notify('board_peers', '')`,
        );
        now = await words(title);
        return now === wanted;
      }).catch((cause: unknown) => {
        throw new Error(`${now}, not ${wanted}`, { cause });
      });
      // Nothing of a page that does not prove itself is stored.
      const isOfPage = wanted === 'active null null';
      const isOfEntries =
        status === 'degraded' && !/corrupt|quota/.test(wanted);
      const size = isOfPage || isOfEntries ? peer.log.size : HONEST;
      await until('its log', async () => (await sizeOf(b, originId)) === size);
    });
  }

  it('has a row for each word that mesh.md prints', async () => {
    const spec = await readFile('docs/spec/mesh.md', 'utf8');
    const wordsOf = (from: string, column: number) => {
      const [table = ''] = spec.slice(spec.indexOf(from)).split('\n\n');
      const cells = table.split('\n').slice(2);
      const chosen = cells.map((row) => row.split('|')[column]).join();
      return [...chosen.matchAll(/`([a-z][\w<>]+)`/g)].map(([, it = '']) => it);
    };
    const told = Object.keys({ ...ENTRIES, ...PAGES }).flatMap((title) =>
      read(title).words.split(' '),
    );
    const faults = wordsOf('| Reason | Entry |', 1);
    const reasons = wordsOf('| Fault |', 2);
    const codes = wordsOf('| Fault |', 3);
    expect([faults.length, reasons.length, codes.length]).to.deep.equal([
      ...[17, 16, 16],
    ]);
    const all = new Set([...faults, ...reasons, ...codes, ...ELSEWHERE]);
    expect(new Set([...told, ...ELSEWHERE])).to.include.all.keys(...all);
    await recordFaults({ test: 'F7', faults: Object.keys(PAGES).length });
    const faultsOfEntries = Object.keys(ENTRIES).length;
    await recordFaults({ test: 'F14 entries', faults: faultsOfEntries });
  });
});
