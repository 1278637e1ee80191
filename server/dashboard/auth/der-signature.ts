const [SEQUENCE, INTEGER] = [0x30, 0x02];
/** Longer lengths take more than one byte. */
const LONG = 130;

/**
 * Strict DER of ECDSA (WebAuthn §6.5.5): two shortest integers and nothing
 * else. Libraries accept other forms.
 */
export function isDerSignature(bytes: Buffer): boolean {
  const r = bytes.subarray(4, 4 + (bytes[3] ?? 0));
  const s = bytes.subarray(6 + r.length);
  const head = Buffer.of(SEQUENCE, bytes.length - 2, INTEGER, r.length);
  const written = Buffer.concat([head, r, Buffer.of(INTEGER, s.length), s]);
  if (bytes.length >= LONG || !written.equals(bytes)) return false;
  return isShortest(r) && isShortest(s);
}

/** Positive; a leading zero only where the sign needs one. */
function isShortest([first = 0x80, second = 0]: Buffer): boolean {
  return first < 0x80 && (first > 0 || second >= 0x80);
}
