import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fill, holesOf } from './placeholders.js';

type Props = { text: string; change: (text: string) => void };

/** One field for each placeholder that is still open. */
export function PlaceholderFields({ text, change }: Props) {
  const holes = holesOf(text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (holes.length === 0) return null;
  const put = () => {
    const whole = holes.reduce((done, name) => {
      const value = (values[name] ?? '').trim();
      return value === '' ? done : fill(done, name, value);
    }, text);
    change(whole);
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
        <Button size="xs" variant="default" onClick={put}>
          Put into the explanation
        </Button>
      </div>
    </fieldset>
  );
}
