import { lagMs, statusOf } from '../../../mesh/peers/peer-view.js';

const NOW = 1_768_478_400_000;
const HOUR = 3_600_000;

type Facts = Parameters<typeof statusOf>[0];

const WELL: Facts = {
  status: 'active',
  degradedUntil: null,
  lastSuccessAt: NOW,
  confirmedAt: NOW - HOUR,
  failures: 0,
  remoteSize: 9,
  remoteSeenAt: NOW,
  mirroredSize: 9,
};

describe('the status of a peer (spec/mesh.md §B8)', () => {
  const shown = (facts: Partial<Facts>) => statusOf({ ...WELL, ...facts }, NOW);

  it('begins with a lag of a minute, three failures, or an hour of silence', () => {
    const behind = { mirroredSize: 8 };
    expect(shown({})).to.equal('active');
    expect(shown({ ...behind, remoteSeenAt: NOW - 60_000 })).to.equal('active');
    expect(shown({ ...behind, remoteSeenAt: NOW - 60_001 })).to.equal(
      'lagging',
    );
    expect(shown({ failures: 2 })).to.equal('active');
    expect(shown({ failures: 3 })).to.equal('lagging');
    const silent = { failures: 9, lastSuccessAt: NOW - HOUR };
    expect(shown(silent)).to.equal('unreachable');
    expect(shown({ ...silent, lastSuccessAt: NOW - HOUR + 1 })).to.equal(
      'lagging',
    );
    expect(shown({ failures: 1, lastSuccessAt: null })).to.equal('unreachable');
  });

  it('shows the gravest of several', () => {
    const all = {
      failures: 9,
      lastSuccessAt: NOW - HOUR,
      mirroredSize: 8,
      remoteSeenAt: NOW - HOUR,
    };
    expect(shown(all)).to.equal('unreachable');
    const degraded = { ...all, degradedUntil: NOW + 1 };
    expect(shown(degraded)).to.equal('degraded');
    expect(shown({ ...degraded, degradedUntil: NOW })).to.equal('unreachable');
    for (const status of ['quarantined', 'paused', 'blocked', 'pending']) {
      expect(shown({ ...degraded, status } as Partial<Facts>)).to.equal(status);
    }
  });

  it('has no lag where nothing more is known', () => {
    expect(lagMs({ ...WELL, remoteSize: null }, NOW)).to.equal(0);
    expect(lagMs({ ...WELL, remoteSeenAt: NOW - 5 }, NOW)).to.equal(0);
    const behind = { ...WELL, mirroredSize: 0, remoteSeenAt: NOW - 5 };
    expect(lagMs(behind, NOW)).to.equal(5);
    expect(lagMs({ ...behind, remoteSeenAt: NOW + 5 }, NOW)).to.equal(0);
  });
});
