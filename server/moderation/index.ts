import type { Mirrors } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { listDecisions, listedDecision } from './list-decisions.js';
import { readDecisions } from './read-decisions.js';
import { fileReport } from './reports/file-report.js';
import { readReport } from './reports/read-report.js';

export const moderationEndpoints: readonly Endpoint[] = [
  listDecisions,
  readDecisions,
];

export const moderationSchemas = schemas;

export const reportEndpoints: readonly Endpoint<
  Context & { readonly mirrors: Mirrors }
>[] = [fileReport, readReport];

export type { ListedDecision, PublicDecision } from './answers.js';

export { CLAIM_MS, endClaims, reviewReports } from './claims.js';
export { decidePoll } from './decide-poll.js';
export { ordered } from './decision-order.js';
export {
  CARD_MESSAGE,
  decisionLog,
  type LoggedDecision,
  type Removal,
  removalsOf,
} from './decisions.js';
export {
  eraseMessage,
  hideTopic,
  keepMessage,
  type RemovalBoard,
  reinstateMessage,
  removeMessage,
  restoreTopic,
} from './moderate-message.js';
export {
  type ModerationState,
  moderationState,
  type StateRow,
} from './read-decisions.js';
export {
  type DecisionInput,
  newestDecision,
  publicDecision,
  type SeenDecision,
} from './record-decision.js';
export {
  eraseSealed,
  SEALED_MS,
  sealContents,
  unsealContent,
} from './removed-content.js';
export { changeReports } from './reports/change-reports.js';
export { fileMatches, type Match, uuidOf } from './reports/file-matches.js';
export { reportForm, takeReport } from './reports/file-report.js';
export { reportStatus } from './reports/read-report.js';
export {
  type ReportReceipt,
  reportRequest,
} from './reports/report.js';
export {
  mirroredSubject,
  reportsOn,
  SUBJECT_NAME,
  subjectName,
} from './subject-name.js';
export { listedDecision };
