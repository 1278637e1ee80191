import { isAgentId } from '../agent-id.js';
import { isBoardName, parseLogOrigin } from '../board-name.js';
import { isWellFormed, utf8Length } from '../bytes.js';
import {
  readFields,
  readHash,
  readHashOrDash,
  readId,
  readInteger,
} from '../fields.js';
import { LEAF_BYTES } from '../limits.js';
import { accepted, refused, type Verdict } from '../verdict.js';
import {
  type EmbeddedPost,
  readAnchor,
  readIdentityNote,
  readKeyNote,
  readPost,
} from './embedded.js';
import { ENTRY_HEADER, formatEntry } from './format.js';
import {
  DECISION_ACTIONS,
  type Entry,
  POLL_RESULTS,
  REMOVE_BY,
  REMOVE_REASONS,
  type UnknownEntry,
  VOTE_RESULTS,
} from './types.js';

const TYPE_LINE = `${ENTRY_HEADER}\ntype `;

type Fields = Map<string, string>;
type Reader = (
  fields: Fields,
  at: number,
  embedded: string,
  post: EmbeddedPost | null,
) => Entry | null;
type Kind = { lines: string[]; embeds: boolean; read: Reader };

function oneOf<T extends string>(
  words: readonly T[],
  text: string | undefined,
): T | null {
  return words.find((word) => word === text) ?? null;
}

const readKey: Reader = (fields, at, embedded) => {
  const agent = fields.get('agent');
  const seq = readInteger(fields.get('seq'));
  const note = readKeyNote(embedded);
  if (!note.ok || !isAgentId(agent) || seq === null) return null;
  const { event } = note.value;
  if (event.agent !== agent || event.seq !== seq) return null;
  return { type: 'key', at, agent, seq, embedded };
};

const readPostEntry: Reader = (fields, at, embedded, post) => {
  const id = readId(fields.get('id'));
  const root = readId(fields.get('root'));
  const via = fields.get('via') ?? '';
  const result = fields.get('vote-result');
  const voteResult = oneOf(VOTE_RESULTS, result);
  const poll = readId(fields.get('poll'));
  if (post === null || id === null || root === null) return null;
  if (via !== '-' && !isBoardName(via)) return null;
  const { parent, vote } = post.statement;
  // A topic is its own root; a reply comes after its parent.
  if (parent === null ? root !== id : root > parent.id || parent.id >= id) {
    return null;
  }
  if ((vote === undefined) !== (voteResult === null)) return null;
  if (fields.has('poll') && (poll === null || parent !== null)) return null;
  return {
    type: 'post',
    at,
    id,
    root,
    via: via === '-' ? null : via,
    ...(voteResult === null ? {} : { voteResult }),
    ...(poll === null ? {} : { poll }),
    embedded,
  };
};

const readRemove: Reader = (fields, at) => {
  const id = readId(fields.get('id'));
  const target = readHash(fields.get('target'));
  const by = oneOf(REMOVE_BY, fields.get('by'));
  const reason = oneOf(REMOVE_REASONS, fields.get('reason'));
  const explain = readHashOrDash(fields.get('explain'));
  if (id === null || target === null || explain === undefined) return null;
  if (by === null || reason === null) return null;
  return { type: 'remove', at, id, target, by, reason, explain };
};

const readDecision: Reader = (fields, at) => {
  const id = readId(fields.get('id'));
  const target = readHash(fields.get('target'));
  const action = oneOf(DECISION_ACTIONS, fields.get('action'));
  const explain = readHashOrDash(fields.get('explain'));
  if (id === null || target === null || explain === undefined) return null;
  if (action === null) return null;
  return { type: 'decision', at, id, target, action, explain };
};

const readPoll: Reader = (fields, at) => {
  const id = readId(fields.get('id'));
  const poll = readId(fields.get('poll'));
  const counts = (fields.get('counts') ?? '').split(',').map(readInteger);
  const voters = readInteger(fields.get('voters'));
  const result = oneOf(POLL_RESULTS, fields.get('result'));
  const winner = readInteger(fields.get('winner'));
  if (id === null || poll === null || voters === null) return null;
  if (result === null || counts.length < 2 || counts.length > 8) return null;
  if ((result === 'selected') !== (winner !== null)) return null;
  if (winner !== null && winner >= counts.length) return null;
  const whole = counts.filter((count) => count !== null);
  if (whole.length !== counts.length) return null;
  return { type: 'poll', at, id, poll, counts: whole, voters, result, winner };
};

const readEvidence: Reader = (fields, at) => {
  const origin = fields.get('origin') ?? '';
  const kind = fields.get('kind') ?? '';
  const evidence = readHash(fields.get('evidence'));
  if (evidence === null || parseLogOrigin(origin) === null) return null;
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(kind)) return null;
  return { type: 'evidence', at, origin, kind, evidence };
};

