export {
  type Alert,
  type AlertKind,
  clearAlert,
  endProxyAlert,
  openAlerts,
  raiseAlert,
} from './alerts.js';
export {
  type BackupNote,
  backupNote,
  backupsOf,
  isOverdue,
} from './backup/backup-notes.js';
