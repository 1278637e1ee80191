import type { RelayPort } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
import type { Endpoint } from '../http/endpoint.js';
import type { Setting } from '../http/openapi/operation.js';
import { schemas } from './answers.js';
import { previewMessage } from './preview.js';
import { publishMessage, publishRequest } from './publish.js';
import { budgetsRead, readBudgets } from './read-budgets.js';
import { previewRequest } from './submission.js';

/** spec/board.md §4, §5 */
export const writeEndpoints: readonly Endpoint<
  Context & { relay: RelayPort }
>[] = [previewMessage, publishMessage, readBudgets];

export const writeSchemas = ({ limits }: Setting) => ({
  ...schemas,
  BudgetsRead: budgetsRead,
  PreviewRequest: previewRequest(limits),
  PublishRequest: publishRequest,
});

export { budgetRefusal } from './budgets.js';
export { type Draft, makeDraft, type Parent } from './draft.js';
export { insertMessages, textIndex } from './insert-messages.sql.js';
export { noSuchTarget } from './preview-facts.js';
export { MESSAGE_LIMITS } from './publish.js';
export {
  payers,
  relayChecks,
  unissued,
  type WriteTicket,
  writeSpends,
} from './publish-facts.js';
export {
  type Publisher,
  publishJob,
  type Relayed,
} from './publish-job.js';
export {
  alreadyPublished,
  type PublishResult,
  receiptOf,
  requestConflict,
} from './receipt.js';
export { keyRefusal, signedNote } from './signing.js';
export {
  contentIdentity,
  type PreviewRequest,
  previewFields,
  previewRequest,
  type Submission,
  submissionOf,
} from './submission.js';
