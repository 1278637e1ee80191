import type { Router } from 'express';
import type { Context } from '../server/context.js';
import type { Contract } from '../server/openapi/operation.js';
import type { PeerDesk } from '../server/peer-desk.js';
import { mirrorContract } from './mirror/contract.js';
import { mirrorRouter } from './mirror/router.js';
import { peersContract } from './peers/contract.js';
import { peerDesk } from './peers/desk.js';
import { peersRouter } from './peers/router.js';
import type { PeerClient } from './pull/peer-client.js';
import { witnessContract } from './witness/contract.js';
import { witnessRouter } from './witness/router.js';
import { Witness } from './witness/witness.js';

/** Who our peers are, what we say of their logs, and what we keep of them. */
export type Peering = {
  routers: Router[];
  contracts: Contract[];
  witness: Witness;
  desk: PeerDesk;
};

export function peering(ctx: Context, client: PeerClient): Peering {
  const setting = { limits: ctx.limits, baseUrl: ctx.config.baseUrl };
  return {
    routers: [mirrorRouter(ctx), witnessRouter(ctx), peersRouter(ctx)],
    contracts: [
      mirrorContract(),
      witnessContract(setting),
      peersContract(setting),
    ],
    witness: new Witness({ ...ctx, client }),
    desk: peerDesk({ ...ctx, db: ctx.writes, client }),
  };
}
