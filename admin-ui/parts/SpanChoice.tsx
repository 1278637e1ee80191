import { Button } from '@mantine/core';
import { oneOf, useAddress } from '../shell/use-address.js';

const SPANS = ['hour', 'day', 'month'] as const;
const WORDS = { hour: 'Hour', day: 'Day', month: '30 days' };

type Span = (typeof SPANS)[number];

export function useSpan(): Span {
  return oneOf(useAddress().search.span, SPANS) ?? 'day';
}

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
