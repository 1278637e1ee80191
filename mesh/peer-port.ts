// Shared with the dashboard's browser code: has no more than types of answers.
import {
  PEER_CONTENT,
  PEER_DECISIONS,
  PEER_TRUST,
} from '../server/db/states.js';
import type { LimitName } from '../server/limits.js';
import type { MeshPeer } from './peers/answers.js';

/**
 * Implemented by the mesh for command line and dashboard (spec/mesh.md §B8,
 * spec/board.md §14.5).
 * @throws BoardError `invalid_input` with `field`, `unknown_board`,
 *   `decision_conflict`, `origin_unreachable`, `signature_invalid`,
 *   `message_not_found`
 */
export type PeerAdmin = {
  list(): Promise<PeerDetail[]>;
  read(board: string): Promise<PeerDetail>;
  /** Pending, unless `confirm` is the shown log vkey. */
  add(url: string, options?: AddOptions): Promise<PeerDetail>;
  /**
   * Pins a pending peer's log vkey, or accepts a changed identity: address or
   * generation. Asks the board where none with that key waits.
   */
  confirm(
    board: string,
    logVkey: string,
    options?: ConfirmOptions,
  ): Promise<PeerDetail>;
  trust(board: string, change: TrustChange): Promise<PeerDetail>;
  limits(board: string, change: LimitsChange): Promise<PeerDetail>;
  /** No traffic, data kept. */
  pause(board: string): Promise<PeerDetail>;
  /** Ends pause, quarantine (equivocation is final), degradation, block. */
  resume(board: string): Promise<PeerDetail>;
  /** Ends all traffic and erases the mirror. */
  block(board: string, reason?: string): Promise<PeerDetail>;
  /** Kept texts, and those that are only here. */
  holdings(board: string): Promise<PeerHoldings>;
  /** Keeps its confirmed key, quarantine and evidence. */
  forget(board: string): Promise<PeerHoldings>;
  /** 451 while hidden. */
  hide(
    board: string,
    id: number,
    options?: { reason?: string; undo?: boolean },
  ): Promise<{ board: string; id: number; hidden: boolean }>;
  /**
   * GETs or POSTs in JSON at an active peer.
   * @throws BoardError `origin_unreachable` without an answer below 500
   */
  ask(board: string, path: string, body?: object): Promise<AskedPeer>;
  exportPolicy(): Promise<PeerPolicy>;
  /** Changes nothing without `apply`. */
  importPolicy(
    policy: unknown,
    options?: { apply?: boolean },
  ): Promise<PolicyDifference[]>;
};

export type AskedPeer = { status: number; json: Record<string, unknown> };

export type PeerHoldings = {
  name: string;
  texts: number;
  /** Guests' texts among them. */
  guests: number;
  /** No answering board is known to have them. */
  only_here: number;
};

export type AddOptions = { confirm?: string } & {
  [Name in 'trust' | 'content']?: PeerOptions[Name] | undefined;
};
/** Refused if the address changed. */
export type ConfirmOptions = { address?: string | undefined };
export type TrustChange = {
  [Name in PeerOption]?: PeerOptions[Name] | undefined;
};

/** The levels of a peer, each with the ones before it (spec/mesh.md §B6). */
export const LEVELS = [
  'verifier',
  'mirrored',
  'witness',
  'mirror',
  'relay',
] as const;
export type LevelName = (typeof LEVELS)[number];
export const TOP_LEVEL = LEVELS.length - 1;

/** Undefined for mirrors. */
type Stated = { level?: number | null | undefined };

/** spec/mesh.md §B6 */
export function serves({ level }: Stated, what: LevelName): boolean {
  return level == null || level >= LEVELS.indexOf(what);
}

/** A level in words; null where a board states none. */
export function levelText(level: number | null): string {
  return level === null ? 'none stated' : `${level}, ${LEVELS[level]}`;
}

/** `words`: what each value means. */
const choice = <const Value extends string>(
  values: readonly Value[],
  more: {
    initial: NoInfer<Value>;
    label: string;
    help: string;
    words: Readonly<Record<NoInfer<Value>, string>>;
  },
) => ({ values, ...more });

/**
 * What operators choose for a peer (spec/mesh.md §B8), by column: policy, flags,
 * inputs, views, events and forms derive from this.
 */
export const PEER_OPTIONS = {
  trust: choice(PEER_TRUST, {
    initial: 'mirror',
    label: 'Trust',
    help: 'how far it is trusted',
    words: {
      witness: 'Witness: watch its log only',
      proofs: 'Proofs: entries, no texts',
      mirror: 'Mirror: copy its messages',
      relay: 'Relay: accept posts that it hands over',
    },
  }),
  content: choice(PEER_CONTENT, {
    initial: 'signed',
    label: 'Texts',
    help: 'texts to keep',
    words: { signed: 'Signed messages', all: 'All messages' },
  }),
  decisions: choice(PEER_DECISIONS, {
    initial: 'annotate',
    label: 'Decisions',
    help: "show the peer's decisions beside its messages, or follow them",
    words: {
      annotate: 'Annotate: show its decisions beside',
      follow: 'Follow: hide what it hides',
    },
  }),
};

type Options = typeof PEER_OPTIONS;
export type PeerOption = keyof Options;
export type PeerOptions = {
  [Name in PeerOption]: Options[Name]['values'][number];
};
export const OPTION_NAMES = Object.keys(PEER_OPTIONS) as PeerOption[];

