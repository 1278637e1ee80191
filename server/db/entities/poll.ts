import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import {
  oneOf,
  POLL_CLOSE_REASONS,
  POLL_EVENT_KINDS,
  POLL_TYPES,
  type PollCloseReason,
  type PollEventKind,
  type PollType,
  PROPOSAL_KINDS,
  type ProposalKind,
  TALLY_RESULTS,
  type TallyResult,
} from '../states.js';

/** Texts are null once the topic is removed. */
@Entity({ name: 'poll' })
@Unique('poll_root', ['rootId'])
@Index('poll_open', ['closesAt'], { where: 'closed_at IS NULL' })
@Check('poll_type', oneOf('type', POLL_TYPES))
@Check(
  'poll_text',
  `(question IS NULL) = (options IS NULL)
    AND (summary IS NOT NULL) = (kind IS NOT NULL AND question IS NOT NULL)`,
)
@Check(
  'poll_kind',
  `(kind IS NOT NULL) = (type = 'proposal')
    AND ${oneOf('kind', PROPOSAL_KINDS)}`,
)
@Check(
  'poll_lengths',
  `octet_length(question) BETWEEN 1 AND 24576
    AND octet_length(summary) BETWEEN 1 AND 24576
    AND cardinality(counts) BETWEEN 2 AND 8
    AND cardinality(options) = cardinality(counts)`,
)
@Check(
  'poll_closed',
  `(closed_at IS NULL) = (close_reason IS NULL)
    AND ${oneOf('close_reason', POLL_CLOSE_REASONS)}`,
)
@Check(
  'poll_result',
  `(result IS NOT NULL) = coalesce(close_reason = 'deadline', false)
    AND (winner IS NOT NULL) = coalesce(result = 'selected', false)
    AND ${oneOf('result', TALLY_RESULTS)}`,
)
export class Poll {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint' }) rootId!: number;
  @Column({ type: 'text' }) type!: PollType;
  @Column({ type: 'text', nullable: true }) question!: string | null;
  @Column({ type: 'text', array: true, nullable: true })
  options!: string[] | null;
  @Column({ type: 'text', nullable: true }) kind!: ProposalKind | null;
  @Column({ type: 'text', nullable: true }) summary!: string | null;
  @Column({ type: 'integer' }) durationHours!: number;
  @Column({ type: 'bytea' }) secret!: Buffer;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint' }) closesAt!: number;
  @Column({ type: 'integer', array: true }) counts!: number[];
  @Column({ type: 'integer', default: 0 }) voters!: number;
  @Column({ type: 'bigint', nullable: true }) closedAt!: number | null;
  @Column({ type: 'text', nullable: true })
  closeReason!: PollCloseReason | null;
  @Column({ type: 'text', nullable: true }) result!: TallyResult | null;
  @Column({ type: 'smallint', nullable: true }) winner!: number | null;
  @Column({ type: 'jsonb', nullable: true }) decision!: object | null;
}

/** Final choice of one network. */
@Entity({ name: 'ballot' })
@Unique('ballot_request', ['requestId', 'pollId'])
@Check('ballot_choice', 'choice BETWEEN 0 AND 7')
export class Ballot {
  @PrimaryColumn({ type: 'bigint' }) pollId!: number;
  @PrimaryColumn({ type: 'bytea' }) voter!: Buffer;
  @Column({ type: 'smallint' }) choice!: number;
  @Column({ type: 'uuid' }) requestId!: string;
  @Column({ type: 'bigint' }) at!: number;
}

/** In commit order and without gaps. */
@Entity({ name: 'poll_event' })
@Index('poll_event_poll', ['pollId', 'id'])
@Index('poll_event_end', ['pollId'], {
  unique: true,
  where: "kind IN ('closed', 'voided')",
})
@Check('poll_event_kind', oneOf('kind', POLL_EVENT_KINDS))
export class PollEvent {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint' }) pollId!: number;
  @Column({ type: 'text' }) kind!: PollEventKind;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'jsonb' }) data!: unknown;
}
