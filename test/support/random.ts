import { createHash } from 'node:crypto';

/** By default, so that a run fails for its commit, not for its moment. */
const USUAL = 7;

/** The seed of this run: `SEED`, else the usual one. */
export function chosenSeed(): number {
  const given = process.env.SEED ?? '';
  const seed = /^\d{1,15}$/.test(given) ? Number(given) : USUAL;
  process.env.SEED = String(seed); // for the other processes of this run
  return seed;
}

export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let stream = '';
let drawn = 0;

/** Begins the random bytes of a test file, the same for each run of a seed. */
export function seedFile(file: string): void {
  stream = `${chosenSeed()} ${file}`;
  drawn = 0;
}

/** As that of `node:crypto`, from the seed of the run and the test file. */
export function randomBytes(size: number): Buffer {
  const blocks: Buffer[] = [];
  for (let had = 0; had < size; had += 32) {
    drawn += 1;
    blocks.push(createHash('sha256').update(`${stream} ${drawn}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, size);
}

/** As that of `node:crypto`, from the seed of the run and the test file. */
export function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

let networks = 0;

/** A network that no test of this process has used; neighbours are rare. */
export function freshNetwork(): string {
  networks += 1;
  return `198.${18 + (networks >> 16)}.${networks & 255}.${(networks >> 8) & 255}`;
}
