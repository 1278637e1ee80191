// The part of mesh-ports.ts that the dashboard's browser code is given too: it
// imports no answers of the server.
import type {
  PeerContent,
  PeerDecisions,
  PeerTrust,
} from '../server/db/states.js';
import type { LimitName } from '../server/limits.js';

/**
 * What operators do with peers, from the command line and the dashboard alike
 * (spec/mesh.md §B8, spec/board.md §14.5). The mesh implements it; `board.ts`
 * hands it in. Refusals are `BoardError`s: `invalid_input` with `field`,
 * `unknown_board`, `decision_conflict`, `origin_unreachable`,
 * `signature_invalid`, `message_not_found`.
 */
export type PeerAdmin = {
  /** Every peer, blocked ones too, by name. */
  list(): Promise<PeerDetail[]>;
  /** One peer by its board name or its URL. */
  read(board: string): Promise<PeerDetail>;
  /**
   * Fetches the identity at `url`. The peer is pending, unless `confirm` is
   * the log vkey that the identity shows.
   */
  add(url: string, options?: AddOptions): Promise<PeerDetail>;
  /**
   * Pins the log vkey of a pending peer, or accepts a changed identity of a
   * known one: another address or a new generation of its log. Where none with
   * that key waits, the board is asked for the one it shows now.
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
  /** How many texts of a peer are kept here, and are only here. */
  holdings(board: string): Promise<PeerHoldings>;
  /**
   * Removes a peer with all that is mirrored of it. Its confirmed key, its
   * quarantine and the evidence against it stay.
   */
  forget(board: string): Promise<PeerHoldings>;
  /** Hides one mirrored message here (451), or shows it again. */
  hide(
    board: string,
    id: number,
    options?: { reason?: string; undo?: boolean },
  ): Promise<{ board: string; id: number; hidden: boolean }>;
  exportPolicy(): Promise<PeerPolicy>;
  /** What the policy would change; `apply` changes it. */
  importPolicy(
    policy: unknown,
    options?: { apply?: boolean },
  ): Promise<PolicyDifference[]>;
};

/** Texts of a board that are kept here. */
export type PeerHoldings = {
  name: string;
  texts: number;
  /** Of them, those of guests. */
  guests: number;
  /** Those that no board that answers is known to have. */
  only_here: number;
};

export type AddOptions = {
  confirm?: string;
  trust?: PeerTrust;
  content?: PeerContent;
};
/** The address that the operator saw: another one is refused. */
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
 * A peer's own limits, each by its name on the wire, its column, the limit of
 * the board that applies where it is null, whether a new peer gets a tenth of it
 * (spec/mesh.md §B8), and its label for operators. Policy, commands, flags,
 * views and the dashboard's form are made of this list.
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

/** Null goes back to the board's default. */
export type LimitsChange = Partial<Record<PeerLimit, number | null>> & {
  /** False ends the first week's tenth of the limits. */
  probation?: false;
};

/** Why the copy of a peer's log does not grow, and what to do. */
export type Standstill = {
  /** `new_key`, `log_ended`, `unsupported_protocol`, else the status. */
  reason: string;
  detail: string;
  next: string;
  /** Whether it is an alert `peer_standstill`. */
  isAlert: boolean;
};

/** A peer as `GET /api/mesh` shows it, and what only operators need. */
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
  /** In force now, probation counted in. */
  limits: Record<PeerLimit, number> & { probation_until: string | null };
  last_attempt_at: string | null;
  retry_at: string | null;
  status_reason: string | null;
  /** Null while its copy grows. */
  standstill: Standstill | null;
  content: PeerContent;
  decisions: PeerDecisions;
  /** The identity note that is pinned, and one that waits for `confirm`. */
  identity: string;
  pending_identity: string | null;
  /** Another address, which that one names; nothing is asked there yet. */
  pending_address: string | null;
  /** Whether the confirmed log key signed it; null where none waits. */
  pending_identity_signed: boolean | null;
  /** Texts that its board says it serves; null where it does not say. */
  messages: { signed: number; guest: number } | null;
  /**
   * Whether its board listed this one, confirmed, when it was read last; null
   * before that.
   */
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

/** One peer's difference; `changes` is empty for `same`. */
export type PolicyDifference = {
  name: string;
  action: 'add' | 'change' | 'same' | 'refused';
  changes: { field: string; from: unknown; to: unknown }[];
  detail?: string;
};
