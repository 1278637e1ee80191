/** By `engines` of package.json: ^20.19 || ^22.13 || >=24.11. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const lowest: Record<number, number> = { 20: 19, 22: 13, 24: 11 };
  return major > 24 || minor >= (lowest[major] ?? Number.POSITIVE_INFINITY);
}
