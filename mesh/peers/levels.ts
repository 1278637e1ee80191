import { IsNull, MoreThanOrEqual, Not, Or } from 'typeorm';
import { readCount } from '../../protocol/json.js';
import { PULLABLE } from '../../server/db/pullable.js';
import { LEVELS, type LevelName, TOP_LEVEL } from '../peer-port.js';

/** Null for anything else. */
export function readLevel(value: unknown): number | null {
  const level = readCount(value);
  return level !== null && level <= TOP_LEVEL ? level : null;
}

/** The same for the column `level`. */
export const serving = (what: LevelName) =>
  Or(IsNull(), MoreThanOrEqual(LEVELS.indexOf(what)));

/** Followed boards that may have copies of another one's log. */
export const mirrorsBut = (originId: number) => ({
  ...PULLABLE,
  originId: Not(originId),
  document: Not(IsNull()),
  level: serving('mirror'),
});
