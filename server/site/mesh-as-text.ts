import { formatVkey } from '../../protocol/vkey.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { MirrorSummary } from '../../mesh/ports-mirrors.js';
import { listAsText } from './list-as-text.js';
import { boardPath } from './mesh-paths.js';

/** This board's log and the boards it mirrors, as text. */
export function meshAsText(
  { board, keys, config: { baseUrl } }: Context,
  size: number,
  boards: readonly MirrorSummary[],
): string {
  const head = {
    board: board.name,
    origin: board.origin,
    log_vkey: formatVkey(keys.log.vkey),
    size,
    checkpoint_url: `${baseUrl}/log/checkpoint`,
  };
  const items = boards.map((one) => {
    const { name, origin, trust, status, reason, messages } = one;
    const { lastSuccessAt: heard, mirroredSize, remoteSize } = one;
    const known = Math.max(remoteSize, mirroredSize);
    const last_heard_at = heard === null ? null : publicTime(heard);
    const about = {
      ...{ name, origin, base_url: one.baseUrl, trust, status, reason },
      ...{ mirrored_size: mirroredSize, size: known, messages, last_heard_at },
      topics_url: `${baseUrl}${boardPath(name)}`,
    };
    return { label: 'BOARD', about };
  });
  return listAsText('MESH', head, items);
}
