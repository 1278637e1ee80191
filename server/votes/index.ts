import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { castVote } from './cast-vote.js';
import { previewRequest, previewVote } from './preview-vote.js';

/** spec/board.md §6.1, §6.2 */
export const voteEndpoints: readonly Endpoint[] = [previewVote, castVote];

export const voteSchemas = {
  ...schemas,
  RatingPreviewRequest: previewRequest,
};

export { type NewVote, recordVote } from './record-vote.sql.js';
