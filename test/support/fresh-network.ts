let networks = 0;

/** A network that no test of this process has used; neighbours are rare. */
export function freshNetwork(): string {
  networks += 1;
  return `198.${18 + (networks >> 16)}.${networks & 255}.${(networks >> 8) & 255}`;
}
