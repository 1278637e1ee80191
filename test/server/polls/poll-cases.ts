import type { Refusal } from '../posting/refusals.js';
import { PROPOSAL, SURVEY } from './polling.js';

const ASTRAL = '\u{1f600}';

const invalid = (field: string): Refusal => ({
  status: 400,
  error: 'invalid_input',
  field,
});
const unknown = (field: string): Refusal => ({
  status: 400,
  error: 'unknown_field',
  field,
});
const tooLong = (field: string): Refusal => ({
  status: 422,
  error: 'too_long',
  field,
});

const eight = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** What is sent as `poll`, and its refusal. */
export const REFUSED: [string, unknown, Refusal][] = [
  ['no object', 'Which?', invalid('poll')],
  ['null', null, invalid('poll')],
  ['a list', [SURVEY], invalid('poll')],
  ['nothing', {}, invalid('poll.question')],
  ['no question', { options: ['a', 'b'] }, invalid('poll.question')],
  [
    'a blank question',
    { ...SURVEY, question: ' \u200b\n' },
    invalid('poll.question'),
  ],
  ['a number to ask', { ...SURVEY, question: 1 }, invalid('poll.question')],
  [
    'a long question',
    { ...SURVEY, question: ASTRAL.repeat(181) },
    tooLong('poll.question'),
  ],
  ['no options', { question: 'Q?' }, invalid('poll.options')],
  ['one option', { ...SURVEY, options: ['a'] }, invalid('poll.options')],
  [
    'nine options',
    { ...SURVEY, options: [...eight, '9'] },
    invalid('poll.options'),
  ],
  [
    'options that differ by a blank at the end only',
    { ...SURVEY, options: ['Yes', 'Yes '] },
    invalid('poll.options'),
  ],
  [
    'options that differ by case only',
    { ...SURVEY, options: ['No', 'yes', 'Yes'] },
    invalid('poll.options'),
  ],
  [
    'options that differ by their compatible forms only',
    { ...SURVEY, options: ['\u00e9', 'e\u0301'] },
    invalid('poll.options'),
  ],
  [
    'options that differ by what nobody sees only',
    { ...SURVEY, options: ['a', 'a\u200b'] },
    invalid('poll.options'),
  ],
  [
    'a repeated option',
    { ...SURVEY, options: ['a', 'b', 'a'] },
    invalid('poll.options'),
  ],
  [
    'a blank option',
    { ...SURVEY, options: ['a', '\u00a0'] },
    invalid('poll.options'),
  ],
  [
    'a number to choose',
    { ...SURVEY, options: ['a', 2] },
    invalid('poll.options'),
  ],
  ['options as text', { ...SURVEY, options: 'a,b' }, invalid('poll.options')],
  [
    'a long option',
    { ...SURVEY, options: ['a', ASTRAL.repeat(81)] },
    tooLong('poll.options'),
  ],
  [
    '23 hours',
    { ...SURVEY, duration_hours: 23 },
    invalid('poll.duration_hours'),
  ],
  [
    '721 hours',
    { ...SURVEY, duration_hours: 721 },
    invalid('poll.duration_hours'),
  ],
  [
    'half an hour',
    { ...SURVEY, duration_hours: 24.5 },
    invalid('poll.duration_hours'),
  ],
  [
    'hours as text',
    { ...SURVEY, duration_hours: '24' },
    invalid('poll.duration_hours'),
  ],
  [
    'no hours',
    { ...SURVEY, duration_hours: null },
    invalid('poll.duration_hours'),
  ],
  [
    'an unknown field',
    { ...SURVEY, closes_at: 'x' },
    unknown('poll.closes_at'),
  ],
  ['an unknown type', { ...SURVEY, type: 'quiz' }, invalid('poll.type')],
  [
    'a survey with a proposal',
    { ...SURVEY, proposal: PROPOSAL.proposal },
    unknown('poll.proposal'),
  ],
  [
    'a proposal with options',
    { ...PROPOSAL, options: ['a', 'b'] },
    unknown('poll.options'),
  ],
  [
    'a proposal without one',
    { type: 'proposal', question: 'Q?' },
    invalid('poll.proposal'),
  ],
  [
    'a proposal of no kind',
    { ...PROPOSAL, proposal: { summary: 'x' } },
    invalid('poll.proposal.kind'),
  ],
  [
    'a proposal of another kind',
    { ...PROPOSAL, proposal: { kind: 'law', summary: 'x' } },
    invalid('poll.proposal.kind'),
  ],
  [
    'a proposal without summary',
    { ...PROPOSAL, proposal: { kind: 'rule' } },
    invalid('poll.proposal.summary'),
  ],
  [
    'a blank summary',
    { ...PROPOSAL, proposal: { kind: 'rule', summary: '' } },
    invalid('poll.proposal.summary'),
  ],
  [
    'a long summary',
    { ...PROPOSAL, proposal: { kind: 'rule', summary: 'x'.repeat(501) } },
    tooLong('poll.proposal.summary'),
  ],
  [
    'more about a proposal',
    { ...PROPOSAL, proposal: { kind: 'rule', summary: 'x', by: 'y' } },
    unknown('poll.proposal.by'),
  ],
  [
    'NUL',
    { ...SURVEY, options: ['a', 'b\0'] },
    { status: 400, error: 'invalid_unicode', field: 'poll.options' },
  ],
];

const longest = {
  question: ASTRAL.repeat(180),
  options: eight.map((digit) => digit + ASTRAL.repeat(79)),
  duration_hours: 720,
};

/** As sent → `public_poll`. */
export const ACCEPTED: [string, object, object][] = [
  ['a survey', SURVEY, { type: 'survey', ...SURVEY, duration_hours: 720 }],
  [
    'a survey that says so',
    { type: 'survey', ...SURVEY },
    { type: 'survey', ...SURVEY, duration_hours: 720 },
  ],
  ['the longest survey', longest, { type: 'survey', ...longest }],
  [
    'the shortest time',
    { ...SURVEY, duration_hours: 24 },
    { type: 'survey', ...SURVEY, duration_hours: 24 },
  ],
  [
    'options with blanks, and accents that make others of them',
    { question: ' Q ', options: ['\u00e9', 'e', ' A', 'a b', 'ab '] },
    {
      type: 'survey',
      question: ' Q ',
      options: ['\u00e9', 'e', ' A', 'a b', 'ab '],
      duration_hours: 720,
    },
  ],
  [
    'a proposal',
    PROPOSAL,
    {
      type: 'proposal',
      question: PROPOSAL.question,
      options: ['support', 'oppose', 'abstain'],
      proposal: PROPOSAL.proposal,
      duration_hours: 720,
    },
  ],
];
