import { checkLedger } from '../support/check-ledger.js';
import { given } from '../support/hooks.js';
import { LIFTED } from '../support/lifted.js';
import { type NodeOptions, NodeProcess } from './node-process.js';

/** Limits that many readers at once do not meet. */
export const MANY_READS = {
  BOARD_LIMITS: JSON.stringify({
    ...LIFTED,
    reads_per_network_minute: 1_000_000,
  }),
};

/** A node for the whole suite, and what is looked at before it goes. */
export function givenNode(
  options: NodeOptions = {},
  look = async (_node: NodeProcess) => {},
): NodeProcess {
  return given(async () => {
    const node = await NodeProcess.create(options);
    const stop = async () => {
      await look(node);
      await node.remove();
    };
    return { node, stop };
  }).node;
}

/** The same, whose log is checked from outside at the end. */
export const givenCheckedNode = (options: NodeOptions = {}) =>
  givenNode(options, async (node) => {
    await checkLedger(node);
  });
