import { ConfigError } from '../config.js';

/** What of a board's past does not fit; `doctor` has a line for each. */
export type Fault = 'board seed' | 'board name' | 'log head' | 'log key';

/** Why a start is refused, with the fix; it has written nothing. */
export class StartRefusal extends ConfigError {
  constructor(
    readonly about: Fault,
    sentence: string,
  ) {
    super([sentence]);
  }
}
