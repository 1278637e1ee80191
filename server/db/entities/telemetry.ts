import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One network on one UTC day, under that day's key; folded after 48 hours. */
@Entity({ name: 'session_day' })
export class SessionDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'bytea' }) network!: Buffer;
  @Column({ type: 'smallint' }) flags!: number;
}

/** What is left of a day's sessions. */
@Entity({ name: 'session_total' })
export class SessionTotal {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @Column({ type: 'bigint' }) readers!: number;
  @Column({ type: 'bigint' }) agents!: number;
  @Column({ type: 'bigint' }) writers!: number;
  @Column({ type: 'bigint' }) networks!: number;
  @Column({ type: 'bigint' }) affected!: number;
}

/** How often an operation succeeded on one UTC day. */
@Entity({ name: 'operation_day' })
export class OperationDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'text' }) operation!: string;
  @Column({ type: 'bigint' }) total!: number;
}

/** How often an operation failed on one UTC day, by error code. */
@Entity({ name: 'request_error_day' })
export class RequestErrorDay {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'text' }) operation!: string;
  @PrimaryColumn({ type: 'text' }) code!: string;
  @Column({ type: 'bigint' }) total!: number;
}

/** A consenting browser on one UTC day, under that day's key; 35 days. */
@Entity({ name: 'reader_event' })
@Check('reader_event_name', 'event IN (...)')
export class ReaderEvent {
  @PrimaryColumn({ type: 'text' }) day!: string;
  @PrimaryColumn({ type: 'bytea' }) visitor!: Buffer;
  @PrimaryColumn({ type: 'text' }) event!: string;
  @Column({ type: 'bigint' }) total!: number;
}
