/**
 * Stands for the ways of the live connection that the node does not speak
 * (spec/operators.md §3: websocket only), so that their code is not packed.
 */
class NoTransport {
  constructor() {
    throw new Error('the live connection is a websocket only');
  }
}

export { NoTransport as WT, NoTransport as XHR };
