/** RFC 8032 §5.1. For public values only: not constant time. */
const P = 2n ** 255n - 19n;
/** Order of the main subgroup. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z. */
type Point = { X: bigint; Y: bigint; Z: bigint; T: bigint };

const IDENTITY: Point = { X: 0n, Y: 1n, Z: 1n, T: 0n };

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const SQRT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

function numberOf(littleEndian: Uint8Array): bigint {
  return littleEndian.reduceRight(
    (value, byte) => (value << 8n) | BigInt(byte),
    0n,
  );
}

/** Not reduced, without the sign of x. */
function encodedY(point: Uint8Array): bigint {
  return BigInt.asUintN(255, numberOf(point));
}

/** RFC 8032 §5.1.3, y may be unreduced; null for no point. */
function decode(bytes: Uint8Array): Point | null {
  const Y = mod(encodedY(bytes));
  const u = mod(Y * Y - 1n);
  const v = mod(D * Y * Y + 1n);
  const v3 = mod(v * v * v);
  const root = power(mod(u * v3 * v3 * v), (P - 5n) / 8n);
  const x = mod(u * v3 * root);
  const square = mod(v * x * x);
  if (square !== u && square !== mod(-u)) return null;
  const even = square === u ? x : mod(x * SQRT_OF_MINUS_ONE);
  const sign = BigInt((bytes[31] ?? 0) >>> 7);
  const X = (even & 1n) === sign ? even : mod(-even);
  return { X, Y, Z: 1n, T: mod(X * Y) };
}

/** RFC 8032 §5.1.4, complete: also doubles. */
function add(a: Point, b: Point): Point {
  const A = (a.Y - a.X) * (b.Y - b.X);
  const B = (a.Y + a.X) * (b.Y + b.X);
  const C = 2n * mod(a.T * b.T) * D;
  const E = mod(B - A);
  const F = mod(2n * a.Z * b.Z - C);
  const G = mod(2n * a.Z * b.Z + C);
  const H = mod(B + A);
  return { X: mod(E * F), Y: mod(G * H), Z: mod(F * G), T: mod(E * H) };
}

function multiply(scalar: bigint, point: Point): Point {
  let sum = IDENTITY;
  let doubled = point;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}

function isIdentity({ X, Y, Z }: Point): boolean {
  return X === 0n && Y === Z;
}

/** Without the neutral point. */
export function isInMainSubgroup(bytes: Uint8Array): boolean {
  const point = decode(bytes);
  if (point === null || isIdentity(point)) return false;
  return isIdentity(multiply(L, point));
}

/** y is below p. */
export function isCanonical(point: Uint8Array): boolean {
  return encodedY(point) < P;
}

/** Below the order (RFC 8032 §5.1.7). */
export function isReduced(scalar: Uint8Array): boolean {
  return numberOf(scalar) < L;
}

/** y of the points of order 8. */
const ORDER_8 = [
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];
/** y of points whose order divides 8. */
const SMALL_ORDER = new Set([0n, 1n, P - 1n, ...ORDER_8]);

/** Its order divides 8. */
export function hasSmallOrder(point: Uint8Array): boolean {
  return SMALL_ORDER.has(mod(encodedY(point)));
}
