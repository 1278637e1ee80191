import type { Endpoint } from '../http/endpoint.js';
import { schemas } from './answers.js';
import { castRating, castRequest } from './cast-vote.js';
import { previewRating, previewRequest } from './preview-vote.js';

/** Message ratings (spec/board.md §6.1, §6.2). */
export const voteEndpoints: readonly Endpoint[] = [previewRating, castRating];

/** Their bodies and answers, by the names of the machine description. */
export const voteSchemas = {
  ...schemas,
  RatingPreviewRequest: previewRequest,
  RatingRequest: castRequest,
};
