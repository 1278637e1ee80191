import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../parts/CopyButton.js';

type Props = { codes: readonly string[]; done: () => void };

/** Shown only once. */
export function RecoveryCodes({ codes, done }: Props) {
  const [kept, setKept] = useState(false);
  return (
    <div className="stack">
      <p>
        Each of these codes signs you in once when your device is gone. They are
        shown now and never again: print them, or save them where you keep other
        keys.
      </p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row">
        <CopyButton text={codes.join('\n')} what="codes" />
        <Button size="compact-xs" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <Checkbox
        label="I have saved these codes"
        checked={kept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
      <Button size="sm" variant="filled" disabled={!kept} onClick={done}>
        Continue
      </Button>
    </div>
  );
}
