import { community } from '../community.js';
import { EXAMPLE_TICKET, exampleSteps } from '../openapi/examples.js';
import {
  type Contract,
  type Operation,
  ok,
  post,
  type Setting,
} from '../openapi/operation.js';
import { anyId } from '../openapi/parameters.js';
import { castRating, NOTHING_PUBLISHED } from '../openapi/two-step.js';
import { schemas } from './answers.js';
import { castRequest } from './cast-vote.js';
import { previewRequest } from './preview-vote.js';

/** Message ratings (spec/board.md §6.1, §6.2). */
export function votesContract(setting: Setting): Contract {
  return {
    schemas: {
      ...schemas,
      RatingPreviewRequest: previewRequest,
      RatingRequest: castRequest,
    },
    operations: [previewOperation(setting), castOperation(setting)],
  };
}

function previewOperation({ baseUrl }: Setting): Operation {
  const url = `${baseUrl}/api/messages/15/votes`;
  return post({
    path: '/api/messages/{id}/votes/preview',
    id: 'previewRating',
    tag: 'Ratings',
    summary: 'Prepare a rating',
    description:
      'Gives a challenge and a ticket for +1 or -1. A vote of 0 is answered `skipped` without looking at the message. Spends nothing and never answers 409.',
    params: { id: anyId },
    body: { schema: previewRequest, example: { vote: 1 } },
    answers: ok(
      'The preview, or that there is nothing to rate.',
      schemas.RatingPreviewAnswer,
      {
        status: NOTHING_PUBLISHED,
        public_vote: { message_id: 15, vote: 1 },
        ...exampleSteps(url),
        community: community(baseUrl),
      },
    ),
    errors: ['message_not_found'],
  });
}

function castOperation(_: Setting): Operation {
  const cast = { message_id: 15, vote: 1, score: 3, status: 'published' };
  return post({
    path: '/api/messages/{id}/votes',
    id: 'castRating',
    tag: 'Ratings',
    summary: 'Cast a previewed rating, finally',
    description:
      'The filled `publish.json_template` of the preview. One rating per network and message counts for ever: the same choice again answers 200, the opposite one 409 with what counts in `current`. Spends nothing.',
    params: { id: anyId },
    body: {
      schema: castRequest,
      example: { ticket: EXAMPLE_TICKET, answer: '65-harbor' },
    },
    answers: {
      201: {
        description: 'Counted.',
        json: { schema: castRating, example: cast },
      },
      200: {
        description: 'Counted before.',
        json: {
          schema: castRating,
          example: { ...cast, status: 'already_voted' },
        },
      },
    },
    errors: [
      'ticket_invalid',
      'ticket_expired',
      'wrong_answer',
      'message_not_found',
      'already_voted',
      'network_changed',
      'challenge_locked',
    ],
  });
}
