export type FaultStep =
  | 'layout'
  | 'checkpoint'
  | 'log_pin'
  | 'tiles'
  | 'identity'
  | 'entry'
  | 'order'
  | 'keys'
  | 'signature'
  | 'parent'
  | 'message'
  | 'content'
  | 'removal'
  | 'summary';

/** `index` of the entry, or null. */
export type Fault = { step: FaultStep; index: number | null; what: string };

const KEPT = 20;

export type Faults = { first: Fault[]; count: number };

export function noFaults(): Faults {
  return { first: [], count: 0 };
}

export function addFault(
  faults: Faults,
  step: FaultStep,
  index: number | null,
  what: string,
): void {
  if (faults.first.length < KEPT) faults.first.push({ step, index, what });
  faults.count += 1;
}

export function addFaults(faults: Faults, more: Faults): void {
  const room = KEPT - faults.first.length;
  faults.first.push(...more.first.slice(0, Math.max(room, 0)));
  faults.count += more.count;
}
