import type {
  ChannelSeen,
  DeliverySeen,
} from '../../../server/dashboard/schemas/notifications.js';
import { plain } from '../../parts/words.js';

export type Kind = ChannelSeen['kinds'][number];
export type Way = ChannelSeen['way'];

/** What an operator can be notified of. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  report: 'New report',
  appeal: 'New appeal',
  alert: 'Alert',
  peer_quarantined: 'Peer quarantined',
  backup_overdue: 'Backup overdue',
  claim_old: 'Claim older than a day',
};
export const KINDS = Object.keys(KIND_WORDS) as Kind[];

export const WAY_WORDS: Readonly<Record<Way, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  browser: 'Open dashboard',
};

export const DIGEST_WORDS: Readonly<Record<string, string>> = {
  '0': 'At once',
  '60': 'Collected for an hour',
  '1440': 'Collected for a day',
};

const FAULTS: Readonly<Record<string, string>> = {
  address_refused: 'The address is not public.',
  redirected: 'The receiver redirects.',
  timeout: 'The receiver did not answer in time.',
  unreachable: 'The receiver cannot be reached.',
  smtp_not_set: 'SMTP_URL is not set.',
  operator_has_no_right: 'The account is disabled, or may not.',
  secret_of_another_seed: 'The seed was replaced; make a new secret.',
};

/** Why a delivery failed. */
export function faultOf({ error }: DeliverySeen): string {
  return error === null ? '' : (FAULTS[error] ?? `${plain(error)}.`);
}

/** `22:30` as minutes after midnight, and back. */
export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

export function clockOf(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
