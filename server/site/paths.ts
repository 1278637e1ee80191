/** Takes an address of this board its host: pages link within themselves. */
export function withoutHost(
  baseUrl: string,
): (reference: { url: string }) => string {
  return ({ url }) =>
    url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
}
