import { createHash } from 'node:crypto';
import { toBase64 } from '../../../protocol/bytes.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import {
  type Content,
  contentHash,
  contentToJson,
} from '../../../protocol/content.js';
import { type Entry, formatEntry } from '../../../protocol/entry.js';
import { signIdentity } from '../../../protocol/identity.js';
import { agentSigner } from '../../../protocol/key.js';
import { type Signer, signNote } from '../../../protocol/note.js';
import { consistencyPlan, hashesOfPlan } from '../../../protocol/plan.js';
import {
  formatStatement,
  messageHash,
  type Statement,
} from '../../../protocol/statement.js';
import {
  appendLeaf,
  type Coord,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  leafHash,
  nodeHash,
} from '../../../protocol/tree.js';
import { formatVkey } from '../../../protocol/vkey.js';
import {
  type BoardKeys,
  boardKeys,
} from '../../../server/ledger/board-keys.js';
import { type Agent, currentPair } from '../../support/agent.js';
import { randomBytes, randomUUID } from '../../support/random.js';

export type WireEntry = { leaf: string; content?: unknown };
export type WirePage = {
  protocol: string;
  origin: string;
  from: number;
  to: number;
  checkpoint: string;
  consistency: string[];
  entries: WireEntry[];
};

export type ScriptedPost = {
  agent?: Agent | null;
  at?: number;
  id?: number;
  root?: number;
  content?: Partial<Content>;
  statement?: Partial<Statement>;
  parent?: { id: number; root: number; hash: Uint8Array };
  /** What the feed gives as the content; the true one when left out. */
  given?: unknown;
};

/** Board names are lower-case; each has keys of its own. */
export const seedOf = (name: string): string =>
  Buffer.from(name.padEnd(32, '.')).toString('hex');

/** None is set apart from the seed. */
const NO_KEYS = { logKey: null, mirrorKey: null, nodeKey: null };
const SALT = new Uint8Array(16).fill(7);

/** Any leaves under rightly signed heads: what a lying board could show. */
export class ScriptedLog {
  readonly keys: BoardKeys;
  readonly origin: string;
  readonly leaves: string[] = [];
  readonly contents = new Map<number, unknown>();
  private readonly guests = new Set<number>();
  private readonly nodes = new Map<string, Uint8Array>();
  private readonly roots: Uint8Array[] = [];
  private frontier: Frontier = emptyFrontier();
  lastId = 0;

  constructor(
    readonly board: string,
    /** Time of entries that name none, in ms. */
    private readonly at: number,
    private readonly boardSeed = seedOf(board),
  ) {
    this.origin = `${board}/log`;
    this.keys = boardKeys({ ...NO_KEYS, boardSeed }, board, this.origin);
    this.roots.push(frontierRoot(this.frontier));
  }

  get size(): number {
    return this.leaves.length;
  }

  identity(url: string, seq = 0): string {
    return this.signed(this.origin, this.keys, { url, seq });
  }

  nextIdentity(url: string, seq: number, ...former: Signer[]): string {
    const origin = `${this.origin}2`;
    const boardSeed = seedOf('another');
    const keys = boardKeys({ ...NO_KEYS, boardSeed }, this.board, origin);
    return this.signed(origin, keys, { url, seq }, former);
  }

  private signed(
    origin: string,
    { log, mirror, node }: BoardKeys,
    said: { url: string; seq: number },
    former: Signer[] = [],
  ): string {
    const facts = {
      ...{ name: this.board, origin, at: this.at, ...said },
      log: formatVkey(log.vkey),
      mirror: formatVkey(mirror.vkey),
      node: formatVkey(node.vkey),
    };
    return signIdentity(facts, log, node, ...former);
  }

  /** Another history that has the first `size` entries of this one. */
  fork(size: number): ScriptedLog {
    const other = new ScriptedLog(this.board, this.at, this.boardSeed);
    for (const leaf of this.leaves.slice(0, size)) other.leaf(leaf);
    return other;
  }

