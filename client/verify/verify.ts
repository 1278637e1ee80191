import { ready } from '../../protocol/signing.js';

/** Offline. `bundle/verify-bundle.ts` checks bundles; it reads files. */
export * from './pins.js';
export * from './proof-text.js';
export * from './tlog-proof-text.js';
export { inclusionLine, proofLine, refusalLine } from './verdict-line.js';
/** What is synchronous here needs it; the rest awaits it. */
export { ready };

// Programs that never awaited it had the library soon after the import.
void ready();