export function peerOptions<T>(
  value: (name: PeerOption) => T,
): Record<PeerOption, T> {
  const values = OPTION_NAMES.map((name) => [name, value(name)] as const);
  return Object.fromEntries(values) as Record<PeerOption, T>;
}

/** Of a row, a detail or a change; the initial ones where it has none. */
export function optionsOf(from: TrustChange): PeerOptions {
  return peerOptions(
    (name) => from[name] ?? PEER_OPTIONS[name].initial,
  ) as PeerOptions;
}

/**
 * Name on the wire, column, board-wide default, whether a new peer gets a tenth
 * (spec/mesh.md §B8), and label. Policy, flags, views and forms derive from
 * this.
 */
export const PEER_LIMITS = [
  {
    name: 'entries_day',
    column: 'entriesDay',
    of: 'mesh_peer_entries_day',
    onProbation: true,
    label: 'Entries a day',
  },
  {
    name: 'content_bytes_day',
    column: 'contentBytesDay',
    of: 'mesh_peer_content_bytes_day',
    onProbation: true,
    label: 'Bytes of text a day',
  },
  {
    name: 'backfill_bytes_hour',
    column: 'backfillBytesHour',
    of: 'mesh_backfill_bytes_per_peer_hour',
    onProbation: false,
    label: 'Bytes an hour for what is old',
  },
] as const satisfies readonly {
  name: string;
  column: string;
  of: LimitName;
  onProbation: boolean;
  label: string;
}[];

export type PeerLimit = (typeof PEER_LIMITS)[number]['name'];

export function peerLimits<T>(
  value: (limit: (typeof PEER_LIMITS)[number]) => T,
): Record<PeerLimit, T> {
  const values = PEER_LIMITS.map((one) => [one.name, value(one)] as const);
  return Object.fromEntries(values) as Record<PeerLimit, T>;
}

/** Null: the board's default. */
export type LimitsChange = Partial<Record<PeerLimit, number | null>> & {
  /** False ends the first week's tenth of the limits. */
  probation?: false;
};

/** Why a copy does not grow, and what to do. */
export type Standstill = {
  /** `new_key`, `log_ended`, `unsupported_protocol`, else the status. */
  reason: string;
  detail: string;
  next: string;
  /** Raised as alert `peer_standstill`. */
  isAlert: boolean;
};

/** `GET /api/mesh`, and what only operators need. */
export type PeerDetail = PeerOptions &
  MeshPeer & {
    /** In force now, with probation. */
    limits: Record<PeerLimit, number> & { probation_until: string | null };
    last_attempt_at: string | null;
    retry_at: string | null;
    /** Null while its copy grows. */
    standstill: Standstill | null;
    /** The pinned note, and one that waits for `confirm`. */
    identity: string;
    pending_identity: string | null;
    /** Not used before it is confirmed. */
    pending_address: string | null;
    /** By the confirmed log key; null where none waits. */
    pending_identity_signed: boolean | null;
    /** Served texts by its own word, or null. */
    messages: { signed: number; guest: number } | null;
    /** It listed this board as confirmed at the last look; null before. */
    confirmed_us: boolean | null;
  };

/** What operators decide; the other statuses come and go by themselves. */
export function settingsOf(peer: PeerDetail) {
  const { name, base_url, limits, status: now } = peer;
  const status = now.replace(/^(?:lagging|unreachable|degraded)$/, 'active');
  return { name, base_url, status, ...optionsOf(peer), limits };
}

const FAULTS: Readonly<Record<string, string>> = {
  bad_url: 'its address cannot be used',
  address_refused: 'its address is not public',
  unreachable: 'it cannot be reached',
  timeout: 'it did not answer in time',
  redirected: 'it sends us to another address',
  too_large: 'its answer was too large',
  bad_encoding: 'its answer could not be unpacked',
  feed_corrupt: 'what it sent does not fit its log',
  bad_checkpoint: 'its signed head is wrong',
  unsupported_protocol: 'it speaks another protocol',
  no_document: 'its answer has no identity',
  rolled_back: 'it showed a smaller log than before',
  equivocation: 'it showed two histories',
  unresolved_view: 'nothing explains its signed head',
  quota: 'its share of the disk is used up',
};

/** In ms; null where none is known and the copy does not grow. */
export function measuredLag(
  peer: Pick<PeerDetail, 'status' | 'lag_ms' | 'standstill'>,
): number | null {
  const { status, lag_ms: ms, standstill } = peer;
  return ms > 0 || (status === 'active' && standstill === null) ? ms : null;
}

/** Of `last_error.code` (spec/mesh.md §B8.3). */
export const faultText = (code: string): string =>
  FAULTS[code] ?? `it answered ${code.replace('http_', '')}`;

export type PolicyPeer = Record<PeerLimit, number | null> &
  PeerOptions & {
    name: string;
    origin: string;
    base_url: string;
    log_vkey: string;
    state: 'pending' | 'active' | 'paused' | 'blocked';
  };
export type PeerPolicy = {
  format: 'reserve-board/peer-policy/v1';
  board: string;
  exported_at: string;
  peers: PolicyPeer[];
};

/** `changes` is empty for `same`. */
export type PolicyDifference = {
  name: string;
  action: 'add' | 'change' | 'same' | 'refused';
  changes: { field: string; from: unknown; to: unknown }[];
  detail?: string;
};
