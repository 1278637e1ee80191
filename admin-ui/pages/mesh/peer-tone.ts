import type { Tone } from '../../parts/Tag.js';

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
