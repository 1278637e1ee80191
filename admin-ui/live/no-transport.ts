/** Not spoken by the node, so not bundled (spec/operators.md §3). */
class NoTransport {
  constructor() {
    throw new Error('the live connection is a websocket only');
  }
}

export { NoTransport as WT, NoTransport as XHR };
