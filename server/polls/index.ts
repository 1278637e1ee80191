import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { castBallot, castRequest } from './cast-ballot.js';
import { listPolls } from './list-polls.js';
import { readPollUpdates } from './poll-updates.js';
import { previewBallot, previewRequest } from './preview-ballot.js';
import { readPoll } from './read-poll.js';

/**
 * Polls and their ballots (spec/board.md §6). `updates` comes before the path
 * that takes any ID.
 */
export const pollEndpoints: readonly Endpoint[] = [
  listPolls,
  readPollUpdates,
  readPoll,
  previewBallot,
  castBallot,
];

/** Their bodies and answers, by the names of the machine description. */
export const pollSchemas = {
  ...schemas,
  BallotPreviewRequest: previewRequest,
  BallotRequest: castRequest,
};
