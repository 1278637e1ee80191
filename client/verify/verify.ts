/** Offline. `bundle/verify-bundle.ts` checks bundles; it reads files. */
export * from './pins.js';
export * from './proof-text.js';
export * from './tlog-proof-text.js';
export { inclusionLine, proofLine, refusalLine } from './verdict-line.js';
