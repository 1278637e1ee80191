/** What the command line does with peers and with the own log. */
export { logBegin } from './log-begin.js';
export { logNewGeneration } from './log-new-generation.js';
export { logRestore } from './log-restore.js';
export {
  peerAdd,
  peerBlock,
  peerConfirm,
  peerHide,
  peerLimits,
  peerList,
  peerPause,
  peerResume,
  peerTrust,
  policyExport,
  policyImport,
} from './peer.js';
export { askMirrors } from './with-local-board.js';
