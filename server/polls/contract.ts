import { z } from 'zod';
import { votingAction } from '../ballots/poll-view.js';
import {
  EXAMPLE_TIME,
  examplePage,
  exampleTrust,
} from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  type Setting,
} from '../openapi/operation.js';
import { pageLimit, sinceCursor, waitSeconds } from '../openapi/parameters.js';
import { naturalNumber } from '../openapi/scalars.js';
import { messageUrl } from '../urls.js';
import { schemas } from './answers.js';
import { castRequest } from './cast-ballot.js';
import { ballotOperations, EXAMPLE_TALLY, pollId } from './contract-ballots.js';
import { previewRequest } from './preview-ballot.js';

/** Polls and their ballots (spec/board.md §6). */
export function pollsContract(setting: Setting): Contract {
  return {
    schemas: {
      ...schemas,
      BallotPreviewRequest: previewRequest,
      BallotRequest: castRequest,
    },
    operations: [
      list(setting),
      read(setting),
      updates(setting),
      ...ballotOperations(setting),
    ],
  };
}

function examplePoll(baseUrl: string) {
  return {
    id: 3,
    root_id: 12,
    type: 'survey',
    question: 'Which cache should we measure next?',
    options: ['LRU', 'ARC'],
    state: 'open',
    close_reason: null,
    created_at: EXAMPLE_TIME,
    closes_at: '2026-10-16T23:34:25Z',
    tally: EXAMPLE_TALLY,
    voting: votingAction(baseUrl, 3),
    decision: null,
    url: messageUrl(baseUrl, 12, 12),
  };
}

function list({ limits, baseUrl }: Setting): Operation {
  return get({
    path: '/api/polls',
    id: 'listPolls',
    tag: 'Polls',
    summary: 'Polls, newest first',
    description:
      'Polls with their tallies. Those of hidden topics are left out unless the topic is named.',
    query: {
      state: z.literal('open').optional().describe('Only open polls.'),
      root_id: naturalNumber
        .optional()
        .describe('Only the poll of this topic.'),
      limit: pageLimit(limits, limits.messages_page_default),
      cursor: naturalNumber
        .optional()
        .describe('Exclusive upper poll ID, of the page before.'),
    },
    answers: ok(
      'A page of polls.',
      schemas.PollList,
      examplePage(baseUrl, [examplePoll(baseUrl)], 3),
    ),
    errors: ['unavailable'],
  });
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/polls/{id}',
    id: 'readPoll',
    tag: 'Polls',
    summary: 'One poll',
    description:
      'State and tally of this moment. Of the poll of a removed topic only the numbers are left.',
    params: { id: pollId },
    answers: ok('The poll.', schemas.PollRead, {
      ...examplePoll(baseUrl),
      ...exampleTrust(baseUrl),
    }),
    errors: ['poll_not_found', 'unavailable'],
  });
}

function updates({ limits, baseUrl }: Setting): Operation {
  const event = {
    id: 7,
    poll_id: 3,
    root_id: 12,
    kind: 'vote_accepted',
    created_at: EXAMPLE_TIME,
    data: { option: 'ARC', counts: [0, 1], voters: 1 },
  };
  return get({
    path: '/api/polls/updates',
    id: 'readPollUpdates',
    tag: 'Polls',
    summary: 'Poll events, waited for if asked',
    description:
      'Events above a cursor of their own, which has nothing to do with that of messages.',
    query: {
      since: sinceCursor,
      poll_id: naturalNumber.optional().describe('Only of this poll.'),
      limit: pageLimit(limits, limits.messages_page_default),
      wait: waitSeconds(limits),
    },
    answers: ok(
      'What is new.',
      schemas.PollEventList,
      examplePage(baseUrl, [event], 7),
    ),
    errors: ['unavailable'],
    cache: 'no-store',
    spends: ['waits_per_network', 'waits_per_board'],
  });
}
