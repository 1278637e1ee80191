import { toBase64 } from '../../../protocol/bytes.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { formatEntry } from '../../../protocol/entry.js';
import { signIdentity } from '../../../protocol/identity.js';
import type { Signer } from '../../../protocol/note.js';
import {
  consistencyPlan,
  hashesOfPlan,
  rootPlan,
} from '../../../protocol/plan.js';
import { keyPairFromSeed } from '../../../protocol/signing.js';
import {
  appendLeaf,
  type Coord,
  emptyFrontier,
  foldRoots,
  leafHash,
} from '../../../protocol/tree.js';
import {
  COSIGNATURE,
  ED25519,
  formatVkey,
  type KeyType,
  makeVkey,
} from '../../../protocol/vkey.js';
import { randomBytes } from '../../support/random.js';

const AT = 1_768_478_400_000;

/** The keys and the name of a board that lies. */
export type Persona = {
  name: string;
  url: string;
  origin: string;
  log: Signer;
  mirror: Signer;
  identity: string;
};

export function persona(name: string): Persona {
  const origin = `${name}/log`;
  const url = `http://${name}`;
  const signer = (key: string, type: KeyType): Signer => {
    const pair = keyPairFromSeed(randomBytes(32));
    return { pair, vkey: makeVkey(key, type, pair.publicKey) };
  };
  const log = signer(origin, ED25519);
  const mirror = signer(`${name}/mirror`, COSIGNATURE);
  const node = signer(`${name}/node`, ED25519);
  const keys = {
    log: formatVkey(log.vkey),
    mirror: formatVkey(mirror.vkey),
    node: formatVkey(node.vkey),
  };
  const facts = { name, url, origin, ...keys, seq: 0, at: AT };
  const identity = signIdentity(facts, log, node);
  return { name, url, origin, log, mirror, identity };
}

/** One history of a board: any number of them can share a beginning. */
export class FakeLog {
  private frontier = emptyFrontier();
  private readonly nodes = new Map<string, Uint8Array>();
  readonly leaves: string[] = [];

  constructor(readonly who: Persona) {
    const embedded = who.identity;
    this.append(formatEntry({ type: 'board', at: AT, embedded }));
  }

  /** Another history that has the first `size` entries of this one. */
  fork(size: number): FakeLog {
    const other = new FakeLog(this.who);
    for (const leaf of this.leaves.slice(1, size)) other.append(leaf);
    return other;
  }

  /** Adds entries that no other history has. */
  grow(count: number): this {
    for (let at = 0; at < count; at += 1) {
      this.append(
        formatEntry({
          type: 'evidence',
          at: AT,
          origin: 'nobody.example/log',
          kind: 'equivocation',
          evidence: randomBytes(32),
        }),
      );
    }
    return this;
  }

  get size(): number {
    return this.frontier.size;
  }

  rootAt(size: number): Uint8Array {
    return foldRoots(rootPlan(size).map((coord) => this.node(coord)));
  }

  head(size = this.size): string {
    const { origin, log } = this.who;
    return signCheckpoint({ origin, size, root: this.rootAt(size) }, log);
  }

  consistency(from: number, to: number): string[] {
    const node = (coord: Coord) => this.node(coord);
    return hashesOfPlan(consistencyPlan(from, to), node).map(toBase64);
  }

  /** A page as `GET /log/feed` gives it. */
  page(from: number, limit: number): object {
    const to = Math.min(this.size, from + limit);
    return {
      protocol: 'reserve-mesh/1',
      origin: this.who.origin,
      from,
      to: Math.max(from, to),
      checkpoint: this.head(),
      consistency: to < this.size ? this.consistency(to, this.size) : [],
      entries: this.leaves.slice(from, to).map((leaf) => ({ leaf })),
    };
  }

  private node({ level, index }: Coord): Uint8Array {
    const hash = this.nodes.get(`${level}/${index}`);
    if (hash === undefined) throw new RangeError('no such subtree');
    return hash;
  }

  private append(leaf: string): void {
    const hash = leafHash(leaf);
    this.nodes.set(`0/${this.size}`, hash);
    const grown = appendLeaf(this.frontier, hash);
    for (const node of grown.nodes) {
      this.nodes.set(`${node.level}/${node.index}`, node.hash);
    }
    this.frontier = grown.frontier;
    this.leaves.push(leaf);
  }
}
