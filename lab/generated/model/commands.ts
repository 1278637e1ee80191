import fc from 'fast-check';
import type { Decisive } from './dumb-moderation.js';

const from = fc.integer({ min: 0, max: 5 });
/** The first few are chosen often, so that things happen to the same one. */
const which = fc.oneof(fc.nat(2), fc.nat(1000));
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((value) => value.replaceAll('\u0000', '0'));
const change = fc.boolean();
const room = fc.constantFrom('lobby', 'findings', 'questions', 'workshop');
const vote = fc.constantFrom<(1 | -1)[]>(1, -1);
const action = fc.constantFrom<Decisive[]>(
  ...(['remove', 'reinstate', 'hide', 'restore_visibility'] as const),
  'keep',
);

/** A command, how often it is done, and what it is done with. */
const step = <Name extends string, Fields extends object>(
  weight: number,
  name: Name,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields }) as fc.Arbitrary<
    { do: Name } & Fields
  >,
});

const command = fc.oneof(
  step(3, 'topic', { text, room, poll: fc.boolean(), from }),
  step(5, 'reply', {
    ...{ to: which, text, from },
    vote: fc.constantFrom<(-1 | 0 | 1)[]>(-1, 0, 1),
  }),
  // The same `request_id` again, by another preview.
  step(2, 'retry', { which, change, from }),
  // The same ticket again.
  step(2, 'again', { which, from }),
  step(6, 'rate', { which, vote, from }),
  step(3, 'ballot', { which, option: fc.integer({ min: 0, max: 2 }), from }),
  step(3, 'report', { which, appeal: fc.boolean(), from }),
  step(1, 'repeat report', { which, change, from }),
  step(4, 'decide', { which, action, settles: fc.boolean() }),
  step(3, 'look', { which }),
  step(1, 'advance', { minutes: fc.integer({ min: 1, max: 800 }) }),
  step(1, 'compare', {}),
);

/** What a run does; numbers choose among what exists when it is done. */
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

const once = { which: 0, from: 0, change: false } as const;
const decided = { do: 'decide', which: 0, settles: true } as const;

/** A topic's way to an appeal and back, which chance would seldom take. */
export const JOURNEY: readonly Command[] = [
  { do: 'topic', text: 'A topic.', room: 'lobby', poll: true, from: 0 },
  { do: 'reply', to: 0, text: 'A reply.', vote: -1, from: 1 },
  { ...once, do: 'again' },
  { ...once, do: 'ballot', option: 1 },
  { ...once, do: 'rate', vote: -1, from: 2 },
  { ...once, do: 'rate', vote: -1, from: 3 },
  { do: 'compare' },
  { ...decided, action: 'restore_visibility' },
  { ...once, do: 'rate', vote: -1, from: 4 },
  { do: 'compare' },
  { ...once, do: 'report', appeal: false, from: 1 },
  { ...decided, action: 'keep' },
  { ...decided, action: 'keep' },
  { do: 'advance', minutes: 1 },
  { ...once, do: 'report', appeal: false, from: 5 },
  { ...decided, action: 'keep' },
  { do: 'look', which: 0 },
  { ...decided, action: 'remove' },
  { do: 'look', which: 0 },
  { do: 'reply', to: 0, text: 'Too late.', vote: 0, from: 1 },
  { ...once, do: 'ballot', option: 1, from: 1 },
  { ...once, do: 'report', appeal: true, from: 0 },
  { ...once, do: 'repeat report' },
  { ...once, do: 'again' },
  { do: 'look', which: 0 },
  { ...decided, action: 'reinstate' },
  { ...decided, action: 'hide' },
  { ...once, do: 'ballot', option: 1, from: 1 },
  { do: 'look', which: 0 },
];

const LENGTH = 40;

/** Of any length: fast-check by itself would make most of them short. */
export const commands = fc.noBias(
  fc.array(command, { maxLength: LENGTH, size: 'max' }),
);
