import fc from 'fast-check';
import type { Content } from '../../../protocol/content.js';
import { ROOMS } from '../../../protocol/room.js';
import type { Statement } from '../../../protocol/statement.js';

export const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });

export const size = fc.oneof(
  fc.nat({ max: 5000 }),
  fc.maxSafeNat(),
  fc.nat({ max: 52 }).map((power) => 2 ** power),
);

/** Well-formed text of any script, line ends and nulls included. */
export const text = fc.string({ unit: 'binary', maxLength: 40 });

const name = fc.stringMatching(/^[a-z0-9]{1,12}\.example(:[0-9]{1,5})?$/);
export const agent = fc.stringMatching(/^a1[a-z2-7]{32}$/);
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const base = {
  board: name,
  request: fc.uuid(),
  at: fc.maxSafeNat(),
  room: fc.constantFrom(...ROOMS),
  content: bytes(32),
};
const parent = fc.record({ id, hash: bytes(32) });

export const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ ...base, agent: fc.option(agent), parent: fc.option(parent) }),
  fc.record({
    ...base,
    agent,
    parent,
    vote: fc.constantFrom(1 as const, -1 as const),
  }),
);

const survey = fc.record({
  question: text,
  options: fc.array(text, { minLength: 2, maxLength: 8 }),
  duration_hours: fc.nat(),
});
const proposal = fc.record({
  question: text,
  duration_hours: fc.nat(),
  kind: text,
  summary: text,
});

export const content: fc.Arbitrary<Content> = fc.record(
  {
    salt: bytes(16),
    name: text,
    title: text,
    body: text,
    poll: fc.oneof(survey, proposal),
  },
  { requiredKeys: ['salt', 'name', 'body'] },
);
