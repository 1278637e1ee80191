import fc from 'fast-check';

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
  | { do: 'retry'; which: number; change: boolean; from: number }
  | { do: 'rate'; which: number; vote: 1 | -1; from: number }
  | { do: 'ballot'; which: number; option: number; from: number }
  | { do: 'advance'; minutes: number }
  | { do: 'compare' };

const from = fc.integer({ min: 0, max: 5 });
const any = fc.nat(1000);
const vote = fc.constantFrom(1 as const, -1 as const);
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((value) => value.replaceAll('\u0000', '0'));

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('topic' as const),
      text,
      room: fc.constantFrom('lobby', 'findings', 'questions', 'workshop'),
      poll: fc.boolean(),
      from,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reply' as const),
      to: any,
      text,
      vote: fc.constantFrom(-1 as const, 0 as const, 1 as const),
      from,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('retry' as const),
      which: any,
      change: fc.boolean(),
      from,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      which: any,
      vote,
      from,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ballot' as const),
      which: any,
      option: fc.integer({ min: 0, max: 2 }),
      from,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      minutes: fc.integer({ min: 1, max: 800 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'compare' as const }) },
);

export const LENGTH = 40;

export const commands = fc.array(command, {
  minLength: LENGTH,
  maxLength: LENGTH,
});
