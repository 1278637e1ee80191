import { readFile } from 'node:fs/promises';
import { withoutMark } from '../../protocol/bytes.js';
import { ready } from '../../protocol/signing.js';
import { type Pins, readPins } from '../verify/pins.js';
import { AgentFailure } from './failure.js';

/** Of logs and cosigners, by type. */
export type PinOptions = { vkey?: string[]; pins?: string };

/** From `--vkey` (repeatable) and the file `--pins`. */
export async function pinsOf({ vkey = [], pins }: PinOptions): Promise<Pins> {
  await ready();
  const items = [...vkey];
  if (pins !== undefined) {
    const text = await readFile(pins, 'utf8').catch(() => {
      throw new AgentFailure(`${pins} cannot be read.`);
    });
    items.push(...withoutMark(text).split('\n'));
  }
  const read = readPins(items);
  if (read.ok) return read.value;
  throw new AgentFailure(
    'A pinned key is no vkey of a log or cosigner: it has the form name+8 hex digits+base64.',
  );
}
