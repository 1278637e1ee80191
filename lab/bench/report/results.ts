import os from 'node:os';
import type { Source } from '../../source.js';
import type { Figure, Section } from '../row.js';

/** What one row gave, or why it gave nothing. */
export type RowResult = {
  id: string;
  section: Section;
  work: string;
  /** When it was measured, UTC, and how long that took. */
  at: string;
  seconds: number;
  /** Runnable processes per minute when it ended. */
  load: number;
  figures: Figure[];
  notes: string[];
  /** Why nothing was measured. */
  skipped?: string;
};

export type Machine = {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  postgres: string;
};

/** One run: rows of one commit, one size and one machine. */
export type Results = Source & {
  date: string;
  /** A trial of the harness: the figures mean nothing. */
  short: boolean;
  /** All rows were asked for, and may be there after a resumption. */
  full: boolean;
  /** Messages of the large data set. */
  size: number;
  machine: Machine;
  rows: RowResult[];
};

export function machine(postgres: string): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    postgres,
  };
}
