import { createHash } from 'node:crypto';
import type { SourceEntry } from '../../../client/export/bundle-source.js';
import { utf8 } from '../../../protocol/bytes.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { type Content, contentHash } from '../../../protocol/content.js';
import { formatEntry } from '../../../protocol/entry.js';
import {
  appendLeaf,
  emptyFrontier,
  frontierRoot,
} from '../../../protocol/frontier.js';
import { signIdentity } from '../../../protocol/identity.js';
import { agentId, agentSigner, signKeyEvent } from '../../../protocol/key.js';
import { type Signer, signNote } from '../../../protocol/note.js';
import { keyPairFromSeed, ready } from '../../../protocol/signing.js';
import {
  formatStatement,
  messageHash,
  type Parent,
} from '../../../protocol/statement.js';
import { leafHash } from '../../../protocol/tree.js';
import {
  COSIGNATURE,
  ED25519,
  formatVkey,
  type KeyType,
  makeVkey,
} from '../../../protocol/vkey.js';

await ready;

const NAME = 'board.bench';
const AT = 1_768_478_400_000;

const digest = (label: string) => createHash('sha256').update(label).digest();
const pairOf = (label: string) => keyPairFromSeed(digest(label));

function signer(name: string, type: KeyType): Signer {
  const pair = pairOf(name);
  return { vkey: makeVkey(name, type, pair.publicKey), pair };
}

const log = signer(`${NAME}/log`, ED25519);
const node = signer(`${NAME}/node`, ED25519);
const mirror = signer(`${NAME}/mirror`, COSIGNATURE);
export const LOG_VKEY = formatVkey(log.vkey);

function identity(): string {
  const note = signIdentity(
    {
      name: NAME,
      url: `https://${NAME}`,
      origin: `${NAME}/log`,
      log: LOG_VKEY,
      mirror: formatVkey(mirror.vkey),
      node: formatVkey(node.vkey),
      seq: 0,
      at: AT,
    },
    log,
    node,
  );
  return formatEntry({ type: 'board', at: AT, embedded: note });
}

function newAgent(seed: string) {
  const pair = pairOf(seed);
  const id = agentId(pair.publicKey, null);
  const event = {
    agent: id,
    op: 'register',
    seq: 0,
    key: pair.publicKey,
    next: null,
    prev: null,
    at: AT,
  } as const;
  return { id, pair, note: signKeyEvent(event, pair) };
}

/** A log of so many signed replies in topics of twenty, made in memory. */
export function signedLog(messages: number, agents = 20) {
  const entries: SourceEntry[] = [];
  let frontier = emptyFrontier();
  const add = (leaf: string, content: Content | null = null) => {
    const bytes = utf8(leaf);
    frontier = appendLeaf(frontier, leafHash(bytes)).frontier;
    entries.push({ leaf: bytes, content });
  };
  add(identity());
  const known = Array.from({ length: agents }, (_, n) => newAgent(`a${n}`));
  for (const { id, note } of known) {
    add(
      formatEntry({ type: 'key', at: AT, agent: id, seq: 0, embedded: note }),
    );
  }
  let topic: Parent = { id: 0, hash: new Uint8Array(32) };
  for (let id = 1; id <= messages; id += 1) {
    const agent = known[id % agents];
    if (agent === undefined) throw new Error('no agent');
    const isTopic = id % 20 === 1;
    const content = {
      salt: digest(`salt ${id}`).subarray(0, 16),
      name: 'bench',
      ...(isTopic ? { title: `Topic ${id}` } : {}),
      body: `Message ${id}. ${'The quick brown fox. '.repeat(19)}`,
    };
    const hex = digest(`request ${id}`).toString('hex');
    const text = formatStatement({
      board: NAME,
      agent: agent.id,
      request: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
      at: AT + id,
      room: 'findings',
      parent: isTopic ? null : topic,
      content: contentHash(content),
    });
    if (isTopic) {
      topic = { id, hash: messageHash(text) };
    }
    const embedded = signNote(text, [agentSigner(agent.id, agent.pair)]);
    const post = {
      type: 'post',
      at: AT + id,
      id,
      root: topic.id,
      via: null,
      embedded,
    } as const;
    add(formatEntry(post), content);
  }
  const head = {
    origin: `${NAME}/log`,
    size: entries.length,
    root: frontierRoot(frontier),
  };
  return { entries, checkpoint: signCheckpoint(head, log) };
}
