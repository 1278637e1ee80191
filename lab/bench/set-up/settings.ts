import { LIMIT_DEFAULTS } from '../../../server/limits.js';

export const BOARD_NAME = 'board.bench';
export const BASE_URL = 'http://board.bench';
const SEED = Buffer.from([...Array(32).keys()]).toString('hex');
const LIFTED = 1000;

/** Everything that counts who does how much; sizes of texts and pages stay. */
export function liftedLimits(more: Record<string, number> = {}): string {
  const counted = Object.entries(LIMIT_DEFAULTS).filter(([name]) =>
    /_per_|_waits_|_entries_day$|_bytes_day$/.test(name),
  );
  const lifted = counted.map(([name, value]) => [
    name,
    Math.max(1e9, value * LIFTED),
  ]);
  return JSON.stringify({ ...Object.fromEntries(lifted), ...more });
}

/** Writers come from as many networks as a row wants. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1/32' };

export function boardEnvironment(
  databaseUrl: string,
  dataDir: string,
): Record<string, string> {
  return {
    PORT: '0',
    BASE_URL,
    BOARD_NAME,
    BOARD_SEED: SEED,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BOARD_LIMITS: liftedLimits(),
    ROLES: 'api',
  };
}
