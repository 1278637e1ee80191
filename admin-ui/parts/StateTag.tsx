import type { MessageState } from '../../server/dashboard/schemas/views.js';
import { Tag } from './Tag.js';
import { STATES } from './words.js';

export function StateTag({ state }: { state: MessageState }) {
  const [words, tone] = STATES[state];
  return <Tag tone={tone}>{words}</Tag>;
}
