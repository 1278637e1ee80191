import { Checkbox, Kbd } from '@mantine/core';
import { Dialog } from '../parts/Dialog.js';
import { keysAreOn, turnKeys } from './use-keys.js';

const KEYS: readonly [key: string, what: string][] = [
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['o', 'Open the row'],
  ['x', 'Select the row, or no longer; Shift X: all rows up to it'],
  ['s', 'Select everything with the same text as the row'],
  ['d', 'Decide: what is selected, else the row'],
  ['Ctrl Enter', 'In the decision form: record, and go to the next'],
  ['u', 'Undo your last decision with a new one'],
  ['?', 'This help'],
  ['Ctrl K', 'Find a page, a text, an author, a setting, an ID or an address'],
];

type Props = { opened: boolean; close: () => void };

export function HelpDialog({ opened, close }: Props) {
  return (
    <Dialog title="Help and keyboard" opened={opened} close={close}>
      <dl className="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <KeySwitch />
      <p className="dim">
        Start with what the overview names first. Every decision is public and
        permanent, and only another decision can answer it: when in doubt, leave
        the item to a colleague.
      </p>
    </Dialog>
  );
}

/** For speech input and slips of the hand. */
export function KeySwitch() {
  return (
    <Checkbox
      label="Single letters are commands in this browser"
      defaultChecked={keysAreOn()}
      onChange={({ currentTarget }) => turnKeys(currentTarget.checked)}
    />
  );
}
