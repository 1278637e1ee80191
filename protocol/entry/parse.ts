import { isAgentId } from '../agent-id.js';
import { isBoardName, parseLogOrigin } from '../board-name.js';
import { isWellFormed, utf8 } from '../bytes.js';
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

type Fields = Map<string, string>;
type Reader = (fields: Fields, at: number, embedded: string) => Entry | null;
type Kind = { names: string[]; embeds: boolean; read: Reader };

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

const readPostEntry: Reader = (fields, at, embedded) => {
  const id = readId(fields.get('id'));
  const root = readId(fields.get('root'));
  const via = fields.get('via') ?? '';
  const result = fields.get('vote-result');
  const voteResult = oneOf(VOTE_RESULTS, result);
  const poll = readId(fields.get('poll'));
  const post = readPost(embedded);
  if (!post.ok || id === null || root === null) return null;
  if (via !== '-' && !isBoardName(via)) return null;
  const { parent, vote } = post.value.statement;
  // A topic is its own root; a reply stands below an earlier message.
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
    names: [],
    embeds: true,
    read: (_, at, embedded) =>
      readIdentityNote(embedded).ok ? { type: 'board', at, embedded } : null,
  },
  key: { names: ['agent', 'seq'], embeds: true, read: readKey },
  post: {
    names: ['id', 'root', 'via', 'vote-result?', 'poll?'],
    embeds: true,
    read: readPostEntry,
  },
  remove: {
    names: ['id', 'target', 'by', 'reason', 'explain'],
    embeds: false,
    read: readRemove,
  },
  decision: {
    names: ['id', 'target', 'action', 'explain'],
    embeds: false,
    read: readDecision,
  },
  poll: {
    names: ['id', 'poll', 'counts', 'voters', 'result', 'winner'],
    embeds: false,
    read: readPoll,
  },
  anchor: {
    names: [],
    embeds: true,
    read: (_, at, embedded) =>
      readAnchor(embedded).ok ? { type: 'anchor', at, embedded } : null,
  },
  evidence: {
    names: ['origin', 'kind', 'evidence'],
    embeds: false,
    read: readEvidence,
  },
};

function isKnown(name: string): name is Entry['type'] {
  return Object.hasOwn(KINDS, name);
}

/** The first lines of a leaf; `id` where it is a post that names one. */
export type EntryHead = { type: string; at: number; id: number | null };

/**
 * Reads only the head, for leaves that `parseEntry` refuses: an invalid post
 * still uses up its id (mesh.md B13).
 */
export function parseEntryHead(leaf: string): EntryHead | null {
  const [header, typeLine = '', atLine = '', idLine = ''] = leaf.split('\n', 4);
  const type = /^type ([a-z][a-z0-9-]{0,31})$/.exec(typeLine)?.[1];
  const at = readInteger(/^at (.*)$/.exec(atLine)?.[1]);
  if (header !== ENTRY_HEADER || type === undefined || at === null) return null;
  const id = type === 'post' ? readId(/^id (.*)$/.exec(idLine)?.[1]) : null;
  return { type, at, id };
}

/**
 * Reads a leaf (mesh.md B4). Refuses more than 8192 bytes, whatever does not
 * format back to the same text, and an embedded note with other signature
 * lines than its own; a type of a later version is `unknown`, not bad.
 * Signatures, ids and the order of `at` are the caller's to check.
 */
export function parseEntry(
  leaf: string,
): Verdict<Entry | UnknownEntry, 'bad_entry'> {
  if (leaf.length > LEAF_BYTES || !isWellFormed(leaf)) {
    return refused('bad_entry');
  }
  const head = parseEntryHead(leaf);
  if (head === null) return refused('bad_entry');
  if (utf8(leaf).length > LEAF_BYTES) return refused('bad_entry');
  const { type, at } = head;
  if (!isKnown(type)) return accepted({ type: 'unknown', name: type, at });
  const entry = readKind(KINDS[type], leaf, at);
  return entry !== null && formatEntry(entry) === leaf
    ? accepted(entry)
    : refused('bad_entry');
}

function readKind(kind: Kind, leaf: string, at: number): Entry | null {
  const blank = kind.embeds ? leaf.indexOf('\n\n') : leaf.length;
  if (blank < 0) return null;
  const head = leaf.slice(0, blank + 1);
  const fields = readFields(head, ENTRY_HEADER, ['type', 'at', ...kind.names]);
  return fields === null ? null : kind.read(fields, at, leaf.slice(blank + 2));
}