  grow(count: number): this {
    const kind = { type: 'evidence', kind: 'equivocation' } as const;
    for (let more = 0; more < count; more += 1) {
      const evidence = randomBytes(32);
      const origin = 'nobody.example/log';
      this.entry({ ...kind, at: this.at, origin, evidence });
    }
    return this;
  }

  leaf(text: string): number {
    const { frontier } = appendLeaf(this.frontier, leafHash(text));
    this.frontier = frontier;
    this.roots.push(frontierRoot(frontier));
    return this.leaves.push(text) - 1;
  }

  entry(entry: Entry): number {
    return this.leaf(formatEntry(entry));
  }

  post(post: ScriptedPost = {}): {
    id: number;
    root: number;
    hash: Uint8Array;
    index: number;
  } {
    const { agent = null, parent, at = this.at } = post;
    const id = post.id ?? this.lastId + 1;
    this.lastId = Math.max(this.lastId, id);
    const content: Content = {
      salt: SALT,
      name: 'scout',
      ...(parent === undefined ? { title: `Title ${id}` } : {}),
      body: `Body of ${id}.`,
      ...post.content,
    };
    const statement: Statement = {
      board: this.board,
      agent: agent?.id ?? null,
      request: randomUUID(),
      at,
      room: 'lobby',
      parent:
        parent === undefined ? null : { id: parent.id, hash: parent.hash },
      content: contentHash(content),
      ...post.statement,
    };
    const text = formatStatement(statement);
    const embedded =
      agent === null
        ? text
        : signNote(text, [agentSigner(agent.id, currentPair(agent))]);
    const root = post.root ?? parent?.root ?? id;
    const poll = content.poll === undefined ? {} : { poll: id };
    const index = this.entry({
      type: 'post',
      at,
      id,
      root,
      via: null,
      ...poll,
      embedded,
    });
    const given = 'given' in post ? post.given : contentToJson(content);
    if (given !== undefined) this.contents.set(index, given);
    if (agent === null) this.guests.add(index);
    return { id, root, hash: messageHash(text), index };
  }

  key(agent: Agent, seq = agent.notes.length - 1): number {
    const embedded = agent.notes[seq] ?? '';
    const at = this.at;
    return this.entry({ type: 'key', at, agent: agent.id, seq, embedded });
  }

  root(size = this.size): Uint8Array {
    const root = this.roots[size];
    if (root === undefined) throw new RangeError(`no size ${size}`);
    return root;
  }

  head(size = this.size, root = this.root(size)): string {
    return signCheckpoint({ origin: this.origin, size, root }, this.keys.log);
  }

  consistency(from: number, to: number): string[] {
    const plan = consistencyPlan(from, to);
    return hashesOfPlan(plan, (coord) => this.node(coord)).map(toBase64);
  }

  page(
    from: number,
    limit = 256,
    content = 'none',
    size = this.size,
  ): WirePage {
    const to = Math.min(from + limit, size);
    const entries = this.leaves.slice(from, to).map((leaf, at) => {
      const index = from + at;
      const asked =
        content === 'all' || (content === 'signed' && !this.guests.has(index));
      return asked && this.contents.has(index)
        ? { leaf, content: this.contents.get(index) }
        : { leaf };
    });
    return {
      protocol: 'reserve-mesh/1',
      origin: this.origin,
      from,
      to,
      checkpoint: this.head(size),
      consistency: this.consistency(to, size),
      entries,
    };
  }

  private node({ level, index }: Coord): Uint8Array {
    const key = `${level}/${index}`;
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    const below = (half: number) =>
      this.node({ level: level - 1, index: index * 2 + half });
    const hash =
      level === 0
        ? leafHash(this.leaves[index] ?? '')
        : nodeHash(below(0), below(1));
    this.nodes.set(key, hash);
    return hash;
  }
}

/** 32 bytes that are nobody's. */
export function noise(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
