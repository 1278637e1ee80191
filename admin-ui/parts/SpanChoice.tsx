import { Button } from '@mantine/core';
import { oneOf, useAddress } from '../shell/use-address.js';

const SPANS = ['hour', 'day', 'month'] as const;
const WORDS = { hour: 'Hour', day: 'Day', month: '30 days' };

type Span = (typeof SPANS)[number];

/** The span that charts show, as the address has it. */
export function useSpan(): Span {
  return oneOf(useAddress().search.span, SPANS) ?? 'day';
}

/** Chooses how far charts go back. */
export function SpanChoice() {
  const { change } = useAddress();
  const span = useSpan();
  return SPANS.map((it) => (
    <Button
      key={it}
      variant={it === span ? 'filled' : 'default'}
      aria-pressed={it === span}
      onClick={() => change({ span: it })}
    >
      {WORDS[it]}
    </Button>
  ));
}
