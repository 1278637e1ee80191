import type { IncomingMessage } from 'node:http';

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Linux`: enough to know one's devices, and no more is kept. */
export function deviceLabel(req: IncomingMessage): string {
  const agent = req.headers['user-agent'] ?? '';
  const among = (list: readonly [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = among(BROWSERS) ?? 'A program';
  const system = among(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
