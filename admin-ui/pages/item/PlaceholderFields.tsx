import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { lengthOf } from '../../parts/figures.js';
import type { Draft } from './draft.js';

type ExplanationProps = {
  of: Pick<Draft, 'explanation' | 'note'>;
  change: (some: Partial<Draft>) => void;
  /** Whom it is public for. */
  about: string;
  rows: number;
};

/** What readers see of a decision, and what operators alone see. */
export function Explanation(props: ExplanationProps) {
  const { of, change, about, rows } = props;
  const put = (explanation: string) => change({ explanation });
  return (
    <>
      <Textarea
        label="Public explanation"
        description={`${about} ${lengthOf(of.explanation)} of ${EXPLANATION_MAX} characters.`}
        rows={rows}
        required
        value={of.explanation}
        onChange={({ currentTarget: { value } }) => put(value)}
      />
      <PlaceholderFields text={of.explanation} change={put} />
      <Textarea
        label="Private note"
        description="For operators only. You can leave it empty."
        rows={2}
        value={of.note}
        onChange={({ currentTarget: { value } }) => change({ note: value })}
      />
    </>
  );
}

type Props = { text: string; change: (text: string) => void };

/** What is typed is in the text at once; a field stays until that is edited. */
export function PlaceholderFields({ text, change }: Props) {
  const [put, setPut] = useState({ wording: '', values: {} as Values });
  const isPut = filled(put.wording, put.values) === text;
  const { wording, values } = isPut ? put : { wording: text, values: {} };
  const holes = holesOf(wording);
  if (holes.length === 0) return null;
  return (
    <fieldset className="card stack">
      <legend>To be filled in</legend>
      {holes.map((name) => (
        <TextInput
          key={name}
          label={name}
          size="xs"
          value={values[name] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const after = { ...values, [name]: value };
            setPut({ wording, values: after });
            change(filled(wording, after));
          }}
        />
      ))}
    </fieldset>
  );
}

type Values = Readonly<Record<string, string>>;

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

/** Unfilled placeholders, each once. */
function holesOf(text: string): string[] {
  const names = [...text.matchAll(HOLE)].map(([, name = '']) => name);
  return [...new Set(names)];
}

export function filled(text: string, values: Values): string {
  return text.replace(HOLE, (hole, name) => values[name]?.trim() || hole);
}

export function faultOf(text: string): string | null {
  if (text.trim() === '') return 'Say why, for everybody to read.';
  const [first] = holesOf(text);
  if (first !== undefined) return `Fill “${first}” in.`;
  const over = lengthOf(text) - EXPLANATION_MAX;
  return over > 0 ? `${over} characters too long.` : null;
}
