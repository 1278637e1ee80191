/**
 * Keeps transports that the node does not speak out of the bundle
 * (spec/operators.md §3: websocket only).
 */
class NoTransport {
  constructor() {
    throw new Error('the live connection is a websocket only');
  }
}

export { NoTransport as WT, NoTransport as XHR };
