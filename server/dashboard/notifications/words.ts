import type { NotificationKind } from '../../db/states.js';

/** What an e-mail and a browser say: what happened, and nothing of it. */
export const NOTIFICATION_WORDS: Readonly<Record<NotificationKind, string>> = {
  report: 'A new report',
  appeal: 'A new appeal',
  alert: 'An alert',
  peer_quarantined: 'A linked board was quarantined',
  backup_overdue: 'No verified backup in the last 26 hours',
};
