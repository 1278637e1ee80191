import type {
  CommandAnswers,
  WriteName,
} from '../../../server/dashboard/all-commands.js';
import { useCommand } from '../../api/ask.js';
import { noteOwn } from '../../api/own-changes.js';
import { reread } from '../../api/query-client.js';
import type { Tone } from '../../parts/Tag.js';
import { span } from '../../parts/Time.js';

export type Peer = CommandAnswers['peer.read'];

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  pending: 'info',
  paused: 'calm',
  blocked: 'bad',
  quarantined: 'bad',
  degraded: 'warn',
  lagging: 'warn',
  unreachable: 'bad',
};

export function peerTone(status: string): Tone {
  return TONES[status] ?? 'warn';
}

export function behindText(
  standstill: string | null | undefined,
  lagMs: number | null,
): string {
  if (standstill === 'new_key' || standstill === 'log_ended') {
    return 'its log has ended';
  }
  if (lagMs === null) return 'unknown';
  return lagMs === 0 ? 'up to date' : span(lagMs);
}

export function usePeerCommand<N extends WriteName & `peer.${string}`>(
  name: N,
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
) {
  return useCommand(name, (answer: CommandAnswers[N]) => {
    reread('peer.list');
    if ('name' in answer) noteOwn(`peer:${answer.name}`);
    onSuccess(answer);
  });
}
