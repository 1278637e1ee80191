import {
  MODERATION_ACTIONS,
  type ModerationAction,
  namesOf,
  type PollOutcome,
  subjectWords,
} from '../../protocol/moderation.js';
import {
  alertCode,
  alertName,
} from '../../server/dashboard/notifications/words.js';
import type { ModerationState } from '../../server/moderation/index.js';
import type { Tone } from './Tag.js';

/** On a button; `isHidden`: ratings hide the topic. */
export const todo = (action: ModerationAction, isHidden = false): string =>
  namesOf(action, isHidden)[0];

/** Within a sentence. */
export const past = (action: ModerationAction, isHidden = false): string =>
  namesOf(action, isHidden)[1].toLowerCase();

export const ACTION_EFFECTS: Readonly<Record<ModerationAction, string>> = {
  remove:
    'The text disappears here at once. Linked boards are asked to remove it, which nobody can force. It can be reinstated for 30 days.',
  reinstate: 'The removed text is shown again.',
  restore_visibility: 'The topic is listed again, regardless of its ratings.',
  hide: 'The topic is in no list; its address still works.',
  keep: 'Nothing changes, and readers can see why.',
  erase:
    'The text is destroyed and cannot come back. Only its hashes stay. For legal reasons only.',
  poll_decision: 'The proposal gets its answer.',
};

export const LEAVES_HIDDEN =
  'Nothing changes, and readers can see why. Nobody has to review it again.';

export const OUTCOME_WORDS: Readonly<Record<PollOutcome, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  deferred: 'Put off',
};

export const STATES: Readonly<
  Record<ModerationState, readonly [words: string, tone: Tone]>
> = {
  visible: ['Visible', 'good'],
  hidden_by_ratings: ['Hidden by ratings', 'warn'],
  hidden_by_decision: ['Hidden by decision', 'warn'],
  restored: ['Shown again', 'good'],
  removed: ['Removed', 'bad'],
  erased: ['Erased', 'bad'],
};

/** Codes of the trail that are no words for its readers (docs/glossary.md). */
const SPOKEN = new Map<string, string>([
  ...MODERATION_ACTIONS.map((it) => [it, todo(it).toLowerCase()] as const),
  ['subject', 'item'],
  ['unclaim', 'release'],
  ['report.settle', 'report: dismiss'],
  ['watch', 'watch rule'],
  ['view', 'saved view'],
  ['peer', 'linked board'],
  ['notification', 'channel'],
  ['usefulness', 'usefulness report'],
  ['credential', 'sign-in method'],
  ['setup', 'set-up'],
  ['sign_in', 'sign-in'],
  ['step_up', 'confirmation'],
  ['totp', 'authenticator app'],
  ['recovery', 'recovery codes'],
  ['revoke', 'end'],
  ['revoke_session', 'end session'],
  ['revoke_others', 'end others'],
]);
const CODES = new Map([
  ...[...SPOKEN].map(([code, said]) => [said, code] as const),
  [todo('hide', true).toLowerCase(), 'hide'],
]);

/** `Message 12` of `message:12`, `Message 12 of oak.example` of a mirrored one. */
export function named(subject: string): string {
  if (subject.startsWith('mirrored:')) return capital(subjectWords(subject));
  const [kind = '', ...rest] = subject.split(':');
  const code = rest.join(':');
  const name = kind === 'alert' ? alertName(code).toLowerCase() : code;
  return capital(`${SPOKEN.get(kind) ?? kind} ${name}`);
}

/** `message:12` of `Message 12`; a code stays. */
export function subjectOf(typed: string): string {
  const [, id, board] = /^message (\d+) of (.+)$/i.exec(typed) ?? [];
  if (board !== undefined) return `mirrored:${id}@${board}`;
  const low = typed.toLowerCase();
  const said = [...CODES.keys()].find((it) => low.startsWith(`${it} `));
  const kind = said ?? /^\w+(?= .)/.exec(low)?.[0];
  if (kind === undefined) return typed;
  const name = typed.slice(kind.length + 1);
  const code = CODES.get(kind) ?? kind;
  return `${code}:${code === 'alert' ? alertCode(name) : name}`;
}

/** `Item: release` of `subject.unclaim`. */
export const saidOf = (action: string, staysHidden = false): string =>
  staysHidden
    ? `Decision: ${todo('hide', true).toLowerCase()}`
    : plain(
        SPOKEN.get(action) ??
          action
            .split('.')
            .map((part) => SPOKEN.get(part) ?? part)
            .join(': '),
      );

/** `subject.unclaim` of `Item: release`; a code stays. */
export function actionOf(typed: string): string {
  const low = typed.toLowerCase();
  const parts = low.split(': ');
  return (
    CODES.get(low) ??
    parts.map((part) => CODES.get(part) ?? part.replaceAll(' ', '_')).join('.')
  );
}

/** A value of the trail, for its readers. */
export function shownValue(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(shownValue).join(', ') || 'none';
  if (typeof value === 'object') {
    const members = Object.entries(value ?? {});
    return members
      .map(([name, it]) => `${memberOf(name).toLowerCase()}: ${shownValue(it)}`)
      .join(', ');
  }
  const text = String(value);
  if (isAction(text)) return todo(text);
  return /^[a-z]+(?:_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

const isAction = (text: string): text is ModerationAction =>
  (MODERATION_ACTIONS as readonly string[]).includes(text);

/** `Take over` of `takeOver`. */
export const memberOf = (name: string): string =>
  plain(name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`));

/** A board's sentence about a field, whose name is the machine's. */
export const spoken = (detail: string): string =>
  detail.replace(/^`([\w.]+)`/, (_, name: string) => memberOf(name));

/** The same, beside the field. */
export const spokenAt = (detail: string): string =>
  capital(detail.replace(/^`[\w.]+` /, ''));

const capital = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1);

/** For names such as `rating_visibility`. */
export const plain = (word: string): string =>
  capital(word.replaceAll('_', ' '));
