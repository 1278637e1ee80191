import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useAccess } from '../../access/use-access.js';
import { Section } from '../../parts/Section.js';
import { KeySwitch } from '../../shell/HelpDialog.js';

const SCHEMES = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** What this browser remembers, and how the board sees it. */
export function LookSection() {
  const network = useAccess().data?.network;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="This browser">
      <div className="stack">
        <NativeSelect
          label="Colours"
          data={[...SCHEMES]}
          value={colorScheme}
          onChange={({ currentTarget: { value } }) => {
            const chosen = SCHEMES.find((it) => it.value === value);
            if (chosen !== undefined) setColorScheme(chosen.value);
          }}
        />
        <KeySwitch />
        <p className="dim tight">
          The board sees this browser as the network {network ?? '…'}.
        </p>
      </div>
    </Section>
  );
}
