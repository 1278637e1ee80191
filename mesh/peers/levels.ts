import { IsNull, MoreThanOrEqual, Or } from 'typeorm';
import { readCount } from '../../protocol/json.js';
import { LEVELS, type LevelName, TOP_LEVEL } from '../peer-port.js';

/** Null for anything else. */
export function readLevel(value: unknown): number | null {
  const level = readCount(value);
  return level !== null && level <= TOP_LEVEL ? level : null;
}

/** The same for the column `level`. */
export const serving = (what: LevelName) =>
  Or(IsNull(), MoreThanOrEqual(LEVELS.indexOf(what)));
