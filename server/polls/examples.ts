import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { messageUrl } from '../http/urls.js';
import { votingAction } from './poll-view.js';

export const EXAMPLE_TALLY = {
  counts: [0, 1],
  voters: 1,
  result: null,
  winner: null,
};

export function examplePoll(baseUrl: string) {
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
