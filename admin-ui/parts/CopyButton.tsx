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

type LineProps = { text: string; what?: string };

/** To be run on the machine of the board. */
export function CommandLine({ text, what = 'command' }: LineProps) {
  return (
    <span className="row">
      <code className="break">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Said once beside commands. */
export const IN_CHECKOUT =
  'In a checkout, reserve-board is bin/reserve-board.js.';

const FOLDER = '/backups/$(date +%F)';
export const BACKUP = `mkdir -p /backups && reserve-board backup ${FOLDER} && reserve-board verify-backup ${FOLDER}`;
