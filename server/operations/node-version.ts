/** Of Node.js, as known on 2026-11-28. */
type Line = {
  /** The first minor that `engines` allows. */
  first: number;
  /** Newest security release: minor, patch. */
  secure: readonly [minor: number, patch: number];
  /** Last day of security fixes. */
  ends: string;
};

export const NODE_LINES: ReadonlyMap<number, Line> = new Map([
  [20, { first: 19, secure: [20, 2], ends: '2026-04-30' }],
  [22, { first: 13, secure: [23, 2], ends: '2027-04-30' }],
  [24, { first: 11, secure: [18, 1], ends: '2028-04-30' }],
  [26, { first: 0, secure: [5, 1], ends: '2029-04-30' }],
]);
const NEWEST = Math.max(...NODE_LINES.keys());

const partsOf = (version: string) => version.split('.').map(Number);

/** By `engines`: ^20.19 || ^22.13 || >=24.11. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = partsOf(version);
  const { first = Number.POSITIVE_INFINITY } = NODE_LINES.get(major) ?? {};
  return major > 24 || minor >= first;
}

export function secureNodes(now: number): string[] {
  return [...NODE_LINES]
    .filter(([, { ends }]) => !isOver(ends, now))
    .map(([major, { secure }]) => [major, ...secure].join('.'));
}

const isOver = (ends: string, now: number) =>
  now > Date.parse(`${ends}T23:59:59Z`);

type NodeWarning = { detail: string; fix: string };

export function nodeWarning(version: string, now: number): NodeWarning | null {
  const [major = 0, minor = 0, patch = 0] = partsOf(version);
  // Later lines are unknown to this release.
  if (major > NEWEST) return null;
  const fix = `install Node.js ${secureNodes(now).join(', ')} or a newer release of one of these lines`;
  const line = NODE_LINES.get(major);
  if (line === undefined || isOver(line.ends, now)) {
    const detail =
      line === undefined
        ? `${version} gets no security fixes`
        : `${version} has had no security fixes since ${line.ends}`;
    return { detail, fix };
  }
  const [least, lowest] = line.secure;
  if (minor > least || (minor === least && patch >= lowest)) return null;
  const secure = [major, least, lowest].join('.');
  return { detail: `${version} lacks the security fixes of ${secure}`, fix };
}
