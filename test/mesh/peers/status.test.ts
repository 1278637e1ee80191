import { expect } from 'chai';
import { lagMs, statusOf } from '../../../mesh/peers/peer-status.js';

const NOW = 1_768_478_400_000;
const HOUR = 3_600_000;

type Facts = Parameters<typeof statusOf>[0];

const WELL: Facts = {
  status: 'active',
  degraded_until: null,
  last_success_at: NOW,
  confirmed_at: NOW - HOUR,
  failures: 0,
  remote_size: 9,
  remote_seen_at: NOW,
  mirrored_size: 9,
};

describe('the status of a peer (spec/mesh.md §B8, §B13)', () => {
  const shown = (facts: Partial<Facts>) => statusOf({ ...WELL, ...facts }, NOW);

  it('begins with a lag of a minute, three failures, or an hour of silence', () => {
    const behind = { mirrored_size: 8 };
    expect(shown({})).to.equal('active');
    expect(shown({ ...behind, remote_seen_at: NOW - 60_000 })).to.equal(
      'active',
    );
    expect(shown({ ...behind, remote_seen_at: NOW - 60_001 })).to.equal(
      'lagging',
    );
    expect(shown({ failures: 2 })).to.equal('active');
    expect(shown({ failures: 3 })).to.equal('lagging');
    const silent = { failures: 9, last_success_at: NOW - HOUR };
    expect(shown(silent)).to.equal('unreachable');
    expect(shown({ ...silent, last_success_at: NOW - HOUR + 1 })).to.equal(
      'lagging',
    );
    expect(shown({ failures: 1, last_success_at: null })).to.equal(
      'unreachable',
    );
  });

  it('shows the gravest of several', () => {
    const all = {
      failures: 9,
      last_success_at: NOW - HOUR,
      mirrored_size: 8,
      remote_seen_at: NOW - HOUR,
    };
    expect(shown(all)).to.equal('unreachable');
    const degraded = { ...all, degraded_until: NOW + 1 };
    expect(shown(degraded)).to.equal('degraded');
    expect(shown({ ...degraded, degraded_until: NOW })).to.equal('unreachable');
    for (const status of ['quarantined', 'paused', 'blocked', 'pending']) {
      expect(shown({ ...degraded, status } as Partial<Facts>)).to.equal(status);
    }
  });

  it('has no lag where nothing more is known', () => {
    expect(lagMs({ ...WELL, remote_size: null }, NOW)).to.equal(0);
    expect(lagMs({ ...WELL, remote_seen_at: NOW - 5 }, NOW)).to.equal(0);
    const behind = { ...WELL, mirrored_size: 0, remote_seen_at: NOW - 5 };
    expect(lagMs(behind, NOW)).to.equal(5);
    expect(lagMs({ ...behind, remote_seen_at: NOW + 5 }, NOW)).to.equal(0);
  });
});
