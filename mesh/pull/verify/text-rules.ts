import type { Content, PollContent } from '../../../protocol/content.js';
import type { Limits } from '../../../server/limits.js';
import { previewFields } from '../../../server/posting/index.js';

/** Null for none. */
export type TextFault = 'bad_shape' | 'over_limits';
export type TextRules = (
  content: Content,
  post: { isTopic: boolean; hasPoll: boolean },
) => TextFault | null;

const NUL = '\0';

/** In a preview's form. */
export function pollAsSent(poll: PollContent): object {
  const { question, options, duration_hours, kind, summary } = poll;
  const proposal = { kind, summary };
  return options === undefined
    ? { type: 'proposal', question, duration_hours, proposal }
    : { type: 'survey', question, duration_hours, options };
}

function hasNul({ name, title = '', body, poll }: Content): boolean {
  const texts = [name, title, body, poll?.question ?? '', poll?.summary ?? ''];
  return [...texts, ...(poll?.options ?? [])].some((text) =>
    text.includes(NUL),
  );
}

/**
 * Mirrored texts pass the schema of local previews with this board's limits
 * (spec/mesh.md §B7.2); NUL is refused by the parser.
 */
export function textRules(limits: Limits): TextRules {
  const schema = previewFields(limits).pick({
    name: true,
    title: true,
    body: true,
    poll: true,
  });
  return (content, { isTopic, hasPoll }) => {
    const { name, title, body, poll } = content;
    if ((title !== undefined) !== isTopic) return 'bad_shape';
    if ((poll !== undefined) !== hasPoll) return 'bad_shape';
    const sent = { name, body, title, poll: poll && pollAsSent(poll) };
    const passes = schema.safeParse(sent).success && !hasNul(content);
    return passes ? null : 'over_limits';
  };
}
