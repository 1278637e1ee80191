import { EXAMPLE_AGENT, EXAMPLE_HASH } from '../http/openapi/examples.js';

/** The register event of an agent, as a signed note. */
export const EXAMPLE_NOTE = `reserve-board/key/v1
agent ${EXAMPLE_AGENT}
op register
seq 0
key ${EXAMPLE_HASH}
next -
prev -
at 1767225602000

— ${EXAMPLE_AGENT} 0kn91Z7hRjjaWXqTCzWSakzZwux2wR78+y/SpmHzQl+Gs9nAR8Le
`;
