import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sodium from 'libsodium-wrappers';
import { agentId } from '../../../protocol/agent-id.js';
import { concat, utf8 } from '../../../protocol/bytes.js';
import { contentHash, contentToJson } from '../../../protocol/content.js';
import { formatKeyEvent, type KeyEvent } from '../../../protocol/key.js';
import { formatNote } from '../../../protocol/note.js';
import { type KeyPair, signBytes } from '../../../protocol/signing.js';
import { formatStatement } from '../../../protocol/statement.js';
import { ED25519, makeVkey } from '../../../protocol/vkey.js';
import { openAlerts } from '../../../server/operations/alerts.js';
import { recordFaults } from '../../faults/report.js';
import {
  type Agent,
  currentPair,
  LIFTED_KEYS,
  newAgent,
} from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { randomUUID } from '../../support/random.js';
import { until } from '../../support/until.js';
import { HostilePeer, peerWith } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, mirrored, peerRow, sizeOf } from '../support/two-boards.js';

/** Order of the base point (RFC 8032 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;

function little(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function bytes32(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function sha512(...parts: Uint8Array[]): Buffer {
  return createHash('sha512')
    .update(concat(...parts))
    .digest();
}

/** The secret scalar of a key whose first 32 bytes are its seed. */
function scalarOf({ secretKey }: KeyPair): bigint {
  const half = sha512(secretKey.slice(0, 32)).subarray(0, 32);
  half[0] = (half[0] ?? 0) & 248;
  half[31] = ((half[31] ?? 0) & 127) | 64;
  return little(half);
}

/** `R` as given, and the S that makes `S·B = k·A`: R adds nothing. */
function withR(R: Uint8Array, message: Uint8Array, pair: KeyPair): Buffer {
  const k = little(sha512(R, pair.publicKey, message)) % L;
  const S = (k * scalarOf(pair)) % L;
  return Buffer.concat([R, bytes32(S)]);
}

/**
 * Signatures that the owner of a key can craft over any message, by name:
 * those on which verifiers disagree (spec/mesh.md §A2, §B1), and plain wrong
 * ones.
 */
function craftedSignatures(
  message: Uint8Array,
  pair: KeyPair,
): Record<string, Uint8Array> {
  const honest = Buffer.from(signBytes(message, pair));
  const [R, S] = [honest.subarray(0, 32), honest.subarray(32)];
  const flipped = (at: number) => {
    const copy = Buffer.from(honest);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const highBit = bytes32(1n);
  highBit[31] = 128;
  return {
    honest,
    'R is the identity': withR(bytes32(1n), message, pair),
    'R is the identity, not canonical': withR(bytes32(P + 1n), message, pair),
    'R is the identity with a sign': withR(highBit, message, pair),
    'R is of order 2': withR(bytes32(P - 1n), message, pair),
    'R is of order 4': withR(bytes32(0n), message, pair),
    'R is no point': withR(bytes32(2n), message, pair),
    'S + L': Buffer.concat([R, bytes32(little(S) + L)]),
    'S is 0': Buffer.concat([R, bytes32(0n)]),
    'S is L': Buffer.concat([R, bytes32(L)]),
    'all zero': Buffer.alloc(64),
    'a bit of R': flipped(0),
    'a bit of S': flipped(40),
    'the top bit of S': flipped(63),
    'another message': signBytes(Buffer.from('Something else.'), pair),
  };
}

const SALT = new Uint8Array(16).fill(9);

type EdgeCase = { key: string; sig: string };
type Speccheck = { pub_key: string; signature: string };

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`test/vectors/${name}.json`, 'utf8'));
const CCTV = read('ed25519-edge-cases') as EdgeCase[];
const SPECCHECK = read('ed25519-speccheck') as Speccheck[];
const CASES: EdgeCase[] = [
  ...CCTV,
  ...SPECCHECK.map(({ pub_key: key, signature: sig }) => ({ key, sig })),
];

function registration({ key, sig }: EdgeCase, at: number) {
  const publicKey = Buffer.from(key, 'hex');
  const agent = agentId(publicKey, null);
  const event: KeyEvent = {
    agent,
    op: 'register',
    seq: 0,
    key: publicKey,
    next: null,
    prev: null,
    at,
  };
  const text = formatKeyEvent(event);
  const { keyId } = makeVkey(agent, ED25519, publicKey);
  const signature = Buffer.from(sig, 'hex');
  const line = { name: agent, keyId, signature };
  const note = formatNote({ text, signatures: [line] });
  return { agent, note, text, signature, publicKey };
}

function libsodiumAccepts(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  try {
    return sodium.crypto_sign_verify_detached(signature, message, publicKey);
  } catch {
    return false;
  }
}

