import { useState } from 'react';
import { Block } from '../../parts/Block.js';
import { CopyButton } from '../../parts/CopyButton.js';

const WIDTH = 16;
const MOST = 8192;

/** Offset, hex and letters, as hex editors show it. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const part = [...bytes.subarray(at, at + WIDTH)];
    const hex = part
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(' ');
    const letters = part
      .map((byte) =>
        byte > 32 && byte < 127 ? String.fromCharCode(byte) : '.',
      )
      .join('');
    const offset = at.toString(16).padStart(6, '0');
    lines.push(`${offset}  ${hex.padEnd(WIDTH * 3)} ${letters}`);
  }
  return lines.join('\n');
}

/** The bytes of a text, made only when they are asked for. */
export function RawBytes({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const bytes = open ? new TextEncoder().encode(text) : null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Raw bytes (UTF-8)</summary>
      {bytes === null ? null : (
        <>
          <Block label="Raw bytes" text={hexDump(bytes.subarray(0, MOST))} />
          <p className="row dim">
            {bytes.length} bytes
            {bytes.length > MOST ? `, the first ${MOST} shown` : ''}
            <CopyButton text={text} what="text" />
          </p>
        </>
      )}
    </details>
  );
}
