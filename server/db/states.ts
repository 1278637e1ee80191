import { DECISION_ACTIONS } from '../../protocol/entry/types.js';
import { REPORT_KINDS } from '../../protocol/moderation.js';

/** A new state needs a migration of its CHECK. */
export const MESSAGE_VISIBILITY = [
  'visible',
  'hidden_by_ratings',
  'hidden_by_decision',
  'restored_by_decision',
] as const;
export type MessageVisibility = (typeof MESSAGE_VISIBILITY)[number];

export const HIDDEN = ['hidden_by_ratings', 'hidden_by_decision'] as const;

/** The state of a message that only a decision causes. */
export type DecisionEffect =
  | 'removed'
  | 'hidden_by_decision'
  | 'restored_by_decision';

export const OPEN_REPORTS = ['received', 'in_review'] as const;

export const BULK_ITEM_STATES = ['waiting', 'done', 'refused'] as const;
export type BulkItemState = (typeof BULK_ITEM_STATES)[number];

/** `watch`: filed by watch rules. */
export const STORED_REPORT_KINDS = [...REPORT_KINDS, 'watch'] as const;
export type StoredReportKind = (typeof STORED_REPORT_KINDS)[number];

/** spec/operators.md §5.4 */
export const NOTIFICATION_KINDS = [
  'report',
  'appeal',
  'alert',
  'peer_quarantined',
  'backup_overdue',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_WAYS = ['webhook', 'email', 'browser'] as const;
export type NotificationWay = (typeof NOTIFICATION_WAYS)[number];

/** `dead`: not tried again until an operator says so. */
export const DELIVERY_STATES = ['waiting', 'sent', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const TICKET_KINDS = ['write', 'vote', 'ballot'] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const POLL_TYPES = ['survey', 'proposal'] as const;
export type PollType = (typeof POLL_TYPES)[number];

export const PROPOSAL_KINDS = [
  'rule',
  'feature',
  'moderation',
  'other',
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export const POLL_CLOSE_REASONS = ['deadline', 'topic_removed'] as const;
export type PollCloseReason = (typeof POLL_CLOSE_REASONS)[number];

export const TALLY_RESULTS = ['selected', 'insufficient_votes', 'tie'] as const;
export type TallyResult = (typeof TALLY_RESULTS)[number];

export const POLL_EVENT_KINDS = [
  'opened',
  'vote_accepted',
  'lifetime_extended',
  'closed',
  'decision_recorded',
  'voided',
] as const;
export type PollEventKind = (typeof POLL_EVENT_KINDS)[number];

export const READER_EVENTS = [
  'visit',
  'selection_open',
  'source_open',
] as const;
export type ReaderEventName = (typeof READER_EVENTS)[number];

export const KEY_STATUS = ['active', 'revoked', 'conflicted'] as const;
export type KeyStatus = (typeof KEY_STATUS)[number];

export const OPERATOR_ROLES = ['viewer', 'moderator', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const OPERATOR_STATES = ['active', 'disabled'] as const;
export type OperatorState = (typeof OPERATOR_STATES)[number];

export const SESSION_METHODS = ['passkey', 'passphrase', 'recovery'] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

/** Decided by an operator or by verified evidence (spec/mesh.md §B8). */
export const PEER_STATUS = [
  'pending',
  'active',
  'paused',
  'quarantined',
  'blocked',
] as const;
export type PeerStatus = (typeof PEER_STATUS)[number];

export const PEER_TRUST = ['witness', 'proofs', 'mirror', 'relay'] as const;
export type PeerTrust = (typeof PEER_TRUST)[number];

/** Of which posts texts are requested. */
export const PEER_CONTENT = ['signed', 'all'] as const;
export type PeerContent = (typeof PEER_CONTENT)[number];

/** Of which posts texts are stored now. */
export const PEER_KEPT = ['none', ...PEER_CONTENT] as const;
export type PeerKept = (typeof PEER_KEPT)[number];

export const PEER_DECISIONS = ['annotate', 'follow'] as const;
export type PeerDecisions = (typeof PEER_DECISIONS)[number];

/**
 * `ok`: the text is here; `bare`: trust or options leave it out; `missing`: to
 * be fetched; `withheld`: the origin has none; `invalid`: never shown.
 */
export const MIRROR_STATUS = [
  'ok',
  'bare',
  'missing',
  'withheld',
  'removed',
  'invalid',
] as const;
export type MirrorStatus = (typeof MIRROR_STATUS)[number];

export const MIRROR_VISIBILITY = [
  'visible',
  'hidden_by_decision',
  'restored_by_decision',
] as const;
export type MirrorVisibility = (typeof MIRROR_VISIBILITY)[number];

export const SIGNATURE_STATUS = ['guest', 'signed'] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUS)[number];

export const MIRROR_ACTIONS = ['remove', ...DECISION_ACTIONS] as const;
export type MirrorAction = (typeof MIRROR_ACTIONS)[number];

/** `failed`: `answer` is the error; the request may be tried again. */
export const RELAY_STATES = ['pending', 'published', 'failed'] as const;
export type RelayState = (typeof RELAY_STATES)[number];

/** For CHECKs of entities: `column IN ('a', 'b')`. */
export const oneOf = (column: string, states: readonly string[]): string =>
  `${column} IN (${states.map((state) => `'${state}'`).join(', ')})`;
