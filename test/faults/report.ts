import { appendFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FULL } from '../support/full.js';

export type FaultRecord = {
  test: string;
  seed: number;
  faults: number;
  acked: number;
  /** Requests whose fate was unknown for a while, and converged. */
  unknown: number;
};

/**
 * A line of `reports/faults.jsonl` for each test of a full run that passed: the
 * published figures are added up from there, never typed.
 */
export async function recordFaults(record: FaultRecord): Promise<void> {
  const { faults, acked, unknown } = record;
  console.log(`      ${faults} faults, ${acked} acked, ${unknown} unknown`);
  if (!FULL) return;
  const folder = fileURLToPath(new URL('../../reports/', import.meta.url));
  await mkdir(folder, { recursive: true });
  const line = { at: new Date().toISOString(), ...record };
  await appendFile(`${folder}faults.jsonl`, `${JSON.stringify(line)}\n`);
}
