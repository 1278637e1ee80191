import { IsNull, MoreThanOrEqual, Or } from 'typeorm';
import { readCount } from '../../protocol/json.js';
import { LEVELS, type LevelName, TOP_LEVEL } from '../peer-port.js';

/** What a document states; null for none, and for what is no level. */
export function readLevel(value: unknown): number | null {
  const level = readCount(value);
  return level !== null && level <= TOP_LEVEL ? level : null;
}

/** Undefined where no peer is asked for its own log, but a mirror. */
type Stated = { level?: number | null | undefined };

/** Whether a board is asked for what this level has (spec/mesh.md §B6). */
export function serves({ level }: Stated, what: LevelName): boolean {
  return level == null || level >= LEVELS.indexOf(what);
}

/** The same of rows: where the column `level` of a peer may be so. */
export const serving = (what: LevelName) =>
  Or(IsNull(), MoreThanOrEqual(LEVELS.indexOf(what)));
