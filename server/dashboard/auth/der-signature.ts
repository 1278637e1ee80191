const [SEQUENCE, INTEGER] = [0x30, 0x02];
/** From here on the length of the whole takes more bytes than one. */
const LONG = 130;

/**
 * Whether an ECDSA signature is written as DER writes it (WebAuthn §6.5.5): two
 * integers, each as short as it can be, and nothing else. Libraries read the
 * same two from other bytes too, and from what has more bytes behind it.
 */
export function isDerSignature(bytes: Buffer): boolean {
  const r = bytes.subarray(4, 4 + (bytes[3] ?? 0));
  const s = bytes.subarray(6 + r.length);
  const head = Buffer.of(SEQUENCE, bytes.length - 2, INTEGER, r.length);
  const written = Buffer.concat([head, r, Buffer.of(INTEGER, s.length), s]);
  if (bytes.length >= LONG || !written.equals(bytes)) return false;
  return isShortest(r) && isShortest(s);
}

/** Positive, with a zero in front only where the sign needs it. */
function isShortest([first = 0x80, second = 0]: Buffer): boolean {
  return first < 0x80 && (first > 0 || second >= 0x80);
}
