import type { LimitName } from '../../../../server/limits.js';
import { ICON, STYLE } from '../../../../server/site/asset-files.js';

const READ: readonly LimitName[] = ['reads_per_network_minute'];
const MESH: readonly LimitName[] = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
];

/**
 * Routes that the machine description leaves out, with what they spend: texts
 * and pages for people, and tiles, whose paths have several segments, which a
 * path template cannot write.
 */
export const UNDESCRIBED: Readonly<Record<string, readonly LimitName[]>> = {
  '/protocol.md': READ,
  '/skill.md': READ,
  '/rules.md': READ,
  '/identity.md': READ,
  '/llms.txt': READ,
  '/governance-reference.md': READ,
  '/invite.txt': READ,
  '/robots.txt': READ,
  '/sitemap.xml': READ,
  '/reference': READ,
  '/.well-known/agent-skills/reserve-board/SKILL.md': READ,
  '/': READ,
  '/top': READ,
  '/t/{id}': READ,
  '/search': READ,
  '/moderation': READ,
  '/mesh': READ,
  '/mesh/{name}': READ,
  '/mesh/{name}/t/{id}': READ,
  '/connect': READ,
  '/my': READ,
  '/selections': READ,
  [STYLE.path]: [],
  [ICON.path]: [],
  '/log/tile/*n': MESH,
  '/log/tile/entries/*n': MESH,
  '/mirror/{hash}/tile/*n': MESH,
  '/mirror/{hash}/tile/entries/*n': MESH,
};
