import { BudgetHead } from '../../../server/db/entities/budget.js';
import { givenBoard } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import {
  expectRefusal,
  invalid,
  tooLong,
  unknown,
} from '../posting/refusals.js';
import { PROPOSAL, SURVEY, UNLIMITED } from './polling.js';

const ASTRAL = '\u{1f600}';
const EIGHT = ['1', '2', '3', '4', '5', '6', '7', '8'];
const survey = (changed: object) => ({ ...SURVEY, ...changed });
const proposal = (changed: object) => ({
  ...PROPOSAL,
  proposal: { kind: 'rule', summary: 'x', ...changed },
});

/** What is sent as `poll`, and the field that is no value, by its path. */
const INVALID: [string, unknown, string][] = [
  ['no object', 'Which?', ''],
  ['null', null, ''],
  ['a list', [SURVEY], ''],
  ['nothing', {}, '.question'],
  ['no question', { options: ['a', 'b'] }, '.question'],
  ['a blank question', survey({ question: ' \u200b\n' }), '.question'],
  ['a number to ask', survey({ question: 1 }), '.question'],
  ['no options', { question: 'Q?' }, '.options'],
  ['one option', survey({ options: ['a'] }), '.options'],
  ['nine options', survey({ options: [...EIGHT, '9'] }), '.options'],
  ['a repeated option', survey({ options: ['a', 'b', 'a'] }), '.options'],
  [
    'a blank more in an option',
    survey({ options: ['Yes', 'Yes '] }),
    '.options',
  ],
  ['other case alone', survey({ options: ['No', 'yes', 'Yes'] }), '.options'],
  ['other forms alone', survey({ options: ['\u00e9', 'e\u0301'] }), '.options'],
  ['what nobody sees', survey({ options: ['a', 'a\u200b'] }), '.options'],
  ...[
    ['Yes', '\u00a0Yes'],
    ['a b', 'a\nb'],
    ['a  b', 'a\u2003b'],
    ['Yes', '\uff39\uff45\uff53'],
    ['Yes', 'Ye\u00ads'],
    ['Yes', '\u200eYes'],
    ['Yes', 'Yes\u3164'],
    ['Stra\u00dfe', 'STRASSE'],
    ['1', 'other', '\u2460'],
    ['\u{1f44d}', '\u{1f44d}\ufe0f'],
  ].map((options): [string, unknown, string] => [
    `the same look in ${JSON.stringify(options)}`,
    survey({ options }),
    '.options',
  ]),
  ['a blank option', survey({ options: ['a', '\u00a0'] }), '.options'],
  ['a number to choose', survey({ options: ['a', 2] }), '.options'],
  ['options as text', survey({ options: 'a,b' }), '.options'],
  ['23 hours', survey({ duration_hours: 23 }), '.duration_hours'],
  ['721 hours', survey({ duration_hours: 721 }), '.duration_hours'],
  ['half an hour', survey({ duration_hours: 24.5 }), '.duration_hours'],
  ['hours as text', survey({ duration_hours: '24' }), '.duration_hours'],
  ['no hours', survey({ duration_hours: null }), '.duration_hours'],
  ['an unknown type', survey({ type: 'quiz' }), '.type'],
  ['a proposal without one', { ...PROPOSAL, proposal: undefined }, '.proposal'],
  ['a proposal of no kind', proposal({ kind: undefined }), '.proposal.kind'],
  ['a proposal of another kind', proposal({ kind: 'law' }), '.proposal.kind'],
  ['no summary', proposal({ summary: undefined }), '.proposal.summary'],
  ['a blank summary', proposal({ summary: '' }), '.proposal.summary'],
];
const TOO_LONG: [string, unknown, string][] = [
  ['a question', survey({ question: ASTRAL.repeat(181) }), '.question'],
  ['an option', survey({ options: ['a', ASTRAL.repeat(81)] }), '.options'],
  ['a summary', proposal({ summary: 'x'.repeat(501) }), '.proposal.summary'],
];
const UNKNOWN: [string, unknown, string][] = [
  ['an end', survey({ closes_at: 'x' }), '.closes_at'],
  ['a proposal in a survey', survey({ proposal: proposal({}) }), '.proposal'],
  ['options of a proposal', { ...PROPOSAL, options: ['a', 'b'] }, '.options'],
  ['more of a proposal', proposal({ by: 'y' }), '.proposal.by'],
];
const nul = (field: string) => ({
  ...invalid(field),
  error: 'invalid_unicode',
});
const REFUSED = [
  ['as no value', INVALID, invalid],
  ['as too long', TOO_LONG, tooLong],
  ['as unknown', UNKNOWN, unknown],
  ['as text', [['NUL', survey({ options: ['a', 'b\0'] }), '.options']], nul],
] as const;

const longest = {
  question: ASTRAL.repeat(180),
  options: EIGHT.map((digit) => digit + ASTRAL.repeat(79)),
  duration_hours: 720,
};
const ALIKE = {
  question: ' Q ',
  options: [
    '\u00e9',
    'e',
    ' A',
    'a b',
    'ab ',
    'ab.',
    '\u{1f44d}',
    '\u{1f44d}\u{1f3fd}',
  ],
};
const shown = { type: 'survey', duration_hours: 720 };

/** As sent → `public_poll`. */
const ACCEPTED: [string, object, object][] = [
  ['a survey', SURVEY, survey(shown)],
  ['a survey that says so', survey({ type: 'survey' }), survey(shown)],
  ['the longest survey', longest, { ...shown, ...longest }],
  [
    'the shortest time',
    survey({ duration_hours: 24 }),
    survey({ ...shown, duration_hours: 24 }),
  ],
  [
    'options with blanks, and accents that make others of them',
    ALIKE,
    { ...shown, ...ALIKE },
  ],
  [
    'a proposal',
    PROPOSAL,
    {
      ...{ ...PROPOSAL, duration_hours: 720 },
      options: ['support', 'oppose', 'abstain'],
    },
  ],
];

describe('the poll of POST /write/preview', () => {
  const test = givenBoard({ limits: UNLIMITED });
  const topic = 1; // the board's first message

  before(() => publish(test));

  for (const [as, cases, refusal] of REFUSED) {
    for (const [name, poll, path] of cases) {
      it(`is refused ${as}: ${name}`, async () => {
        expectRefusal(await preview(test, { poll }), refusal(`poll${path}`));
      });
    }
  }

  for (const [name, poll, expected] of ACCEPTED) {
    it(`is shown exactly: ${name}`, async () => {
      const { body } = await preview(test, { poll }).expect(200);
      expect(body.public_poll).to.deep.equal(expected);
    });
  }

  it('is no part of a preview without one', async () => {
    const { body } = await preview(test, {});
    expect(body).not.to.have.property('public_poll');
  });

  const onReply = {
    status: 400,
    error: 'poll_not_allowed_on_reply',
    field: 'poll',
  };

  it('is refused on a reply before anything is spent', async () => {
    const spent = () =>
      rows(test).sum(BudgetHead, 'total', { scope: 'preview' });
    const before = await spent();
    const reply = { reply_to: topic, poll: SURVEY };
    expectRefusal(await preview(test, reply), onReply);
    expect(await spent()).to.equal(before);
  });

  it('is refused on a topic that the funnel rule makes a reply', async () => {
    const body = 'On black  lives matter.';
    await preview(test, { body, poll: SURVEY }).expect(200);
    await publish(test, { body });
    expectRefusal(await preview(test, { body, poll: SURVEY }), onReply);
  });
});
