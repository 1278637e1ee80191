import type { DeliverySeen } from '../../../server/dashboard/commands/deliveries.js';
import type { ChannelSeen } from '../../../server/dashboard/commands/notifications.js';
import { plain } from '../../parts/words.js';

export type Kind = ChannelSeen['kinds'][number];
export type Way = ChannelSeen['way'];

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  report: 'New report',
  appeal: 'New appeal',
  alert: 'Alert',
  peer_quarantined: 'Linked board quarantined',
  backup_overdue: 'Backup overdue',
};
export const KINDS = Object.keys(KIND_WORDS) as Kind[];

export const WAY_WORDS: Readonly<Record<Way, string>> = {
  email: 'E-mail',
  webhook: 'Webhook',
  browser: 'Open dashboard',
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

export function faultOf({ error }: DeliverySeen): string {
  return error === null ? '' : (FAULTS[error] ?? `${plain(error)}.`);
}
