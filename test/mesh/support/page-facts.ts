import type { PageFacts } from '../../../mesh/pull/verify/judged.js';
import { textRules } from '../../../mesh/pull/verify/text-rules.js';
import { replayKeyNotes } from '../../../protocol/key-step.js';
import { verifySignature } from '../../../protocol/signing.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import type { Agent } from '../../support/agent.js';
import type { ScriptedLog } from './scripted-log.js';

export function pageFacts(log: ScriptedLog, agents: Agent[] = []): PageFacts {
  const chains = agents.map((agent) => {
    const chain = replayKeyNotes(agent.notes);
    if (!chain.ok || chain.value === null) throw new Error('no chain');
    return [agent.id, chain.value] as const;
  });
  return {
    board: log.board,
    logVkey: formatVkey(log.keys.log.vkey),
    ...{ firstIndex: 0, lastMessageId: 0, lastAt: 0 },
    ...{ chains: new Map(chains), posts: new Map(), requests: new Set() },
    keeping: { asked: 'all', keeps: true },
    textRules: textRules(LIMIT_DEFAULTS),
    verify: verifySignature,
  };
}
