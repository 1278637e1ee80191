/** The leaves of the log: see `entry/types.ts` for their shapes. */
export * from './entry/embedded.js';
export { formatEntry } from './entry/format.js';
export {
  type EntryHead,
  parseEntry,
  parseEntryHead,
  readLeaf,
} from './entry/parse.js';
export * from './entry/types.js';
