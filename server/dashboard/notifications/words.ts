import type { NotificationKind } from '../../db/states.js';

/** What an e-mail and a browser say: what happened, and nothing of it. */
export const NOTIFICATION_WORDS: Readonly<Record<NotificationKind, string>> = {
  report: 'A new report',
  appeal: 'A new appeal',
  alert: 'An alert',
  peer_quarantined: 'A linked board was quarantined',
  backup_overdue: 'No verified backup in the last 26 hours',
};

/** Alerts whose code is no name for its readers. */
const ALERT_NAMES: Readonly<Record<string, string>> = {
  own_key_compromise: 'Log key misused',
  unresolved_view: 'Two views of a log',
  removal_unacked: 'Removal not acknowledged',
  log_guard: 'Writes are closed',
  backup_unverified: 'No verified backup',
  proxy_without_client: 'Proxy hides its clients',
};

export function alertName(kind: string): string {
  const words = kind.replace(/^peer/, 'linked board').replaceAll('_', ' ');
  return ALERT_NAMES[kind] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The kind of that name in any case; a code stays. */
export function alertCode(name: string): string {
  const low = name.toLowerCase();
  const named = Object.entries(ALERT_NAMES);
  const found = named.find(([, words]) => words.toLowerCase() === low);
  const code = low.replace(/^linked board/, 'peer').replaceAll(' ', '_');
  return found?.[0] ?? code;
}
