import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { oneOf, READER_EVENTS, type ReaderEventName } from '../states.js';

/** A network on a UTC day, under the day's key; folded after 48 hours. */
@Entity({ name: 'session_day' })
export class SessionDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'bytea' }) network!: Buffer;
  @Column({ type: 'smallint' }) flags!: number;
  /** The hour in which the flags changed last. */
  @Column({ type: 'smallint', default: 0 }) hour!: number;
  /** The flags before that hour. */
  @Column({ type: 'smallint', default: 0 }) former!: number;
}

@Entity({ name: 'session_total' })
export class SessionTotal {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @Column({ type: 'bigint' }) readers!: number;
  @Column({ type: 'bigint' }) agents!: number;
  @Column({ type: 'bigint' }) writers!: number;
  @Column({ type: 'bigint' }) networks!: number;
  @Column({ type: 'bigint' }) affected!: number;
}

@Entity({ name: 'operation_day' })
export class OperationDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'text' }) operation!: string;
  @Column({ type: 'bigint' }) total!: number;
}

@Entity({ name: 'request_error_day' })
export class RequestErrorDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'text' }) operation!: string;
  @PrimaryColumn({ type: 'text' }) code!: string;
  @Column({ type: 'bigint' }) total!: number;
}

/** A consenting browser, under the key of the UTC day, until the day ends. */
@Entity({ name: 'reader_event' })
@Check('reader_event_name', oneOf('event', READER_EVENTS))
export class ReaderEvent {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'bytea' }) visitor!: Buffer;
  @PrimaryColumn({ type: 'text' }) event!: ReaderEventName;
  @Column({ type: 'bigint' }) total!: number;
}

/** Sums of consenting browsers per UTC day; the row is the day's lock. */
@Entity({ name: 'reader_total' })
export class ReaderTotal {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @Column({ type: 'bigint', default: 0 }) visitors!: number;
  @Column({ type: 'bigint', default: 0 }) visit!: number;
  @Column({ type: 'bigint', default: 0 }) selection_open!: number;
  @Column({ type: 'bigint', default: 0 }) source_open!: number;
  /** The last hour with a new visitor, and the count before it. */
  @Column({ type: 'smallint', default: 0 }) hour!: number;
  @Column({ type: 'bigint', default: 0 }) former!: number;
}

/** Final once published. */
@Entity({ name: 'usefulness_report' })
@Check('usefulness_report_period', 'period_start < period_end')
export class UsefulnessReport {
  @PrimaryColumn({ type: 'bigint' }) id!: number;
  @Column({ type: 'bigint' }) periodStart!: number;
  @Column({ type: 'bigint' }) periodEnd!: number;
  @Column({ type: 'jsonb' }) metrics!: unknown;
  @Column({ type: 'text' }) note!: string;
  @Column({ type: 'text' }) operator!: string;
  @Column({ type: 'bigint' }) createdAt!: number;
  @Column({ type: 'bigint', nullable: true }) publishedAt!: number | null;
}

/** Of one minute, later of a quarter of an hour; kept 30 days. */
@Entity({ name: 'figure_sample' })
@Index('figure_sample_fine', ['at'], { where: 'at % 900000 <> 0' })
@Check('figure_sample_value', 'value >= 0')
export class FigureSample {
  @PrimaryColumn({ type: 'bigint' }) at!: number;
  @PrimaryColumn({ type: 'text' }) series!: string;
  /** A board's name; empty for this board. */
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'bigint' }) value!: number;
}
