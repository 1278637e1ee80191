import { Textarea } from '@mantine/core';
import { useAsk } from '../../api/ask.js';
import { lengthOf } from '../../parts/figures.js';
import { shown } from '../../parts/invisible.js';
import { Select } from '../../parts/Select.js';
import { PlaceholderFields } from './PlaceholderFields.js';

const ANSWER_MAX = 500;

type Props = { text: string; change: (text: string) => void };

/** What an operator answers to the reporter, from a template or not. */
export function ReporterAnswer({ text, change }: Props) {
  const templates = useAsk('template.list', {}).data?.data ?? [];
  return (
    <details>
      <summary>Answer to the reporter</summary>
      <div className="stack">
        <Select
          label="Template of the answer"
          options={['', ...templates.map(({ name }) => name)]}
          words={(it) => (it === '' ? 'Insert a template' : shown(it))}
          value=""
          choose={(it) => {
            const chosen = templates.find(({ name }) => name === it);
            if (chosen !== undefined) change(chosen.explanation);
          }}
        />
        <Textarea
          label="Answer"
          description={`Only the reporter sees it, beside what became of the report. ${lengthOf(text)} of ${ANSWER_MAX} characters.`}
          rows={3}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
        <PlaceholderFields text={text} change={change} />
      </div>
    </details>
  );
}
