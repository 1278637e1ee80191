import fc from 'fast-check';
import {
  DECISION_ACTIONS,
  type Entry,
  REMOVE_BY,
  REMOVE_REASONS,
} from '../../../protocol/entry.js';
import { bytes } from './arbitraries.js';

const id = fc.integer({ min: 1, max: 2 ** 53 - 2 });
export const at = fc.maxSafeNat();
const explain = fc.option(bytes(32));
const target = bytes(32);
const count = fc.nat();

/** Any entry that embeds nothing. */
export const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    type: fc.constant('remove' as const),
    at,
    id,
    target,
    by: fc.constantFrom(...REMOVE_BY),
    reason: fc.constantFrom(...REMOVE_REASONS),
    explain,
  }),
  fc.record({
    type: fc.constant('decision' as const),
    at,
    id,
    target,
    action: fc.constantFrom(...DECISION_ACTIONS),
    explain,
  }),
  fc.record({
    type: fc.constant('poll' as const),
    at,
    id,
    poll: id,
    counts: fc.array(count, { minLength: 2, maxLength: 8 }),
    voters: count,
    result: fc.constantFrom('tie', 'voided', 'insufficient_votes'),
    winner: fc.constant(null),
  }),
  fc.record({
    type: fc.constant('evidence' as const),
    at,
    origin: fc.constantFrom('a.example/log', 'a.example:81/log3'),
    kind: fc.constant('equivocation'),
    evidence: target,
  }),
);
