import { guessName } from './guess.js';

const BOARD_SETTINGS = [
  'BOARD_NAME',
  'BOARD_TITLE',
  'BOARD_CONTACT',
  'BOARD_SEED',
  'BOARD_LOG_KEY',
  'BOARD_MIRROR_KEY',
  'BOARD_NODE_KEY',
  'BOARD_LIMITS',
];

/** A sentence for each `BOARD_…` name that is no setting, with the one meant. */
export function unknownSettings(env: object): string[] {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('BOARD_') && !BOARD_SETTINGS.includes(name),
  );
  return unknown.map((name) => {
    const meant = guessName(name, BOARD_SETTINGS);
    const advice = meant === null ? 'remove it.' : `did you mean ${meant}?`;
    return `${name} is not a setting of this board; ${advice}`;
  });
}