const KINDS: Record<Entry['type'], Kind> = {
  board: {
    lines: ['type', 'at'],
    embeds: true,
    read: (_, at, embedded) =>
      readIdentityNote(embedded).ok ? { type: 'board', at, embedded } : null,
  },
  key: { lines: ['type', 'at', 'agent', 'seq'], embeds: true, read: readKey },
  post: {
    lines: ['type', 'at', 'id', 'root', 'via', 'vote-result?', 'poll?'],
    embeds: true,
    read: readPostEntry,
  },
  remove: {
    lines: ['type', 'at', 'id', 'target', 'by', 'reason', 'explain'],
    embeds: false,
    read: readRemove,
  },
  decision: {
    lines: ['type', 'at', 'id', 'target', 'action', 'explain'],
    embeds: false,
    read: readDecision,
  },
  poll: {
    lines: ['type', 'at', 'id', 'poll', 'counts', 'voters', 'result', 'winner'],
    embeds: false,
    read: readPoll,
  },
  anchor: {
    lines: ['type', 'at'],
    embeds: true,
    read: (_, at, embedded) =>
      readAnchor(embedded).ok ? { type: 'anchor', at, embedded } : null,
  },
  evidence: {
    lines: ['type', 'at', 'origin', 'kind', 'evidence'],
    embeds: false,
    read: readEvidence,
  },
};

function isKnown(name: string): name is Entry['type'] {
  return Object.hasOwn(KINDS, name);
}

/** `id` only of posts. */
export type EntryHead = { type: string; at: number; id: number | null };

/** An invalid post uses up its id, too (spec/mesh.md §B7.2). */
export function parseEntryHead(leaf: string): EntryHead | null {
  if (!leaf.startsWith(TYPE_LINE)) return null;
  const typeEnd = leaf.indexOf('\n', TYPE_LINE.length);
  if (typeEnd < 0 || !leaf.startsWith('\nat ', typeEnd)) return null;
  const type = leaf.slice(TYPE_LINE.length, typeEnd);
  const atEnd = lineEnd(leaf, typeEnd + 1);
  const at = readInteger(leaf.slice(typeEnd + '\nat '.length, atEnd));
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(type) || at === null) return null;
  if (type !== 'post' || !leaf.startsWith('\nid ', atEnd)) {
    return { type, at, id: null };
  }
  const idEnd = lineEnd(leaf, atEnd + 1);
  return { type, at, id: readId(leaf.slice(atEnd + '\nid '.length, idEnd)) };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export type ReadLeaf = {
  entry: Entry | UnknownEntry;
  post: EmbeddedPost | null;
};

/**
 * spec/mesh.md §B4. Refuses over 8192 bytes, other spellings and wrong embedded
 * lines; later types are `unknown`. The caller checks signatures, ids and the
 * order of `at`.
 */
export function readLeaf(leaf: string): Verdict<ReadLeaf, 'bad_entry'> {
  if (leaf.length > LEAF_BYTES || !isWellFormed(leaf)) {
    return refused('bad_entry');
  }
  const head = parseEntryHead(leaf);
  if (head === null) return refused('bad_entry');
  // A UTF-16 unit is three bytes at most.
  const isShort = 3 * leaf.length <= LEAF_BYTES;
  if (!isShort && utf8Length(leaf) > LEAF_BYTES) return refused('bad_entry');
  const { type, at } = head;
  if (!isKnown(type)) {
    const entry = { type: 'unknown', name: type, at } as const;
    return accepted({ entry, post: null });
  }
  const read = readKind(KINDS[type], leaf, at);
  return read !== null && formatEntry(read.entry) === leaf
    ? accepted(read)
    : refused('bad_entry');
}

export function parseEntry(
  leaf: string,
): Verdict<Entry | UnknownEntry, 'bad_entry'> {
  const read = readLeaf(leaf);
  return read.ok ? accepted(read.value.entry) : read;
}

function readKind(
  kind: Kind,
  leaf: string,
  at: number,
): { entry: Entry; post: EmbeddedPost | null } | null {
  const blank = kind.embeds ? leaf.indexOf('\n\n') : leaf.length;
  if (blank < 0) return null;
  const head = leaf.slice(0, blank + 1);
  const fields = readFields(head, ENTRY_HEADER, kind.lines);
  if (fields === null) return null;
  const embedded = leaf.slice(blank + 2);
  const read = kind === KINDS.post ? readPost(embedded) : null;
  const post = read?.ok ? read.value : null;
  const entry = kind.read(fields, at, embedded, post);
  return entry === null ? null : { entry, post };
}
