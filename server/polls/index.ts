import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { castBallot } from './cast-ballot.js';
import { readPollUpdates } from './poll-updates.js';
import { previewBallot, previewRequest } from './preview-ballot.js';
import { listPolls, readPoll } from './read-polls.js';

/** `updates` comes before the path that takes any ID. */
export const pollEndpoints: readonly Endpoint[] = [
  listPolls,
  readPollUpdates,
  readPoll,
  previewBallot,
  castBallot,
];

export const pollSchemas = {
  ...schemas,
  BallotPreviewRequest: previewRequest,
};

export { ballotReceipts } from './ballot-facts.js';
export {
  closeDuePolls,
  type PollText,
  putPollText,
  takePollText,
  voidPoll,
} from './close-poll.js';
export { countOnce } from './count-ballot.js';
export {
  type OpenPolls,
  openPoll,
  openPolls,
  openPollsRefusal,
} from './open-poll.js';
export { poll, pollOutcome, tally } from './poll-answer.js';
export {
  type PollDraft,
  type Proposal,
  pollAgain,
  pollContent,
  pollDraft,
  pollRequest,
  publicPoll,
} from './poll-draft.js';
export { lockPollEvents, recordPollEvent } from './poll-events.sql.js';
export { type PollView, pollViewOf } from './poll-view.js';
export {
  POLL_COLUMNS,
  POLLS,
  type PollRow,
  pollContentOfRoot,
  pollOfRoot,
  type StoredDecision,
} from './polls.sql.js';
