import type { LimitName } from '../../server/limits.js';

const NAMES = [
  'previews_per_network_hour',
  'publish_attempts_per_network_minute',
  'writes_per_network_minute',
  'writes_per_network_hour',
  'writes_per_board_minute',
  'topics_per_source_hour',
  'topics_per_source_day',
] as const satisfies readonly LimitName[];

/** The limits of posting out of the way, for tests of something else. */
export const LIFTED = Object.fromEntries(
  NAMES.map((name) => [name, 1_000_000]),
) as Record<(typeof NAMES)[number], number>;