describe('signatures at the edges, served by a hostile peer (F2)', () => {
  const { b, log, peer } = given(async () => {
    const limits = { ...LIFTED, ...LIFTED_KEYS };
    const b = await meshBoard('board-b.example', { limits });
    const log = new ScriptedLog('board-a.example', b.clock.now() - 1000);
    const peer = await HostilePeer.start(log);
    const stop = () => b.stop().then(() => peer.stop());
    return { b, log, peer, stop };
  });
  let agent: Agent;
  let originId: number;
  /** By index: whether the node must take it. */
  const keys = new Map<number, boolean>();
  const posts = new Map<number, { id: number; name: string; good: boolean }>();
  let last = 0;

  before(async () => {
    const at = b.clock.now() - 1000;
    log.entry({ type: 'board', at, embedded: log.identity(peer.url) });
    agent = newAgent();
    log.key(agent);
    for (const [place, edge] of CASES.entries()) {
      // Another time, another text: none is a repetition.
      const made = registration(edge, place);
      const facts = [made.signature, utf8(made.text), made.publicKey] as const;
      const index = log.entry({
        type: 'key',
        at,
        agent: made.agent,
        seq: 0,
        embedded: made.note,
      });
      keys.set(index, libsodiumAccepts(...facts));
    }
    craftPosts(at);
    last = log.post({ agent }).id;
    originId = await peerWith(b, peer);
    await until(
      'the whole log',
      async () => (await sizeOf(b, originId)) === log.size,
    );
  });

  function craftPosts(at: number): void {
    const pair = currentPair(agent);
    const { keyId } = makeVkey(agent.id, ED25519, pair.publicKey);
    for (const name of Object.keys(craftedSignatures(utf8(''), pair))) {
      const id = log.lastId + 1;
      log.lastId = id;
      const content = { salt: SALT, name: 'scout', title: 'T', body: name };
      const text = formatStatement({
        board: log.board,
        agent: agent.id,
        request: randomUUID(),
        at,
        room: 'lobby',
        parent: null,
        content: contentHash(content),
      });
      const signature = craftedSignatures(utf8(text), pair)[name];
      if (signature === undefined) throw new Error(name);
      const facts = [signature, utf8(text), pair.publicKey] as const;
      const line = { name: agent.id, keyId, signature };
      const embedded = formatNote({ text, signatures: [line] });
      const index = log.entry({
        type: 'post',
        at,
        id,
        root: id,
        via: null,
        embedded,
      });
      log.contents.set(index, contentToJson(content));
      posts.set(index, { id, name, good: libsodiumAccepts(...facts) });
    }
  }

  async function entries() {
    return await b.board.context.reads.query<{ idx: number; fault: string }>(
      'SELECT idx, fault FROM log_entry WHERE origin_id = $1 ORDER BY idx',
      [originId],
    );
  }

  it('takes exactly what libsodium takes, and the rest as faults', async () => {
    expect([CCTV.length, SPECCHECK.length]).to.deep.equal([914, 12]);
    expect([...keys.values()].filter(Boolean)).to.have.length(0);
    const taken = [...posts.values()].filter((post) => post.good);
    expect(taken.map(({ name }) => name)).to.deep.equal(['honest']);
    const faults = new Map(
      (await entries()).map((row) => [row.idx, row.fault]),
    );
    expect(faults.size).to.equal(log.size);
    for (const [index, good] of keys) {
      const fault = faults.get(index);
      if (good) expect(fault, `key ${index}`).to.equal(null);
      else expect(fault).to.be.oneOf(['weak_key', 'signature_invalid']);
    }
    for (const [index, { name, good }] of posts) {
      const expected = good ? null : 'signature_invalid';
      expect(faults.get(index), name).to.equal(expected);
    }
    await recordFaults({ test: 'F2 signatures', faults: log.size });
  });

  it('shows none of them and goes on', async () => {
    const shown = await mirrored(b, originId);
    const ok = shown.filter(({ status }) => status === 'ok');
    const honest = [...posts.values()].find(({ good }) => good);
    expect(ok.map(({ id }) => id)).to.deep.equal([honest?.id, last]);
    const at = '/api/mesh/boards/board-a.example';
    const { body } = await b.as().get(`${at}/updates?since=0`);
    expect(body.data.map(({ id }: { id: number }) => id)).to.deep.equal(
      ok.map(({ id }) => id),
    );
    for (const { id, good } of posts.values()) {
      const { status } = await b.as().get(`${at}/messages/${id}`);
      expect(status).to.equal(good ? 200 : 404);
    }
    const row = await peerRow(b, originId);
    expect(row.status).to.equal('active');
    expect(row.invalidEntries).to.equal(keys.size + posts.size - 1);
    expect(row.degradedReason).to.equal('invalid_entries');
    const [agents] = await b.board.context.reads.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM agent_key WHERE origin_id = $1',
      [originId],
    );
    expect(agents?.count).to.equal(1);
  });

  it('alerts its operators, until the day is over', async () => {
    const alarms = async () =>
      (await openAlerts(b.board.context.writes)).map(
        ({ kind, subject }) => `${kind} ${subject}`,
      );
    const { witness } = b.board.background.peers;
    await witness.round();
    expect(await alarms()).to.include(`peer_degraded ${log.origin}`);
    b.clock.advance(25 * 3_600_000);
    await witness.round();
    expect(await alarms()).to.not.include(`peer_degraded ${log.origin}`);
  });

  it('refuses the same keys at its own door', async () => {
    const distinct = new Map(CASES.map((edge) => [edge.key, edge]));
    expect(distinct.size).to.equal(25);
    for (const edge of distinct.values()) {
      const { note } = registration(edge, b.clock.now());
      const { status, body } = await b.as().post('/api/keys').send({ note });
      expect(status, edge.key).to.equal(403);
      expect(body.error).to.be.oneOf(['weak_key', 'signature_invalid']);
    }
  });
});
