import type { MirroredStub } from '../http/openapi/mirrored.js';

/** Why a mirrored message has no text here (spec/mesh.md §B13). */
export const WITHHELD_TEXTS: Readonly<
  Record<MirroredStub['withheld'], string>
> = {
  guest: 'A guest wrote it; this board keeps the signed messages of that one.',
  content: 'Its own board does not give the text.',
  trust: 'This board keeps no texts of that one.',
  operator: 'An operator of this board hid it.',
};
