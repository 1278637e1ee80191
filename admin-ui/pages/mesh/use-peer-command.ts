import type {
  CommandAnswers,
  CommandName,
} from '../../../server/dashboard/schemas/commands.js';
import { queryClient } from '../../api/query-client.js';
import { useCommand } from '../../api/use-ask.js';

/** A change of a linked board; the table is read again when it is done. */
export function usePeerCommand<N extends CommandName & `peer.${string}`>(
  name: N,
  onSuccess?: (answer: CommandAnswers[N]) => void,
) {
  return useCommand(name, (answer: CommandAnswers[N]) => {
    void queryClient.invalidateQueries({ queryKey: ['peer.list'] });
    onSuccess?.(answer);
  });
}
