/**
 * Lists as parameters in the binary form of PostgreSQL's arrays, for statements
 * of hundreds of rows: as text every value would be quoted, bytes be twice as
 * long, and the server have to read each character. A parameter MUST be cast to
 * the type of its list (`$1::bytea[]`). Rows are made of them in a SELECT list,
 * `SELECT unnest($1::bytea[]), …`: an unnest in FROM keeps all of them first.
 */
const TYPES = { bytea: 17, int8: 20, int2: 21, int4: 23, text: 25 } as const;

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
/** A unit of text is three bytes of UTF-8 at most. */
const UNIT_BYTES = 3;
const WORD = 2 ** 32;
const NULL = -1;

/** Writes one value and answers where it ends. */
type Write<T> = (value: T, into: Buffer, at: number) => number;

function listOf<T>(
  type: number,
  values: readonly (T | null)[],
  room: number,
  write: Write<T>,
): Buffer {
  const size = HEAD_BYTES + LENGTH_BYTES * values.length + room;
  const list = Buffer.allocUnsafe(size);
  // Dimensions, whether there are nulls, the type, how many, the first's number.
  const head =
    values.length === 0 ? [0, 0, type] : [1, 1, type, values.length, 1];
  let at = 0;
  for (const word of head) at = list.writeInt32BE(word, at);
  for (const value of values) {
    const start = at + LENGTH_BYTES;
    const end = value === null ? start : write(value, list, start);
    list.writeInt32BE(value === null ? NULL : end - start, at);
    at = end;
  }
  return list.subarray(0, at);
}

function roomOf<T>(
  values: readonly (T | null)[],
  bytes: (value: T) => number,
): number {
  let room = 0;
  for (const value of values) if (value !== null) room += bytes(value);
  return room;
}

/** `text[]` of well-formed texts. */
export function texts(values: readonly (string | null)[]): Buffer {
  const room = roomOf(values, ({ length }) => UNIT_BYTES * length);
  return listOf(TYPES.text, values, room, (text, into, at) => {
    return at + into.write(text, at);
  });
}

/** `bytea[]`. */
export function byteas(values: readonly (Uint8Array | null)[]): Buffer {
  const room = roomOf(values, ({ length }) => length);
  return listOf(TYPES.bytea, values, room, (bytes, into, at) => {
    into.set(bytes, at);
    return at + bytes.length;
  });
}

/** `bigint[]` of safe integers. */
export function bigints(values: readonly (number | null)[]): Buffer {
  return listOf(TYPES.int8, values, 8 * values.length, (value, into, at) => {
    into.writeInt32BE(Math.floor(value / WORD), at);
    return into.writeUInt32BE(value >>> 0, at + 4);
  });
}

/** `integer[]`. */
export function integers(values: readonly (number | null)[]): Buffer {
  return listOf(TYPES.int4, values, 4 * values.length, (value, into, at) =>
    into.writeInt32BE(value, at),
  );
}

/** `smallint[]`. */
export function smallints(values: readonly (number | null)[]): Buffer {
  return listOf(TYPES.int2, values, 2 * values.length, (value, into, at) =>
    into.writeInt16BE(value, at),
  );
}
