// Shared with the dashboard's browser code: imports no answers of the server.
import type {
  PeerContent,
  PeerDecisions,
  PeerTrust,
} from '../server/db/states.js';
import type { LimitName } from '../server/limits.js';

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
  exportPolicy(): Promise<PeerPolicy>;
  /** Changes nothing without `apply`. */
  importPolicy(
    policy: unknown,
    options?: { apply?: boolean },
  ): Promise<PolicyDifference[]>;
};

export type PeerHoldings = {
  name: string;
  texts: number;
  /** Guests' texts among them. */
  guests: number;
  /** No answering board is known to have them. */
  only_here: number;
};

export type AddOptions = {
  confirm?: string;
  trust?: PeerTrust;
  content?: PeerContent;
};
/** Refused if the address changed. */
export type ConfirmOptions = { address?: string | undefined };
export type TrustChange = {
  trust?: PeerTrust | undefined;
  content?: PeerContent | undefined;
  decisions?: PeerDecisions | undefined;
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

/** A level in words; null where a board states none. */
export function levelText(level: number | null): string {
  return level === null ? 'none stated' : `${level}, ${LEVELS[level]}`;
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
export type PeerDetail = {
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  mirror_vkey: string;
  trust: PeerTrust;
  status: string;
  remote_size: number;
  mirrored_size: number;
  lag_entries: number;
  lag_ms: number;
  apply_ms_p95: number | null;
  last_checkpoint: string | null;
  last_success_at: string | null;
  last_error: { code: string; at: string } | null;
  acked_size: number;
  invalid_entries: number;
  withheld_contents: number;
  evidence: string[];
  /** As its document states; null where it states none. */
  level: number | null;
  /** In force now, with probation. */
  limits: Record<PeerLimit, number> & { probation_until: string | null };
  last_attempt_at: string | null;
  retry_at: string | null;
  status_reason: string | null;
  /** Null while its copy grows. */
  standstill: Standstill | null;
  content: PeerContent;
  decisions: PeerDecisions;
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

export type PolicyPeer = Record<PeerLimit, number | null> & {
  name: string;
  origin: string;
  base_url: string;
  log_vkey: string;
  state: 'pending' | 'active' | 'paused' | 'blocked';
  trust: PeerTrust;
  content: PeerContent;
  decisions: PeerDecisions;
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
