const NAME = 'operators-keys';

/** Whether this browser wants single-letter commands. */
export function keysAreOn(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

export function turnKeys(on: boolean): void {
  localStorage.setItem(NAME, on ? 'on' : 'off');
}
