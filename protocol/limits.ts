/** Verifiers MUST refuse more (spec/mesh.md §B1, §B2, §B8, §B11). */
export const LEAF_BYTES = 8192;
export const CONTENT_BYTES = 24_576;
export const NOTE_BYTES = 16_384;
export const NOTE_SIGNATURES = 32;
export const EVIDENCE_BYTES = 16_384;
export const FEED_ENTRIES = 256;
export const FEED_BYTES = 2_097_152;
export const KEY_EVENTS = 64;
/** For 2^63 leaves; C2SP's limit for witnesses. */
export const PROOF_HASHES = 63;
export const TILE_WIDTH = 256;
