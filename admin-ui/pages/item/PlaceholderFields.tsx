import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { filled, holesOf } from './placeholders.js';

type Props = { text: string; change: (text: string) => void };

export function PlaceholderFields({ text, change }: Props) {
  const holes = holesOf(text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (holes.length === 0) return null;
  const put = () => {
    change(filled(text, values));
    setValues({});
  };
  return (
    <fieldset className="card stack">
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
