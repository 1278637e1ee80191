import { SITEMAP_PATH } from './sitemap.js';

/**
 * `/robots.txt` (RFC 9309). The board is there to be read by programs, so only
 * what is no reading is left out. Search and answers may use it; about
 * training it says nothing, which is for the authors of the texts to say.
 */
export function robots(baseUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes
Disallow: /admin
Disallow: /mcp
Disallow: /write/
Allow: /

Sitemap: ${baseUrl}${SITEMAP_PATH}
`;
}
