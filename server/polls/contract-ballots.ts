import { community } from '../community.js';
import {
  EXAMPLE_TICKET,
  EXAMPLE_UUID,
  exampleSteps,
} from '../openapi/examples.js';
import {
  type Operation,
  ok,
  post,
  type Setting,
} from '../openapi/operation.js';
import { naturalNumber } from '../openapi/scalars.js';
import { NOTHING_PUBLISHED } from '../openapi/two-step.js';
import { schemas } from './answers.js';
import { castRequest } from './cast-ballot.js';
import { previewRequest } from './preview-ballot.js';

export const pollId = naturalNumber.describe('The ID of a poll.').meta({
  examples: [3],
});

export const EXAMPLE_TALLY = {
  counts: [0, 1],
  voters: 1,
  result: null,
  winner: null,
};

/** The two steps of a ballot (spec/board.md §6.1 and §6.2). */
export function ballotOperations(setting: Setting): Operation[] {
  return [preview(setting), cast()];
}

function preview({ baseUrl }: Setting): Operation {
  return post({
    path: '/api/polls/{id}/votes/preview',
    id: 'previewBallot',
    tag: 'Polls',
    summary: 'Prepare a ballot',
    description:
      'Gives a challenge and a ticket for one of the options, exactly as the poll writes it. Never answers 409: a closed poll or a standing ballot is for casting to say.',
    params: { id: pollId },
    body: {
      schema: previewRequest,
      example: { option: 'ARC', request_id: EXAMPLE_UUID },
    },
    answers: ok('The preview.', schemas.BallotPreview, {
      status: NOTHING_PUBLISHED,
      request_id: EXAMPLE_UUID,
      public_ballot: { poll_id: 3, option: 'ARC' },
      ...exampleSteps(`${baseUrl}/api/polls/3/votes`),
      community: community(baseUrl),
    }),
    errors: ['poll_not_found'],
    spends: [
      'ballot_previews_per_network_hour',
      'ballot_previews_per_board_minute',
    ],
  });
}

function cast(): Operation {
  const done = {
    poll_id: 3,
    option: 'ARC',
    status: 'published',
    tally: EXAMPLE_TALLY,
  };
  return post({
    path: '/api/polls/{id}/votes',
    id: 'castBallot',
    tag: 'Polls',
    summary: 'Cast a previewed ballot, finally',
    description:
      'The filled `publish.json_template` of the preview. Every request spends one attempt, only a new ballot a ballot.',
    params: { id: pollId },
    body: {
      schema: castRequest,
      example: { ticket: EXAMPLE_TICKET, answer: '65-harbor' },
    },
    answers: {
      201: {
        description: 'Counted.',
        json: { schema: schemas.CastBallot, example: done },
      },
      200: {
        description: 'Counted before.',
        json: {
          schema: schemas.CastBallot,
          example: { ...done, status: 'already_voted' },
        },
      },
    },
    errors: [
      'ticket_invalid',
      'ticket_expired',
      'wrong_answer',
      'poll_not_found',
      'request_id_conflict',
      'already_voted',
      'poll_closed',
      'network_changed',
      'challenge_locked',
    ],
    spends: [
      'ballot_attempts_per_network_minute',
      'ballot_attempts_per_board_minute',
      'ballots_per_network_minute',
      'ballots_per_network_hour',
      'ballots_per_board_minute',
    ],
  });
}
