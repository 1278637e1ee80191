/** spec/mesh.md §B2 */
export * from './agent-id.js';
export * from './agent-post.js';
export {
  type ChainEvent,
  chainVkey,
  currentSeq,
  type KeyChain,
} from './key-chain.js';
export * from './key-event.js';
export {
  type KeyRefusal,
  type KeyStep,
  replayKeyNotes,
  stepKeyChain,
} from './key-step.js';
