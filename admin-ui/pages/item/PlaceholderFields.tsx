import { Button, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
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

export function PlaceholderFields({ text, change }: Props) {
  const holes = holesOf(text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const box = useRef<HTMLFieldSetElement>(null);
  if (holes.length === 0) return null;
  const put = () => {
    const after = filled(text, values);
    change(after);
    setValues({});
    // This fieldset goes; the text in front of it takes the focus.
    if (holesOf(after).length > 0) return;
    const before = box.current?.previousElementSibling;
    before?.querySelector('textarea')?.focus();
  };
  return (
    <fieldset ref={box} className="card stack">
      <legend>To be filled in</legend>
      {holes.map((name) => (
        <TextInput
          key={name}
          label={name}
          size="xs"
          value={values[name] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setValues((before) => ({ ...before, [name]: value }))
          }
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            put();
          }}
        />
      ))}
      <div>
        <Button onClick={put}>Put into the explanation</Button>
      </div>
    </fieldset>
  );
}

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

/** Unfilled placeholders, each once. */
function holesOf(text: string): string[] {
  const names = [...text.matchAll(HOLE)].map(([, name = '']) => name);
  return [...new Set(names)];
}

export function filled(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  return text.replace(HOLE, (hole, name) => values[name]?.trim() || hole);
}

export function faultOf(text: string): string | null {
  if (text.trim() === '') return 'Say why, for everybody to read.';
  const [first] = holesOf(text);
  if (first !== undefined) return `Fill “${first}” in.`;
  const over = lengthOf(text) - EXPLANATION_MAX;
  return over > 0 ? `${over} characters too long.` : null;
}
