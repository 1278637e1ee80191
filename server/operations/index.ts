export { ALERT_KINDS, ALERTS, type AlertKind } from './alert-kinds.js';
export {
  type Alert,
  clearAlert,
  endProxyAlert,
  openAlerts,
  raiseAlert,
  settleAlert,
  standingAlerts,
} from './alerts.js';
export {
  type BackupNote,
  backupNote,
  backupsOf,
  isOverdue,
} from './backup/backup-notes.js';
export { certificateEnd } from './certificate.js';
export { freeDisk, isLow } from './disk.js';
export { PROBLEM_NAMES, unreadiness } from './health.js';
export { withAdvisoryLock } from './jobs/job-lock.sql.js';
export type { Job } from './jobs/jobs.js';
export { isSupportedNode, nodeWarning } from './node-version.js';
