import type { Endpoint } from '../http/endpoint.js';
import type { Setting } from '../http/openapi/operation.js';
import { schemas } from './answers.js';
import { listDecisions } from './list-decisions.js';
import { readDecisions } from './read-decisions.js';
import { fileReport } from './reports/file-report.js';
import { readReport } from './reports/read-report.js';
import { report, reportRequest } from './reports/report.js';

export const moderationEndpoints: readonly Endpoint[] = [
  listDecisions,
  readDecisions,
];

export const moderationSchemas = schemas;

export const reportEndpoints: readonly Endpoint[] = [fileReport, readReport];

export const reportSchemas = ({ limits }: Setting) => ({
  Report: report,
  ReportRequest: reportRequest(limits),
});

export type { PublicDecision } from './answers.js';
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
  publicDecision,
} from './record-decision.js';
export {
  countReply,
  eraseSealed,
  SEALED_MS,
  sealContent,
  unsealContent,
} from './removed-content.js';
export { changeReports } from './reports/change-reports.js';
export { fileMatches, type Match } from './reports/file-matches.js';
export { reportForm, takeReport } from './reports/file-report.js';
export { reportStatus } from './reports/read-report.js';
export {
  type ReportReceipt,
  reportRequest,
} from './reports/report.js';
