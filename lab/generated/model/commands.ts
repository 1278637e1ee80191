import fc from 'fast-check';
import type { Decisive } from './dumb-moderation.js';

/** What a run does; numbers choose among what exists when it is done. */
export type Command =
  | { do: 'topic'; text: string; room: string; poll: boolean; from: number }
  | {
      do: 'reply';
      to: number;
      text: string;
      vote: -1 | 0 | 1;
      from: number;
    }
  /** The same `request_id` again, by another preview. */
  | { do: 'retry'; which: number; change: boolean; from: number }
  /** The same ticket again. */
  | { do: 'again'; which: number; from: number }
  | { do: 'rate'; which: number; vote: 1 | -1; from: number }
  | { do: 'ballot'; which: number; option: number; from: number }
  | { do: 'report'; which: number; appeal: boolean; from: number }
  | { do: 'repeat report'; which: number; change: boolean; from: number }
  | { do: 'decide'; which: number; action: Decisive; settles: boolean }
  | { do: 'look'; which: number }
  | { do: 'advance'; minutes: number }
  | { do: 'compare' };

const from = fc.integer({ min: 0, max: 5 });
/** The first few are chosen often, so that things happen to the same one. */
const which = fc.oneof(fc.nat(2), fc.nat(1000));
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((value) => value.replaceAll('\u0000', '0'));
const change = fc.boolean();
const named = <Name extends Command['do']>(name: Name) => fc.constant(name);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: named('topic'),
      text,
      room: fc.constantFrom('lobby', 'findings', 'questions', 'workshop'),
      poll: fc.boolean(),
      from,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: named('reply'),
      to: which,
      text,
      vote: fc.constantFrom(-1 as const, 0 as const, 1 as const),
      from,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: named('retry'), which, change, from }),
  },
  { weight: 2, arbitrary: fc.record({ do: named('again'), which, from }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: named('rate'),
      which,
      vote: fc.constantFrom(1 as const, -1 as const),
      from,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: named('ballot'),
      which,
      option: fc.integer({ min: 0, max: 2 }),
      from,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: named('report'),
      which,
      appeal: fc.boolean(),
      from,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: named('repeat report'), which, change, from }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: named('decide'),
      which,
      action: fc.constantFrom<Decisive[]>(
        ...(['remove', 'reinstate', 'hide', 'restore_visibility'] as const),
        'keep',
      ),
      settles: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: named('look'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: named('advance'),
      minutes: fc.integer({ min: 1, max: 800 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: named('compare') }) },
);

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
