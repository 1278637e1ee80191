import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';

type Props = { text: string; what: string };

export function CopyButton({ text, what }: Props) {
  const { copied, copy, error } = useClipboard({ timeout: 2000 });
  // Browsers give the clipboard to secure pages only.
  const idle = error === null ? `Copy ${what}` : 'Copy it by hand';
  const label = copied ? 'Copied' : idle;
  return (
    <Button size="compact-xs" onClick={() => copy(text)}>
      {label}
    </Button>
  );
}
